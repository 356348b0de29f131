"""/dashboard: the cards, the attendants and the hours of today."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Rating, Ticket, TrackingCycle
from conftest import ClientFor
from tests.factories import make_contact, make_tag, make_ticket

pytestmark = pytest.mark.django_db

# 01:30 of 11 March in UTC: 22:30 of the 10th in São Paulo.
NOW = datetime(2026, 3, 11, 1, 30, tzinfo=UTC)
ADDRESSES = ("dashboard", "dashboard/breakdown", "dashboard/tags")
Show = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Let the time be NOW."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


@pytest.fixture
def show(client_for: ClientFor, admin: User) -> Show:
    """Return a function that reads the dashboard as acme's admin."""

    def read(**query: Any) -> dict[str, Any]:
        answer = client_for(admin).get("/api/dashboard", query)
        assert answer.status_code == 200, answer.content
        shown: dict[str, Any] = answer.json()
        return shown

    return read


def make_cycle(ticket: Ticket, queued_at: datetime, **fields: Any) -> TrackingCycle:
    return TrackingCycle.objects.create(
        company=ticket.company,
        ticket=ticket,
        contact=ticket.contact,
        connection=ticket.connection,
        queued_at=queued_at,
        **fields,
    )


def made_closed(acme: Company, queued_at: datetime, **fields: Any) -> TrackingCycle:
    """Make a closed ticket with a cycle that waited 6 minutes and was attended for 20."""
    fields.setdefault("started_at", queued_at + timedelta(minutes=6))
    fields.setdefault("finished_at", queued_at + timedelta(minutes=26))
    return make_cycle(make_ticket(acme, status="closed"), queued_at, **fields)


def test_an_empty_company_has_zeros_and_twenty_four_hours(show: Show, admin: User) -> None:
    shown = show(days=7)
    assert set(shown) == {"counters", "attendants", "hours"}
    assert shown["counters"] == {
        "supportPending": 0,
        "supportHappening": 0,
        "supportFinished": 0,
        "leads": 0,
        "avgSupportTime": 0,
        "avgWaitTime": 0,
    }
    nothing = {"avgSupportTime": 0, "tickets": 0, "rating": 0, "online": False}
    assert shown["attendants"] == [{"id": admin.pk, "name": "Alice", **nothing}]
    times = [f"{hour:02}:00" for hour in (*range(1, 24), 0)]
    assert shown["hours"] == [{"time": time, "amount": 0} for time in times]


def test_means_are_of_cycles_in_minutes(show: Show, acme: Company, agent: User) -> None:
    made_closed(acme, NOW - timedelta(hours=5), user=agent)
    made_closed(
        acme,
        NOW - timedelta(hours=9),
        user=agent,
        started_at=NOW - timedelta(hours=8, minutes=59, seconds=30),
        finished_at=NOW - timedelta(hours=8),
    )
    # Resolved by nobody: finished, and no part of a mean.
    made_closed(acme, NOW - timedelta(hours=2), started_at=None)
    shown = show(days=1)
    counters = shown["counters"]
    assert counters["supportFinished"] == 3
    assert counters["avgSupportTime"] == 39.8  # (20 + 59.5) / 2
    assert counters["avgWaitTime"] == 3.2  # (6 + 0.5) / 2
    assert counters["leads"] == 3
    [row] = [each for each in shown["attendants"] if each["id"] == agent.pk]
    assert (row["tickets"], row["avgSupportTime"]) == (2, 39.8)


def test_what_waits_and_goes_on_is_now_whatever_the_days(show: Show, acme: Company) -> None:
    make_ticket(acme)
    make_ticket(acme)
    make_ticket(acme, status="open")
    TrackingCycle.objects.update(queued_at=NOW - timedelta(days=400))
    counters = show(days=3)["counters"]
    assert (counters["supportPending"], counters["supportHappening"]) == (2, 1)
    assert (counters["supportFinished"], counters["leads"]) == (0, 0)


