"""The dashboard equals what plain Python counts, row by row, of random tickets."""

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.contacts.models import Contact, Tag
from apps.queues.models import Queue
from apps.tickets.models import Rating, Ticket, TicketTag, TrackingCycle
from conftest import ClientFor
from tests.factories import (
    make_company,
    make_connection,
    make_contact,
    make_queue,
    make_tag,
    make_user,
)

pytestmark = pytest.mark.django_db

TICKETS = 80
# A clock that goes forward and back inside these days, at midnight and at 02:00; one without.
CASES = [
    ("America/New_York", datetime(2025, 11, 4, 4, 30, tzinfo=UTC)),
    ("America/New_York", datetime(2026, 3, 10, 3, 59, tzinfo=UTC)),
    ("America/Santiago", datetime(2025, 9, 8, 2, 30, tzinfo=UTC)),
    ("America/Sao_Paulo", datetime(2018, 11, 5, 1, 30, tzinfo=UTC)),
    ("America/Sao_Paulo", datetime(2026, 3, 11, 2, 59, tzinfo=UTC)),
    ("Asia/Kathmandu", datetime(2026, 3, 11, 18, 20, tzinfo=UTC)),
]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} {case[1]:%Y-%m-%d}")
def case(request: Any, acme: Company, monkeypatch: pytest.MonkeyPatch) -> tuple[ZoneInfo, datetime]:
    """Return the company's zone and the time that it is."""
    name, now = request.param
    monkeypatch.setattr(timezone, "now", lambda: now)
    CompanySetting.objects.update_or_create(company=acme, key="timeZone", defaults={"value": name})
    return ZoneInfo(name), now


