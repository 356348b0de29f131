"""What a stranger writes is read in a time that grows with its length, not with its square."""

import re
import time
from collections.abc import Callable
from unicodedata import normalize

import pytest

from apps.campaigns.services.texts import fill
from apps.common.csv_files import plain_cell
from apps.common.search import LONGEST_TEXT, bare, composed, fold
from tests.patterns import Found, patterns, steep_text

PATTERNS = list(patterns())
BAD = [
    r"^\W+|\W+$",
    r"\{\{\s*(\w+)\s*\}\}|\{\s*([^{}]+?)\s*\}",
    r"(?:\A|[;,\n])(?=\s*[=+])",
    r"(?:a|a)+b",
    r"<b>.*?</b>",
]


@pytest.mark.parametrize("found", PATTERNS, ids=[each.place for each in PATTERNS])
def test_a_pattern_takes_as_long_as_its_text_is(found: Found) -> None:
    assert steep_text(found) is None, f"{found.pattern.pattern!r} is not linear"


@pytest.mark.parametrize("pattern", BAD)
def test_a_pattern_that_is_not_linear_is_found(pattern: str) -> None:
    assert steep_text(Found("", re.compile(pattern, re.DOTALL), is_searched=True)) is not None


MARKS = "\u0301\u0316"
READERS: dict[str, Callable[[str], object]] = {
    "fold": fold,
    "bare": bare,
    "composed": composed,
    "composed NFKC": lambda text: composed(text, "NFKC"),
    "plain_cell": plain_cell,
    "a campaign's text": lambda text: fill(text, {"nome": "Ana"}, {"name": "Ana"}),
}
PIECES = [
    *(MARKS, "\u0f73", "\ufdfa", "a.", ".", "_", "{ ", "{{ ", "\n", "\n'", "é", "漢"),
]


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("piece", PIECES)
def test_reading_the_longest_text_takes_a_moment(name: str, piece: str) -> None:
    read = READERS[name]

    def seconds(length: int) -> float:
        text = f"a{piece * length}"[:length] + "{a"
        started_at = time.thread_time()
        read(text)
        return time.thread_time() - started_at

    short, long = (min(seconds(length) for _ in range(3)) for length in (8192, LONGEST_TEXT))
    assert long <= 0.05 or long <= 8 * 2.5 * short


def test_a_run_of_marks_as_long_as_a_text_is_folded_away() -> None:
    assert fold("a" + MARKS * 32_700) == "a"
    assert fold("\u0301" * 32_700 + "\u0316" * 32_700 + "b") == "b"
    assert composed("a" + MARKS * 32_700) == normalize("NFC", "a" + MARKS * 15)
