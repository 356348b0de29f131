"""Every reason that the server stores has its words in every language of the browser."""

import json

import pytest

from apps.common.reasons import CODE_LENGTH, ReasonCode
from tests.product import ROOT

TEXTS = ROOT / "frontend" / "src" / "i18n"


@pytest.mark.parametrize("language", ["pt", "en", "es"])
def test_every_reason_has_words(language: str) -> None:
    words = json.loads((TEXTS / language / "reasons.json").read_text())
    assert {key.removesuffix("_detail") for key in words} == {str(code) for code in ReasonCode}


def test_every_name_fits_its_column() -> None:
    assert max(len(code) for code in ReasonCode) <= CODE_LENGTH
