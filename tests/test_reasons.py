"""Every reason that the server tells has its words in every language of the browser."""

import ast
import json
from collections.abc import Iterator

import pytest

from apps.campaigns.queries.audience import LEFT_OUT
from apps.campaigns.services.recipients_export import REASONS
from apps.common.reasons import CODE_LENGTH, DETAIL_LENGTH, Reason, ReasonCode
from tests.product import ROOT

pytestmark = pytest.mark.sources

TEXTS = ROOT / "frontend" / "src" / "i18n"


@pytest.mark.parametrize("language", ["pt", "en", "es"])
def test_every_reason_has_words(language: str) -> None:
    words = json.loads((TEXTS / language / "reasons.json").read_text())
    assert {key.removesuffix("_detail") for key in words} == {str(code) for code in ReasonCode}


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_language_leaves_a_detail_out(language: str) -> None:
    assert _with_detail(language) == _with_detail("pt")


def _with_detail(language: str) -> set[str]:
    words = json.loads((TEXTS / language / "reasons.json").read_text())
    return {key for key, sentence in words.items() if "{{detail}}" in sentence}


def test_every_reason_that_ends_a_recipient_has_words_in_its_file_too() -> None:
    ending = {
        node.attr
        for where, node in _nodes("campaigns")
        if where.partition(":")[0] in ENDING
        and isinstance(node, ast.Attribute)
        and ast.unparse(node.value) == "ReasonCode"
    }
    assert {"OPTED_OUT", "WINDOW_CLOSED", "TICKET_DELETED"} <= ending
    wordless = {
        (language, name)
        for language, words in REASONS.items()
        for name in ending - WAITING
        if ReasonCode[name] not in words
    }
    assert wordless == set()


# Where recipients end, and what only holds a campaign up or is written over.
ENDING = {"starting.py", "sending.py", "handover.py", "outcomes.py", "opting_out.py"}
WAITING = {
    *("CONNECTION_DELETED", "DISCONNECTED", "NUMBER_LIMIT", "SENDING_HOURS", "DAILY_CEILING"),
    *("TEMPLATE_UNKNOWN", "MEDIA_GONE", "MEDIA_REFUSED", "CAMPAIGN_CANCELLED", "INTERNAL"),
    "PORTFOLIO_LIMIT",
}


@pytest.mark.parametrize("language", ["pt", "en", "es"])
def test_every_reason_for_which_an_estimate_leaves_people_out_has_words(language: str) -> None:
    texts = json.loads((TEXTS / language / "campaigns.json").read_text())
    assert set(texts["leftOut"]) == set(LEFT_OUT)


def test_every_failure_of_an_integration_or_a_model_names_its_reason() -> None:
    nameless, names, failures = [], set(), 0
    for where, node in _nodes("automation", "tickets"):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "ReasonCode":
            names.add(node.attr)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in FAILURES:
            failures += 1
            if not any(keyword.arg == "reason" for keyword in node.keywords):
                nameless.append(where)
    assert (nameless, names - set(ReasonCode.__members__)) == ([], set())
    assert failures > 40


# What clients of integrations and models raise (apps/automation/clients/base.py).
FAILURES = {"ClientError", "AsaasRefused", "Unanswered"}


def _nodes(*apps: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield all that is written in these apps, and where; tests left out."""
    for app in apps:
        for path in sorted((ROOT / "apps" / app).rglob("*.py")):
            if "tests" not in path.parts:
                for node in ast.walk(ast.parse(path.read_text())):
                    yield f"{path.name}:{getattr(node, 'lineno', 0)}", node


def test_every_name_fits_its_column() -> None:
    assert max(len(code) for code in ReasonCode) <= CODE_LENGTH


def test_what_a_server_said_fits_its_column_too() -> None:
    reason = Reason(ReasonCode.MODEL_REFUSED, "400: \x00" + "x" * 400)
    assert (len(reason.detail), "\x00" in reason.detail) == (DETAIL_LENGTH, False)
