"""Forms that Meta blocks, throttles or deprecates: asked one by one, told, looked at again."""

import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.models import Connection, QuestionForm
from apps.connections.providers.official.webhook import notices
from apps.connections.services import note_form_refused, publish_due_forms, published_forms
from apps.connections.tests.graph import Answer, GraphServer
from apps.connections.tests.test_question_forms import FLOW, ask, make_due, meta, posted, publish
from apps.inbound.models import InboundEvent
from apps.inbound.services.processing import process_due
from apps.inbound.services.storing import store_notices
from apps.queues.models import Queue
from conftest import ClientFor
from tests.factories import make_connection, make_queue

pytestmark = pytest.mark.django_db
__all__ = ["meta"]


@pytest.fixture
def form(acme: Company, queue: Queue, connection: Connection, meta: GraphServer) -> QuestionForm:
    ask(queue)
    publish(acme)
    return QuestionForm.objects.get()


def report(connection: Connection, status: str, *, ago: int = 0, **value: Any) -> None:
    """Have Meta report a flow's status, as its webhook words it."""
    told = {
        "event": "FLOW_STATUS_CHANGE",
        "message": f"Flow changed status from PUBLISHED to {status}",
        "flow_id": FLOW,
        "old_status": "PUBLISHED",
        "new_status": status,
        **value,
    }
    entry = {
        "id": connection.waba_id,
        "time": int(time.time()) - ago,
        "changes": [{"field": "flows", "value": told}],
    }
    store_notices(notices({"entry": [entry]}))
    process_due(limit=10)


def alerts(connection: Connection) -> list[str]:
    connection.refresh_from_db()
    return [each["kind"] for each in connection.alerts or []]


def is_sent(connection: Connection) -> bool:
    return published_forms([connection])[connection.pk] != {}


def editor(client: Any, queue: Queue) -> list[tuple[str, str]]:
    rows = client.get(f"/api/queue/{queue.pk}/forms").json()
    return [(each["state"], each["reasonCode"]) for each in rows]


@pytest.mark.parametrize("status", ["BLOCKED", "THROTTLED", "DEPRECATED"])
def test_a_stopped_form_is_not_sent_and_the_admin_is_told(
    admin: User,
    client_for: ClientFor,
    form: QuestionForm,
    connection: Connection,
    queue: Queue,
    emitted: Any,
    status: str,
) -> None:
    client = client_for(admin)
    assert (is_sent(connection), editor(client, queue)) == (True, [("form", "")])
    del emitted[:]
    report(connection, status)
    assert (is_sent(connection), alerts(connection)) == (False, [f"FORM_{status}"])
    assert editor(client, queue) == [("stopped", f"form_{status.lower()}")]
    assert {event for event, _, _ in emitted} == {"whatsapp"}
    entry = AuditEntry.objects.get(action="connection.figures_changed")
    assert entry.detail["alerts"] == [f"FORM_{status}"]
    report(connection, "PUBLISHED", old_status=status)
    assert (is_sent(connection), alerts(connection)) == (True, [])
    assert editor(client, queue) == [("form", "")]


def test_a_repeated_or_late_report_changes_nothing(
    form: QuestionForm, connection: Connection
) -> None:
    report(connection, "BLOCKED", ago=60)
    report(connection, "PUBLISHED")
    for ago in (60, 90):
        report(connection, "BLOCKED", ago=ago)
        assert (is_sent(connection), alerts(connection)) == (True, [])


@pytest.mark.parametrize(
    "value",
    [
        {"new_status": "NOVEL"},
        {"new_status": None},
        {"new_status": "DRAFT"},
        {"flow_id": "999"},
        {"flow_id": FLOW + "x"},
        {"flow_id": {"id": FLOW}},
        {"event": "CLIENT_ERROR_RATE", "alert_state": "ACTIVATED", "error_rate": -(10**15)},
        {"event": "FLOW_VERSION_EXPIRY_WARNING", "warning": "x" * 10_000},
    ],
)
def test_another_report_is_kept_raw_and_nothing_moves(
    form: QuestionForm, connection: Connection, value: dict[str, Any]
) -> None:
    before = QuestionForm.objects.values().get()
    report(connection, "BLOCKED", **value)
    assert QuestionForm.objects.values().get() == before
    event = InboundEvent.objects.get()
    assert (event.kind, event.state) == ("flows", LeaseState.DONE)
    assert event.payload["value"].items() >= value.items()
    assert alerts(connection) == []


