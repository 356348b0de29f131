"""Windows that close within the hour: the list of them, and the notification of the holder."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, ProviderKind
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from apps.tickets.queries.inbox import InboxFilters, inbox_for
from apps.tickets.services.bot.timers import run_timers
from conftest import ClientFor
from tests.events import Listeners, Told
from tests.factories import make_connection, make_message, make_ticket

CLOSES = timedelta(hours=23, minutes=30)


def waiting(company: Company, *, heard: timedelta = CLOSES, **fields: Any) -> Ticket:
    """Make an open ticket whose contact wrote last, so long ago."""
    from_me = fields.pop("from_me", False)
    fields.setdefault("status", "open")
    ticket = make_ticket(company, last_inbound_at=timezone.now() - heard, **fields)
    ticket.latest_message = make_message(ticket, from_me=from_me)
    ticket.save()
    return ticket


@pytest.fixture
def told(listeners: Listeners) -> list[Told]:
    seen: list[Told] = []
    listeners.append(lambda each: seen.append(each) if each.event == "ticketWindow" else None)
    return seen


@pytest.fixture
def held(acme: Company, agent: User, queue: Queue, connection: Connection) -> dict[str, Any]:
    return {"connection": connection, "queue": queue, "user": agent}


def test_the_list_has_who_waits_for_an_answer_in_the_last_hour(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, held: dict[str, Any]
) -> None:
    session = make_connection(acme, provider=ProviderKind.BETA, queues=[queue])
    closing = waiting(acme, **held)
    pending = waiting(acme, **{**held, "user": None, "status": "pending"})
    waiting(acme, **held, heard=timedelta(hours=22, minutes=58))
    waiting(acme, **held, heard=timedelta(hours=24, minutes=1))
    waiting(acme, **held, from_me=True)
    waiting(acme, **held, owner="other", owner_at=timezone.now())
    waiting(acme, **{**held, "status": "closed"})
    waiting(acme, **{**held, "connection": session})
    make_ticket(acme, **held, status="open")

    def ids(**query: str) -> list[int]:
        answer = client_for(agent).get("/api/tickets", {"windowClosing": "true", **query})
        assert answer.status_code == 200
        assert answer.json()["count"] == len(answer.json()["tickets"])
        return sorted(row["id"] for row in answer.json()["tickets"])

    assert ids() == [closing.pk, pending.pk]
    assert ids(status="open") == [closing.pk]
    assert ids(status="pending") == [pending.pk]
    assert ids(status="closed") == []
    assert len(ids(windowClosing="false")) > 2
    counts = client_for(agent).get("/api/tickets/counts", {"windowClosing": "true"}).json()
    assert (counts["open"], counts["pending"]) == (1, 1)
    refused = client_for(agent).get("/api/tickets", {"windowClosing": "soon"})
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["windowClosing"])


def test_it_widens_nothing(
    client_for: ClientFor,
    acme: Company,
    admin: User,
    agent: User,
    outsider: User,
    held: dict[str, Any],
) -> None:
    theirs = waiting(acme, **{**held, "user": admin})
    asked = {"windowClosing": "true", "showAll": "true"}
    for user, found in ((agent, []), (outsider, []), (admin, [theirs.pk])):
        rows = client_for(user).get("/api/tickets", asked).json()["tickets"]
        assert [row["id"] for row in rows] == found


def test_calls_of_one_minute_ask_the_same(admin: User, monkeypatch: pytest.MonkeyPatch) -> None:
    filters = InboxFilters(window_closing=True, show_all=True)

    def asked(now: datetime) -> Any:
        monkeypatch.setattr(timezone, "now", lambda: now)
        return inbox_for(admin, filters).values

    now = timezone.now().replace(second=5)
    assert asked(now) == asked(now.replace(second=50))
    assert asked(now) != asked(now + timedelta(minutes=1))


def test_the_holder_is_told_once_for_each_window(
    acme: Company,
    agent: User,
    held: dict[str, Any],
    told: list[Told],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticket = waiting(acme, **held)
    updated_at = ticket.updated_at
    assert run_timers() == 1
    assert run_timers() == 0
    [each] = told
    assert ticket.last_inbound_at is not None
    assert each.payload["ticket"]["id"] == ticket.pk
    assert each.payload["closesAt"] == (ticket.last_inbound_at + timedelta(hours=24)).isoformat()
    assert (each.payload["action"], each.company_id) == ("update", acme.pk)
    rooms = {f"notification:{acme.pk}:{who}" for who in ("all", f"user-{agent.pk}")}
    assert rooms <= set(each.rooms) and all("notification" in room for room in each.rooms)
    ticket.refresh_from_db()
    assert ticket.updated_at == updated_at
    # The contact writes again: another window.
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(hours=24))
    Ticket.objects.update(last_inbound_at=timezone.now() - CLOSES)
    assert run_timers() == 1
    assert run_timers() == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"heard": timedelta(hours=22, minutes=59)},
        {"heard": timedelta(hours=24)},
        {"from_me": True},
        {"status": "closed"},
        {"status": "pending", "user": None},
        {"owner": "other", "owner_at": timezone.now()},
        {"is_group": True},
    ],
)
def test_nobody_is_told_of_the_rest(
    acme: Company, held: dict[str, Any], told: list[Told], fields: dict[str, Any]
) -> None:
    waiting(acme, **{**held, **fields})
    assert (run_timers(), told) == (0, [])


def test_a_qr_session_has_no_window(
    acme: Company, agent: User, queue: Queue, told: list[Told]
) -> None:
    session = make_connection(acme, provider=ProviderKind.BETA, queues=[queue])
    waiting(acme, connection=session, queue=queue, user=agent)
    assert (run_timers(), told) == (0, [])


def test_without_a_window_nothing_is_asked(
    acme: Company, agent: User, queue: Queue, connection: Connection
) -> None:
    waiting(acme, connection=connection, queue=queue, user=agent, heard=timedelta(hours=2))
    with CaptureQueriesContext(database) as queries:
        run_timers()
    assert sum("window_told_at" in each["sql"] for each in queries) == 1
    Connection.objects.update(provider=ProviderKind.BETA)
    with CaptureQueriesContext(database) as queries:
        run_timers()
    assert not any("window_told_at" in each["sql"] for each in queries)
