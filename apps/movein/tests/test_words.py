"""Each remark of the import has its words in each language."""

import re

import pytest

from apps.movein.words import HEADINGS, LANGUAGES, NOTES
from tests.product import ROOT

pytestmark = pytest.mark.sources


def test_the_code_and_the_words_name_the_same_remarks() -> None:
    told: set[str] = set()
    for path in ROOT.glob("apps/movein/**/*.py"):
        if "tests" not in path.parts and "words" not in path.parts:
            found = re.findall(
                r"(?:remarks\.add|\.leave|\.note)\(\s*\"(\w+)\"(?: if [^,]+? else \"(\w+)\")?",
                path.read_text(),
            )
            told |= {each for pair in found for each in pair if each}
    assert told == NOTES.keys()


def test_no_language_lacks_words() -> None:
    for words in (*HEADINGS.values(), *(each[1] for each in NOTES.values())):
        assert len(words) == len(LANGUAGES) and all(words)
