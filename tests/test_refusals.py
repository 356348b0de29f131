"""Every refusal that a browser can meet has its words in every language of the browser."""

import ast
import json
import re
from collections.abc import Iterator

import pytest

from tests.product import ROOT

TEXTS = ROOT / "frontend" / "src" / "i18n"
CODE = re.compile("ERR_[A-Z0-9_]+")

# What no page is ever answered: the messages API's own, and why a socket of ours ends.
NOT_FOR_PAGES = {
    "ERR_INVALID_TOKEN",
    "ERR_IDEMPOTENCY_KEY_REUSED",
    "ERR_EVENTS_MISSED",
    "ERR_UNAVAILABLE",
}
# Told by the reason that each carries (tests/test_reasons.py); without one the sentence says more.
TOLD_BY_REASON = {"ERR_INTEGRATION_TEST_FAILED", "ERR_MODEL_UNAVAILABLE"}


@pytest.mark.parametrize("language", ["pt", "en", "es"])
def test_every_code_has_words(language: str) -> None:
    codes = {
        node.value
        for _, node in _nodes()
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and CODE.fullmatch(node.value)
    }
    assert len(codes) > 90
    assert codes - NOT_FOR_PAGES - TOLD_BY_REASON - set(_words(language)) == set()


def _words(language: str) -> dict[str, str | dict[str, str]]:
    words: dict[str, str | dict[str, str]] = json.loads(
        (TEXTS / language / "errors.json").read_text()
    )
    return words


def _nodes() -> Iterator[tuple[str, ast.AST]]:
    """Yield all that is written in the product, and where; tests left out."""
    for top in ("apps", "config"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if not {"tests", "migrations"} & set(path.parts):
                for node in ast.walk(ast.parse(path.read_text())):
                    yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", node
