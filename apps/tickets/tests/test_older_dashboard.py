"""The dashboard of older browsers: /dashboard/status, /tickets and /users (rules/dashboard §7)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from apps.tickets.tests.test_dashboard import NOW, made_closed
from conftest import ClientFor
from tests.factories import make_company, make_ticket, make_user

pytestmark = pytest.mark.django_db
DAYS = {"date_from": "2026-03-01", "date_to": "2026-03-31", "tz": "-03:00"}


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


def test_the_status_counts_live_tickets_by_queue_and_open_ones_by_user(
    client_for: ClientFor, admin: User, agent: User, acme: Company, queue: Queue
) -> None:
    for user in (agent, agent, admin):
        make_ticket(acme, status="open", user=user, queue=queue)
    make_ticket(acme, status="pending", queue=queue)
    make_ticket(acme, status="pending", queue=None)
    make_ticket(acme, status="closed", queue=queue)
    make_ticket(make_company(), status="pending")
    User.objects.filter(pk=agent.pk).update(online_until=NOW + timedelta(minutes=1))
    shown = client_for(admin).get("/api/dashboard/status").json()
    named = {"id": queue.pk, "name": queue.name, "color": queue.color}
    rows = sorted(shown["ticketsStatusSummary"], key=str)
    assert rows == sorted(
        [
            {"status": "open", "queueId": queue.pk, "queue": named, "count": 3},
            {"status": "pending", "queueId": queue.pk, "queue": named, "count": 1},
            {"status": "pending", "queueId": None, "queue": None, "count": 1},
        ],
        key=str,
    )
    users = {each["id"]: each for each in shown["usersStatusSummary"]}
    assert set(users) == {admin.pk, agent.pk}
    assert users[agent.pk] == {
        "id": agent.pk,
        "name": agent.name,
        "online": True,
        "openTicketsCount": 2,
    }
    assert (users[admin.pk]["online"], users[admin.pk]["openTicketsCount"]) == (False, 1)


def test_the_period_has_its_days_and_times_in_seconds(
    client_for: ClientFor, admin: User, agent: User, acme: Company
) -> None:
    # 23:30 of the 9th in São Paulo, finished on the 10th.
    made_closed(acme, datetime(2026, 3, 10, 2, 40, tzinfo=UTC), user=agent)
    made_closed(acme, datetime(2026, 3, 10, 15, 0, tzinfo=UTC), user=agent)
    made_closed(acme, datetime(2026, 2, 10, 15, 0, tzinfo=UTC), user=agent)
    Ticket.objects.update(user=agent)
    client = client_for(admin)
    shown = client.get("/api/dashboard/tickets", DAYS).json()
    assert shown["ticketStatistics"] == {
        "avgWaitTime": 6 * 60,
        "avgServiceTime": 20 * 60,
        "totalClosed": 2,
        "newContacts": 2,
    }
    counters = shown["ticketCounters"]
    assert counters["create"] == {
        "field": "day",
        "start": "2026-03-01T03:00:00Z",
        "end": "2026-04-01T03:00:00Z",
        "counters": [
            {"time": "2026-03-09T03:00:00Z", "counter": 1},
            {"time": "2026-03-10T03:00:00Z", "counter": 1},
        ],
    }
    assert counters["close"]["counters"] == [{"time": "2026-03-10T03:00:00Z", "counter": 2}]
    assert set(counters) == {"create", "accept", "close"}
    report = client.get("/api/dashboard/users", DAYS).json()
    assert (report["start"], report["end"]) == ("2026-03-01", "2026-03-31")
    row = next(each for each in report["userReport"] if each["id"] == agent.pk)
    assert row == {
        "id": agent.pk,
        "name": agent.name,
        "avgWaitTime": 360,
        "avgServiceTime": 1200,
        "totalTickets": 2,
        "openTickets": 0,
        "closedTickets": 2,
        "averageRating": 0.0,
        "online": False,
    }
    # The hours of the first and the last day count.
    hours = {**DAYS, "date_from": "2026-03-10", "hour_from": "13:00:00"}
    late = client.get("/api/dashboard/tickets", hours).json()
    assert late["ticketStatistics"]["totalClosed"] == 0
    hours = {**DAYS, "date_to": "2026-03-10", "hour_to": "12:00:00"}
    early = client.get("/api/dashboard/users", hours).json()["userReport"]
    assert [each["totalTickets"] for each in early if each["id"] == agent.pk] == [2]


def test_without_days_it_is_refused_and_attendants_may_not_read_it(
    client_for: ClientFor, admin: User, agent: User
) -> None:
    for name in ("tickets", "users"):
        refusal = client_for(admin).get(f"/api/dashboard/{name}", {"tz": "-03:00"})
        assert (refusal.status_code, refusal.json()["code"]) == (400, "ERR_DASHBOARD_FILTER")
    for name in ("status", "tickets", "users"):
        assert client_for(agent).get(f"/api/dashboard/{name}", DAYS).status_code == 403


@pytest.mark.parametrize("name", ["status", "tickets", "users"])
def test_the_queries_do_not_grow(
    name: str, client_for: ClientFor, admin: User, acme: Company
) -> None:
    client = client_for(admin)

    def cost() -> int:
        client.get(f"/api/dashboard/{name}", DAYS)
        with CaptureQueriesContext(database) as queries:
            assert client.get(f"/api/dashboard/{name}", DAYS).status_code == 200
        return len(queries)

    few = cost()
    for number in range(4):
        user: Any = make_user(acme)
        made_closed(acme, datetime(2026, 3, number + 2, 15, 0, tzinfo=UTC), user=user)
        make_ticket(acme, status="open", user=user)
    assert cost() == few
