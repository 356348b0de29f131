"""Every refusal that a browser can meet has its words in every language of the browser."""

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.serializers import ValidationError

from apps.common.errors import FIELD_RULES, DomainError, InvalidInput, exception_handler
from tests.product import ROOT

pytestmark = pytest.mark.sources

TEXTS = ROOT / "frontend" / "src" / "i18n"
CODE = re.compile("ERR_[A-Z0-9_]+")

# What no page is ever answered: why a socket of ours ends.
NOT_FOR_PAGES = {
    "ERR_EVENTS_MISSED",
    "ERR_CURSOR_TOO_OLD",
    # Meta's, whose calls no page makes.
    "ERR_WEBHOOK_SIGNATURE",
    # Of a command in a terminal.
    "ERR_MOVE_IN",
    # Between server and gateway (docs/gateway.md); people are told the reason beside it.
    "ERR_AUDIO_UNREADABLE",
    "ERR_BAD_COMMAND",
    "ERR_FILE_URL",
    "ERR_GATEWAY",
    "ERR_GATEWAY_BODY",
    "ERR_GATEWAY_SIGNATURE",
    "ERR_LATE_CALL",
    "ERR_MEDIA_GONE",
    "ERR_MEDIA_UPLOAD",
    "ERR_NO_ANSWER",
    "ERR_NO_COMMAND",
    "ERR_SESSION_GONE",
    "ERR_SESSION_NOT_OPEN",
    "ERR_STALE_EPOCH",
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


@pytest.mark.parametrize("language", ["pt", "en", "es"])
def test_every_rule_of_a_field_has_words(language: str) -> None:
    assert set(_words(language)["field"]) == FIELD_RULES


@pytest.mark.parametrize(
    "refusal",
    [
        InvalidInput("Não.", fields={"name": ["Não."], "rows.0.at": ["Não."]}),
        ValidationError({"name": ["Não."], "rows": [{"at": ["Não."]}]}, "of_its_own"),
        ValidationError({"name": ["Não."], "rows": [{"at": ["Não."]}]}),
    ],
)
def test_a_field_without_a_rule_of_its_own_is_invalid(refusal: Exception) -> None:
    answer = exception_handler(refusal, {})
    assert answer is not None
    assert set(answer.data["fields"]) == {"name", "rows.0.at"}
    assert answer.data["fieldCodes"] == dict.fromkeys(answer.data["fields"], "invalid")


def test_what_a_code_tells_needs_no_rule() -> None:
    class Refused(DomainError):
        code = "ERR_OF_ITS_OWN"

    answer = exception_handler(Refused(fields={"name": ["Não."]}), {})
    assert answer is not None
    assert "fieldCodes" not in answer.data


def test_every_rule_that_is_named_is_one() -> None:
    named = {
        argument.value: where
        for where, node in _nodes()
        if isinstance(node, ast.Call)
        for argument in _rules_of(node)
        if isinstance(argument, ast.Constant)
    }
    assert len(named) > 15
    assert {rule: where for rule, where in named.items() if rule not in FIELD_RULES} == {}


def test_every_refusal_of_a_field_names_its_rule_or_its_reason() -> None:
    """Where nothing but `invalid` can be said, the list below says so."""
    nameless = {
        where.split(":")[0]
        for where, node in _nodes()
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("InvalidInput")
        and any(keyword.arg == "fields" for keyword in node.keywords)
        and not any(keyword.arg in {"rule", "extra"} for keyword in node.keywords)
    }
    assert nameless == ONLY_INVALID


# NUL characters; values of settings; a key of the messages API; what the editor of templates says
# of a form before it is sent (frontend/src/features/templates/form.ts).
ONLY_INVALID = {
    "apps/common/parsers.py",
    "apps/companies/services/settings.py",
    "apps/connections/services/template_library.py",
    "apps/connections/services/template_writing.py",
    "apps/tickets/services/messages/messages_api.py",
}


def _rules_of(call: ast.Call) -> list[ast.expr]:
    name = ast.unparse(call.func)
    rules = [keyword.value for keyword in call.keywords if keyword.arg == "rule"]
    if name.endswith("serializers.ValidationError") and len(call.args) == 2:
        rules.append(call.args[1])
    if name in {"_refuse", "_invalid"} and len(call.args) == 3:
        rules.append(call.args[2])
    return rules


def _words(language: str) -> dict[str, Any]:
    words: dict[str, Any] = json.loads((TEXTS / language / "errors.json").read_text())
    return words


def _nodes() -> Iterator[tuple[str, ast.AST]]:
    """Yield all that is written in the product, and where; tests left out."""
    for top in ("apps", "config"):
        for path in sorted((ROOT / top).rglob("*.py")):
            if not {"tests", "migrations"} & set(path.parts):
                for node in ast.walk(ast.parse(path.read_text())):
                    yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}", node