def test_only_the_account_that_meta_names_is_concerned(
    form: QuestionForm, connection: Connection, globex: Company
) -> None:
    theirs = make_connection(globex, queues=[make_queue(globex)])
    report(theirs, "BLOCKED")
    assert is_sent(connection)
    assert alerts(connection) == alerts(theirs) == []


def test_all_numbers_of_the_account_say_it(
    form: QuestionForm, connection: Connection, acme: Company
) -> None:
    second = make_connection(acme, waba_id=connection.waba_id)
    apart = make_connection(acme)
    report(connection, "BLOCKED")
    assert alerts(connection) == alerts(second) == ["FORM_BLOCKED"]
    assert alerts(apart) == []


def test_meta_is_asked_for_a_blocked_form_until_it_sends_it(
    form: QuestionForm, connection: Connection, meta: GraphServer
) -> None:
    report(connection, "BLOCKED")
    form.refresh_from_db()
    assert form.next_attempt_at > timezone.now() + timedelta(hours=5)
    calls = len(posted(meta))
    for status, is_usable in (("BLOCKED", False), ("THROTTLED", False), ("PUBLISHED", True)):
        found = {"id": FLOW, "name": form.name, "status": status}
        meta.places["flows"] = Answer({"data": [found]})
        make_due()
        publish_due_forms(limit=10)
        assert is_sent(connection) == is_usable
        assert alerts(connection) == ([] if is_usable else [f"FORM_{status}"])
    assert len(posted(meta)) == calls, "a published form is not changed"
    form.refresh_from_db()
    assert (form.state, form.stop) == (LeaseState.DONE, "")


def test_saving_the_queue_makes_a_deprecated_form_anew(
    form: QuestionForm, connection: Connection, meta: GraphServer, acme: Company
) -> None:
    report(connection, "DEPRECATED")
    make_due()
    assert publish_due_forms(limit=10) == 0
    before, calls = form.name, len(posted(meta))
    publish(acme)
    form.refresh_from_db()
    assert form.name != before
    assert posted(meta)[calls:] == [
        f"{connection.waba_id}/flows",
        f"{FLOW}/assets",
        f"{FLOW}/publish",
    ]
    assert (is_sent(connection), alerts(connection)) == (True, [])


def test_a_stopped_form_that_nothing_wants_any_more_stops_nobody(
    form: QuestionForm, connection: Connection, queue: Queue, acme: Company
) -> None:
    report(connection, "BLOCKED")
    queue.options.all().delete()
    publish(acme)
    assert alerts(connection) == []


@pytest.mark.parametrize(("code", "stop"), [("132068", "BLOCKED"), ("132069", "THROTTLED")])
def test_a_refused_message_tells_it_as_well(
    form: QuestionForm, connection: Connection, code: str, stop: str
) -> None:
    note_form_refused(connection, FLOW, code)
    assert (is_sent(connection), alerts(connection)) == (False, [f"FORM_{stop}"])


def test_where_a_refusal_leaves_open_why_meta_is_asked(
    form: QuestionForm, connection: Connection, meta: GraphServer
) -> None:
    note_form_refused(connection, FLOW, "131009")
    assert is_sent(connection)
    found = {"id": FLOW, "name": form.name, "status": "DEPRECATED"}
    meta.places["flows"] = Answer({"data": [found]})
    publish_due_forms(limit=10)
    assert (is_sent(connection), alerts(connection)) == (False, ["FORM_DEPRECATED"])