def test_days_are_the_companys(show: Show, acme: Company) -> None:
    midnight = datetime(2026, 3, 10, 3, tzinfo=UTC)
    made_closed(acme, midnight - timedelta(seconds=1))
    made_closed(acme, midnight)
    assert show(days=1)["counters"]["supportFinished"] == 1
    assert show(days=2)["counters"]["supportFinished"] == 2
    assert show(date_from="2026-03-10", date_to="2026-03-10")["counters"]["supportFinished"] == 1
    assert show(date_to="2026-03-09")["counters"]["supportFinished"] == 1
    assert show(date_from="2026-03-11")["counters"]["supportFinished"] == 0
    # Of a moment its day there counts.
    moment = show(date_from="2026-03-11T02:00:00Z")["counters"]
    assert moment["supportFinished"] == 1
    CompanySetting.objects.update_or_create(
        company=acme, key="timeZone", defaults={"value": "Asia/Tokyo"}
    )
    assert show(days=1)["counters"]["supportFinished"] == 0
    assert show(date_from="2026-03-10", date_to="2026-03-10")["counters"]["supportFinished"] == 2


def test_a_day_has_as_many_hours_as_its_clock_says(
    show: Show, acme: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    CompanySetting.objects.update_or_create(
        company=acme, key="timeZone", defaults={"value": "America/New_York"}
    )
    # On 8 March the clock goes from 02:00 to 03:00, on 1 November from 02:00 back to 01:00.
    made_closed(acme, datetime(2026, 3, 9, 3, 59, tzinfo=UTC))
    made_closed(acme, datetime(2026, 3, 8, 5, tzinfo=UTC))
    made_closed(acme, datetime(2026, 3, 9, 4, tzinfo=UTC))
    assert show(date_from="2026-03-08", date_to="2026-03-08")["counters"]["supportFinished"] == 2
    Ticket.objects.all().delete()
    late = datetime(2026, 11, 1, 20, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: late)
    for hour in (5, 6):  # 01:00, twice
        at = datetime(2026, 11, 1, hour, 10, tzinfo=UTC)
        make_ticket(acme, created_at=at, updated_at=at)
    hours = {row["time"]: row["amount"] for row in show(days=1)["hours"]}
    assert (hours["01:00"], sum(hours.values())) == (2, 2)


def test_hours_count_what_was_created_today(show: Show, acme: Company) -> None:
    midnight = datetime(2026, 3, 10, 3, tzinfo=UTC)
    for created_at in (midnight - timedelta(minutes=1), midnight, NOW, NOW):
        make_ticket(acme, created_at=created_at, updated_at=NOW)
    hours = show(days=90)["hours"]
    counted = {row["time"]: row["amount"] for row in hours if row["amount"]}
    assert counted == {"00:00": 1, "22:00": 2}
    assert (hours[0]["time"], hours[-1]["time"]) == ("01:00", "00:00")


def test_a_contact_leads_once_with_the_first_cycle_of_all(show: Show, acme: Company) -> None:
    known = make_contact(acme)
    for days in (40, 2):
        ticket = make_ticket(acme, contact=known, status="closed")
        made = NOW - timedelta(days=days)
        make_cycle(ticket, made, finished_at=made)
    new = make_contact(acme)
    for hours in (5, 4):
        ticket = make_ticket(acme, contact=new, status="closed")
        made = NOW - timedelta(hours=hours)
        make_cycle(ticket, made, finished_at=made)
    assert show(days=7)["counters"]["leads"] == 1
    assert show(days=60)["counters"]["leads"] == 2
    assert show(date_to="2026-03-05")["counters"]["leads"] == 1


def test_a_rating_counts_by_its_cycle(show: Show, acme: Company, agent: User) -> None:
    for days, rate in ((1, 3), (1, 2), (1, 3), (20, 1)):
        cycle = made_closed(acme, NOW - timedelta(days=days), user=agent, rate=rate)
        # Given today: the cycle's day counts.
        Rating.objects.create(
            company=acme, cycle=cycle, ticket=cycle.ticket, user=agent, rate=rate, created_at=NOW
        )
    [row] = [each for each in show(days=7)["attendants"] if each["id"] == agent.pk]
    assert (row["rating"], row["tickets"]) == (2.67, 3)
    [row] = [each for each in show(days=30)["attendants"] if each["id"] == agent.pk]
    assert row["rating"] == 2.25


def test_attendants_are_who_works_here_or_did_then(show: Show, acme: Company, agent: User) -> None:
    User.objects.filter(pk=agent.pk).update(online_until=NOW + timedelta(minutes=1))
    shown = {row["name"]: row["online"] for row in show(days=1)["attendants"]}
    assert shown == {"Alice": False, "Bob": True}
    User.objects.filter(pk=agent.pk).update(is_active=False)
    assert [row["name"] for row in show(days=1)["attendants"]] == ["Alice"]
    made_closed(acme, NOW - timedelta(hours=1), user=agent)
    shown = {row["name"]: row["online"] for row in show(days=1)["attendants"]}
    assert shown == {"Alice": False, "Bob": False}


@pytest.mark.parametrize("query", [{}, {"days": "0"}, {"days": "", "date_from": "", "date_to": ""}])
def test_without_a_filter_it_is_refused(
    client_for: ClientFor, admin: User, query: dict[str, Any]
) -> None:
    for address in ("dashboard/", *ADDRESSES, "dashboard/export"):
        answer = client_for(admin).get(f"/api/{address}", query)
        assert answer.status_code == 400
        body = answer.json()
        assert body["error"] == body["message"] == "Parametrize o filtro"
        assert body["code"] == "ERR_DASHBOARD_FILTER"


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({"days": "-1"}, {"days"}),
        ({"days": "muitos"}, {"days"}),
        ({"days": "99999"}, {"days"}),
        ({"date_from": "31/01/2026"}, {"date_from"}),
        ({"date_from": "2026-02-30", "date_to": "amanhã"}, {"date_from", "date_to"}),
        ({"date_to": "9999-12-31"}, {"date_to"}),
    ],
)
def test_what_is_no_day_is_refused_at_its_field(
    client_for: ClientFor, admin: User, query: dict[str, Any], fields: set[str]
) -> None:
    answer = client_for(admin).get("/api/dashboard", query)
    assert (answer.status_code, set(answer.json()["fields"])) == (400, fields)