def fill(company: Company, random: Random, zone: ZoneInfo, now: datetime) -> None:
    """Make tickets of a few days around midnights, with cycles of every kind."""
    queues = [make_queue(company) for _ in range(2)]
    connections = [make_connection(company, queues=queues) for _ in range(2)]
    users = [make_user(company, queues=queues) for _ in range(3)]
    contacts = [make_contact(company) for _ in range(TICKETS // 2)]
    tags = [make_tag(company) for _ in range(3)]
    live: set[tuple[int, int]] = set()

    def moment() -> datetime:
        midnight = datetime.combine(
            now.astimezone(zone).date() - timedelta(days=random.randrange(8)),
            datetime.min.time(),
            zone,
        )
        near = random.choice([0, 1, -1, random.randrange(-90_000, 90_000)])
        return min(now, midnight.astimezone(UTC) + timedelta(seconds=near))

    for _ in range(TICKETS):
        contact, connection = random.choice(contacts), random.choice(connections)
        status = random.choice(["open", "pending", "closed", "closed", "closed"])
        if status != "closed" and (contact.pk, connection.pk) in live:
            status = "closed"
        if status != "closed":
            live.add((contact.pk, connection.pk))
        created_at = moment()
        ticket = Ticket.objects.create(
            company=company,
            contact=contact,
            connection=connection,
            queue=random.choice([*queues, None]),
            user=random.choice(users) if status == "open" else None,
            status=status,
            created_at=created_at,
            updated_at=random.choice([created_at, now]),
        )
        TicketTag.objects.bulk_create(
            TicketTag(ticket=ticket, tag=tag) for tag in tags if random.random() < 0.3
        )
        for place in range(random.randrange(1, 4)):
            _make_cycle(random, ticket, moment(), users, is_last=place == 0)


def _make_cycle(
    random: Random, ticket: Ticket, queued_at: datetime, users: list[User], *, is_last: bool
) -> None:
    is_live = is_last and ticket.status != "closed"
    was_held = ticket.status == "open" if is_live else random.random() < 0.8
    wait, support = (timedelta(seconds=random.randrange(20_000)) for _ in range(2))
    answer = timedelta(seconds=random.randrange(20_000))
    was_rated = not is_live and was_held and random.random() < 0.5
    rate = random.randrange(1, 4) if was_rated else None
    cycle = TrackingCycle.objects.create(
        company=ticket.company,
        ticket=ticket,
        contact=ticket.contact,
        connection=random.choice([ticket.connection, None]),
        queue=None if is_live else random.choice([ticket.queue, None]),
        user=random.choice(users) if was_held else None,
        queued_at=queued_at,
        started_at=queued_at + wait if was_held else None,
        first_answer_at=None if is_live or random.random() < 0.3 else queued_at + answer,
        finished_at=None if is_live else queued_at + wait + support,
        rate=rate,
    )
    if rate is not None:
        Rating.objects.create(
            company=ticket.company, ticket=ticket, cycle=cycle, user=cycle.user, rate=rate
        )


Within = Callable[[datetime], bool]


def within(zone: ZoneInfo, first: date | None, last: date | None) -> Within:
    """Return whether a moment's day, on the zone's clock, is one of the days."""

    def judge(moment: datetime) -> bool:
        day = moment.astimezone(zone).date()
        return (first is None or first <= day) and (last is None or day <= last)

    return judge


def mean(times: Iterable[timedelta]) -> float:
    """Return the mean in minutes, to a tenth."""
    seconds = [each.total_seconds() for each in times]
    return round(sum(seconds) / 60 / len(seconds), 1) if seconds else 0


def supports(cycles: list[TrackingCycle]) -> float:
    times = ((each.started_at, each.finished_at) for each in cycles)
    return mean(end - start for start, end in times if start and end)


def waits(cycles: list[TrackingCycle]) -> float:
    return mean(each.started_at - each.queued_at for each in cycles if each.started_at)


def answers(cycles: list[TrackingCycle]) -> float:
    return mean(each.first_answer_at - each.queued_at for each in cycles if each.first_answer_at)


def rating_of(cycles: list[TrackingCycle]) -> float:
    rates = [each.rating.rate for each in cycles if hasattr(each, "rating")]
    return round(sum(rates) / len(rates), 2) if rates else 0


def expected(company: Company, is_within: Within, zone: ZoneInfo, now: datetime) -> dict[str, Any]:
    """Count the dashboard in plain Python."""
    tickets = list(Ticket.objects.filter(company=company))
    every = list(TrackingCycle.objects.filter(company=company).select_related("ticket", "rating"))
    cycles = [each for each in every if is_within(each.queued_at)]
    first: dict[int, datetime] = {}
    for each in every:
        contact_id = each.ticket.contact_id
        first[contact_id] = min(first.get(contact_id, each.queued_at), each.queued_at)
    today = now.astimezone(zone).date()
    created = [each.created_at.astimezone(zone) for each in tickets]
    users = User.objects.filter(company=company).order_by("name", "pk")
    return {
        "counters": {
            "supportPending": sum(each.status == "pending" for each in tickets),
            "supportHappening": sum(each.status == "open" for each in tickets),
            "supportFinished": sum(each.finished_at is not None for each in cycles),
            "leads": sum(map(is_within, first.values())),
            "avgSupportTime": supports(cycles),
            "avgWaitTime": waits(cycles),
        },
        "attendants": [
            {
                "id": user.pk,
                "name": user.name,
                "avgSupportTime": supports(own),
                "tickets": len(own),
                "rating": rating_of(own),
                "online": False,
            }
            for user in users
            for own in [[each for each in cycles if each.user_id == user.pk]]
        ],
        "hours": [
            {
                "time": f"{hour:02}:00",
                "amount": sum(at.date() == today and at.hour == hour for at in created),
            }
            for hour in [*range(1, 24), 0]
        ],
    }


def group(pk: int | None, name: str, color: str, cycles: list[TrackingCycle]) -> dict[str, Any]:
    return {
        "id": pk,
        "name": name,
        "color": color,
        "tickets": len(cycles),
        "finished": sum(each.finished_at is not None for each in cycles),
        "avgSupportTime": supports(cycles),
        "avgWaitTime": waits(cycles),
        "avgFirstResponseTime": answers(cycles),
    }


def expected_breakdown(company: Company, is_within: Within) -> dict[str, Any]:
    """Count the breakdown in plain Python."""
    every = list(TrackingCycle.objects.filter(company=company).select_related("ticket", "rating"))
    cycles = [each for each in every if is_within(each.queued_at)]
    pending = list(Ticket.objects.filter(company=company, status="pending"))

    def queue_of(cycle: TrackingCycle) -> int | None:
        return cycle.queue_id if cycle.finished_at else cycle.ticket.queue_id

    def queue_row(pk: int | None, name: str, color: str) -> dict[str, Any]:
        row = group(pk, name, color, [each for each in cycles if queue_of(each) == pk])
        return {**row, "waiting": sum(each.queue_id == pk for each in pending)}

    queues = [
        queue_row(each.pk, each.name, each.color)
        for each in sorted(Queue.objects.filter(company=company), key=lambda row: row.pk)
    ]
    none = queue_row(None, "", "")
    lines: list[tuple[int | None, str]] = sorted(
        Connection.objects.filter(company=company).values_list("pk", "name"),
        key=lambda row: (row[1], row[0]),
    )
    unlined = [each for each in cycles if each.connection_id is None]
    rows = [(pk, name, [c for c in cycles if c.connection_id == pk]) for pk, name in lines]
    waiting = [each for each in every if each.ticket.status == "pending" and not each.finished_at]
    oldest = min(waiting, key=lambda each: (each.queued_at, each.pk), default=None)
    return {
        "queues": queues + ([none] if none["tickets"] or none["waiting"] else []),
        "connections": [group(pk, name, "", own) for pk, name, own in rows]
        + ([group(None, "", "", unlined)] if unlined else []),
        "firstResponse": {
            "count": sum(each.first_answer_at is not None for each in cycles),
            "average": answers(cycles),
        },
        "ratings": [
            {"rate": rate, "count": sum(rating_of([each]) == rate for each in cycles)}
            for rate in (1, 2, 3)
        ],
        "waiting": {
            "count": len(pending),
            "oldest": oldest
            and {
                "uuid": str(oldest.ticket.uuid),
                "contactName": Contact.objects.get(pk=oldest.ticket.contact_id).name,
                "queueId": oldest.ticket.queue_id,
                "since": oldest.queued_at,
            },
        },
    }


def expected_tags(company: Company, is_within: Within) -> list[dict[str, Any]]:
    """Count the tags in plain Python."""
    found = TrackingCycle.objects.filter(company=company).prefetch_related("ticket__tags")
    cycles = [each for each in found if is_within(each.queued_at)]
    tagged = [
        (tag, [each for each in cycles if tag in each.ticket.tags.all()])
        for tag in Tag.objects.filter(company=company).order_by("name", "pk")
    ]
    return [group(tag.pk, tag.name, tag.color, own) for tag, own in tagged if own]


@pytest.mark.every_case
@pytest.mark.parametrize("seed", range(3))
def test_it_equals_a_count_row_by_row(
    case: tuple[ZoneInfo, datetime],
    seed: int,
    client_for: ClientFor,
    admin: User,
    acme: Company,
) -> None:
    zone, now = case
    random = Random(f"{seed} {zone} {now}")
    fill(acme, random, zone, now)
    fill(make_company(), random, zone, now)
    today = now.astimezone(zone).date()
    days: list[tuple[dict[str, str], Within]] = [
        ({"days": str(count)}, within(zone, today - timedelta(days=count - 1), None))
        for count in (1, 3, 90)
    ]
    first, last = (today - timedelta(days=count) for count in (4, 1))
    days += [
        ({"date_from": str(first), "date_to": str(last)}, within(zone, first, last)),
        ({"date_from": str(last), "date_to": str(last)}, within(zone, last, last)),
        ({"date_to": str(last)}, within(zone, None, last)),
    ]
    for query, is_within in days:
        shown = client_for(admin).get("/api/dashboard", query).json()
        assert shown == expected(acme, is_within, zone, now), query
        parts = client_for(admin).get("/api/dashboard/breakdown", query).json()
        if parts["waiting"]["oldest"]:
            since = parts["waiting"]["oldest"]["since"]
            parts["waiting"]["oldest"]["since"] = datetime.fromisoformat(since)
        assert parts == expected_breakdown(acme, is_within), query
        tags = client_for(admin).get("/api/dashboard/tags", query).json()
        assert tags == expected_tags(acme, is_within), query
