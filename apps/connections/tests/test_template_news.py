"""What Meta reports of templates reaches the list, the browsers and the audit log."""

import time
from typing import Any

import pytest
from django.utils import timezone

from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.official.webhook import notices, parse_notice
from apps.connections.services import templates_of
from apps.connections.tests.graph import Answer, GraphServer
from apps.inbound.services.processing import process_due
from apps.inbound.services.storing import store_notices
from tests.factories import make_connection

pytestmark = pytest.mark.django_db

ACCOUNT = "200000000000556"
ABOUT = {
    "message_template_id": 901,
    "message_template_name": "pedido_enviado",
    "message_template_language": "pt_BR",
}
STATUS = "message_template_status_update"
QUALITY = "message_template_quality_update"
COMPONENTS = "message_template_components_update"
CATEGORY = "template_category_update"


def report(field: str, *, at: int | None = None, **value: Any) -> None:
    """Have Meta report something of a template, as its webhook words it."""
    change = {"field": field, "value": {**ABOUT, **value}}
    entry = {"id": ACCOUNT, "time": at or int(time.time()), "changes": [change]}
    store_notices(notices({"entry": [entry]}))
    process_due(limit=10)


def row(status: str) -> Answer:
    body = {"type": "BODY", "text": "Olá!"}
    fields = {"id": "901", "name": "pedido_enviado", "language": "pt_BR", "status": status}
    return Answer({"data": [{**fields, "components": [body]}]})


def told(events: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    rows = [each["payload"]["template"] for each in events if each["event"] == "template"]
    return [(each["change"], each["value"], each["reason"]) for each in rows]


@pytest.fixture
def number(acme: Company) -> Connection:
    return make_connection(acme, waba_id=ACCOUNT, verified_at=timezone.now())


def test_the_next_who_asks_sees_the_new_status(
    number: Connection, acme: Company, graph: GraphServer
) -> None:
    second = make_connection(acme, waba_id=ACCOUNT, verified_at=timezone.now(), is_default=False)
    graph.answers = [row("PENDING"), row("PENDING"), row("APPROVED")]
    for each in (number, second, number, second):
        assert [one.status for one in templates_of(each)] == ["PENDING"]
    report(STATUS, event="APPROVED", reason="NONE")
    for each in (number, second):
        assert [one.status for one in templates_of(each)] == ["APPROVED"]


def test_what_was_being_read_meanwhile_is_not_kept(
    number: Connection, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph.answers = [row("PENDING"), row("APPROVED")]
    answer = graph.next_answer

    def meanwhile(path: str) -> Answer:
        if len(graph.calls) == 1:
            monkeypatch.undo()
            from apps.connections.services.templates import forget_templates

            forget_templates(ACCOUNT)
        return answer(path)

    monkeypatch.setattr(graph, "next_answer", meanwhile)
    assert [each.status for each in templates_of(number)] == ["PENDING"]
    assert [each.status for each in templates_of(number)] == ["APPROVED"]


@pytest.mark.parametrize(
    ("field", "value", "heard"),
    [
        (STATUS, {"event": "APPROVED", "reason": "NONE"}, ("status", "APPROVED", "")),
        (STATUS, {"event": "REINSTATED"}, ("status", "REINSTATED", "")),
        (
            QUALITY,
            {"previous_quality_score": "GREEN", "new_quality_score": "YELLOW"},
            ("quality", "YELLOW", ""),
        ),
        (COMPONENTS, {"message_template_element": "Olá!"}, ("components", "", "")),
    ],
)
def test_browsers_are_told_and_nothing_is_written(
    number: Connection,
    events: list[dict[str, Any]],
    field: str,
    value: dict[str, Any],
    heard: tuple[str, str, str],
) -> None:
    report(field, **value)
    assert told(events) == [heard]
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "heard", "detail"),
    [
        (
            STATUS,
            {
                "event": "REJECTED",
                "reason": "INVALID_FORMAT",
                "rejection_info": {"reason": "Variável solta.", "recommendation": "Cerque-a."},
            },
            ("status", "REJECTED", "INVALID_FORMAT"),
            {"reason": "INVALID_FORMAT", "detail": "Variável solta. Cerque-a."},
        ),
        (
            STATUS,
            {"event": "PAUSED", "other_info": {"title": "FIRST_PAUSE", "description": "3 h"}},
            ("status", "PAUSED", ""),
            {"value": "PAUSED", "detail": "3 h"},
        ),
        (STATUS, {"event": "DISABLED"}, ("status", "DISABLED", ""), {"value": "DISABLED"}),
        (
            STATUS,
            {"event": "LIMIT_EXCEEDED"},
            ("status", "LIMIT_EXCEEDED", ""),
            {"value": "LIMIT_EXCEEDED"},
        ),
        (
            QUALITY,
            {"previous_quality_score": "YELLOW", "new_quality_score": "RED"},
            ("quality", "RED", ""),
            {"value": "RED"},
        ),
        (
            CATEGORY,
            {"previous_category": "UTILITY", "new_category": "MARKETING"},
            ("category", "MARKETING", ""),
            {"before": "UTILITY", "value": "MARKETING"},
        ),
        (
            CATEGORY,
            {"correct_category": "MARKETING", "new_category": "UTILITY"},
            ("category_ahead", "MARKETING", ""),
            {"before": "UTILITY", "value": "MARKETING"},
        ),
    ],
)
def test_what_somebody_has_to_look_at_is_audited(
    number: Connection,
    acme: Company,
    events: list[dict[str, Any]],
    field: str,
    value: dict[str, Any],
    heard: tuple[str, str, str],
    detail: dict[str, str],
) -> None:
    report(field, **value)
    assert told(events) == [heard]
    entry = AuditEntry.objects.get()
    assert (entry.company_id, entry.object_id) == (acme.pk, str(number.pk))
    assert entry.detail["template"] == "pedido_enviado"
    assert {key: entry.detail[key] for key in detail} == detail


def test_the_same_word_twice_is_told_once(number: Connection, events: list[dict[str, Any]]) -> None:
    for _ in range(2):
        report(STATUS, at=1_790_000_000, event="REJECTED", reason="SCAM")
    assert told(events) == [("status", "REJECTED", "SCAM")]
    assert AuditEntry.objects.count() == 1


def test_other_accounts_hear_nothing(
    number: Connection, globex: Company, events: list[dict[str, Any]]
) -> None:
    make_connection(globex, verified_at=timezone.now())
    report(STATUS, event="DISABLED")
    assert {each["company_id"] for each in events if each["event"] == "template"} == {
        number.company_id
    }


@pytest.mark.parametrize("value", [None, [], "x", {}, {"event": ["x"], "rejection_info": 5}])
def test_odd_shapes_are_no_fault(value: Any) -> None:
    for field in (STATUS, QUALITY, COMPONENTS, CATEGORY):
        news = parse_notice(field[:20], {"field": field, "value": value})
        assert news is not None