def test_the_last_day_is_not_before_the_first(client_for: ClientFor, admin: User) -> None:
    query = {"date_from": "2026-03-02", "date_to": "2026-03-01"}
    answer = client_for(admin).get("/api/dashboard", query)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_DASHBOARD_DATES")


def test_days_and_dates_narrow_each_other(show: Show, acme: Company) -> None:
    for days in (0, 3, 6):
        made_closed(acme, NOW - timedelta(days=days))
    assert show(days=5, date_to="2026-03-08")["counters"]["supportFinished"] == 1
    # No day is left of these.
    assert show(days=2, date_to="2026-03-01")["counters"]["supportFinished"] == 0


def test_it_is_the_admins(client_for: ClientFor, agent: User) -> None:
    for address in (*ADDRESSES, "dashboard/export"):
        answer = client_for(agent).get(f"/api/{address}?days=7")
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")


def test_queries_do_not_follow_the_number_of_rows(
    client_for: ClientFor, admin: User, acme: Company, connection: Connection, queue: Queue
) -> None:
    client = client_for(admin)

    def count(address: str) -> int:
        with CaptureQueriesContext(database) as captured:
            assert client.get(f"/api/{address}?days=7").status_code == 200
        return len(captured)

    # Without any tag their names are not asked for.
    make_ticket(acme, queue=queue).tags.add(make_tag(acme))
    before = [count(address) for address in ADDRESSES]
    for _ in range(3):
        user = User.objects.create(
            company=acme, name="Novo", email=f"{make_contact(acme).number}@acme.example"
        )
        made_closed(acme, NOW - timedelta(hours=1), user=user, queue=queue)
        make_ticket(acme, queue=queue).tags.add(make_tag(acme))
    assert [count(address) for address in ADDRESSES] == before
    assert max(before) <= 11
