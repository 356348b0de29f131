"""The reports equal what plain Python makes, row by row, of random conversations."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from apps.accounts.models import User
from apps.common.serializers import rows_of
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.contacts.models import Tag
from apps.queues.models import Queue
from apps.reports.measures import BAND_NAMES
from apps.reports.queries.asked import RATINGS, STATES, Asked
from apps.reports.queries.conversations import conversations_of, count_of, page_of
from apps.reports.queries.figures import figures_of
from apps.reports.queries.reach import reach_of
from apps.reports.serializers import ReportedConversationSerializer
from apps.reports.tests.conftest import REASONS, fill
from apps.reports.tests.slow import SlowRow, mean, slow_rows, whole
from apps.tickets.queries.dashboard import Span
from tests.factories import make_admin

pytestmark = pytest.mark.django_db

ZONES = ["America/Sao_Paulo", "America/New_York", "Asia/Kathmandu"]
# A clock goes back, forward, and not at all, within the ten days before.
NOWS = [
    datetime(2025, 11, 4, 4, 30, tzinfo=UTC),
    datetime(2026, 3, 12, 3, 59, tzinfo=UTC),
    datetime(2026, 6, 10, 15, 0, tzinfo=UTC),
]
HOURS = [
    {"weekdayEn": day, "weekday": day, "startTime": start, "endTime": end}
    for day, start, end in [
        ("monday", "08:00", "12:30"),
        ("tuesday", "08:00", "18:00"),
        ("wednesday", "13:00", "13:00"),
        ("thursday", "20:00", "04:00"),
        ("friday", "08:00", "23:59"),
        ("saturday", "09:00", "12:00"),
        ("sunday", "00:00", "00:00"),
    ]
]


def some(random: Random, values: Any) -> Any:
    """Return one of the values, or most of the time none."""
    return random.choice(list(values)) if random.random() < 0.25 else None


def random_asked(random: Random, company: Company, zone: ZoneInfo, now: datetime) -> Asked:
    today = now.astimezone(zone).date()
    first = today - timedelta(days=random.randrange(12))
    last = random.choice([today, first, min(today, first + timedelta(days=3))])
    ids = [
        [0, *model.objects.filter(company=company).values_list("pk", flat=True)]
        for model in (Queue, Connection)
    ]
    users = [0, *User.objects.filter(company=company).values_list("pk", flat=True)]
    return Asked(
        company.pk,
        Span(zone, today, first, last),
        reach_of(make_admin(company)).cycles,
        random.random() < 0.5,
        user_id=some(random, users),
        queue_id=some(random, ids[0]),
        connection_id=some(random, ids[1]),
        tag_id=some(random, Tag.objects.filter(company=company).values_list("pk", flat=True)),
        state=some(random, STATES) or "",
        reason=some(random, REASONS),
        rating=some(random, RATINGS) or "",
        band=some(random, BAND_NAMES) or "",
        weekday=some(random, range(1, 8)),
        hour=some(random, range(24)),
        is_accepted=random.random() < 0.1,
        is_answered=random.random() < 0.1,
    )


def check_rows(asked: Asked, expected: list[SlowRow]) -> None:
    rows = rows_of(ReportedConversationSerializer, conversations_of(asked))
    assert [row["id"] for row in rows] == [row.cycle.pk for row in expected]
    for row, slow in zip(rows, expected, strict=True):
        assert row["state"] == slow.state
        assert row["queueId"] == slow.queue_id
        assert row["tags"] == slow.tags
        assert row["waitSeconds"] == whole(slow.wait)
        assert row["firstAnswerSeconds"] == whole(slow.shown_answer)
        assert row["attendanceSeconds"] == whole(slow.attendance)
        assert row["resolutionSeconds"] == whole(slow.resolution)
        assert (row["received"], row["answers"]) == (slow.received, slow.answers)
        assert (row["firstMessageAt"], row["lastMessageAt"]) == (slow.first_at, slow.last_at)
        costs = {each["currency"]: float(each["amount"]) for each in row["costs"]}
        assert costs == {name: float(amount) for name, amount in slow.costs.items()}


def check_pages(asked: Asked, expected: list[SlowRow]) -> None:
    page = page_of(asked)
    assert count_of(asked, page) == (None if asked.sieves_bands else len(expected))
    found = [each.id for each in page.conversations]
    while page.next is not None:
        page = page_of(asked, page.next)
        found += [each.id for each in page.conversations]
    assert found == [row.cycle.pk for row in expected]


def check_figures(asked: Asked, expected: list[SlowRow]) -> None:
    figures = figures_of(asked)
    counts = figures.counts
    states = Counter(row.state for row in expected)
    assert counts["conversations"] == len(expected)
    assert {name: counts[name] for name in STATES} == {name: states[name] for name in STATES}
    assert +figures.bands == Counter(row.band for row in expected if row.band)
    assert +figures.times == Counter((row.weekday, row.hour) for row in expected)
    resolved = [row for row in expected if row.state == "resolved"]
    assert +figures.reasons == Counter(row.cycle.closing_reason for row in resolved)
    assert figures.mean("wait") == mean(row.wait for row in expected)
    assert figures.mean("answer") == mean(row.answer for row in expected)
    assert figures.mean("attendance") == mean(row.attendance for row in expected)
    assert figures.mean("resolution") == mean(row.resolution for row in expected)
    rates = [row.cycle.rate for row in expected if row.cycle.rate]
    assert figures.rating == (round(sum(rates) / len(rates), 2) if rates else None)
    unanswered = [row for row in expected if row.cycle.rating_asked_at and not row.cycle.rate]
    assert counts["unanswered"] == len(unanswered)


@pytest.mark.parametrize("seed", range(6))
def test_rows_pages_and_figures_equal_a_look_at_each_row(
    acme: Company, globex: Company, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.reports.queries.conversations.PAGE_SIZE", 4)
    random = Random(seed)
    zone, now = ZoneInfo(ZONES[seed % 3]), NOWS[seed // 2]
    acme.schedules = HOURS
    acme.save()
    for key, value in (
        ("timeZone", zone.key),
        ("scheduleType", ["queue", "company", "disabled"][seed % 3]),
        ("nationalHolidays", "BR"),
    ):
        CompanySetting.objects.update_or_create(company=acme, key=key, defaults={"value": value})
    fill(acme, random, now)
    fill(globex, random, now, tickets=5)
    first = Queue.objects.filter(company=acme).earliest("pk")
    Queue.objects.filter(pk=first.pk).update(schedules=HOURS)
    found = 0
    for tried in range(100):
        if tried >= 25 and found > 20:
            break
        asked = random_asked(random, acme, zone, now)
        expected = slow_rows(acme, asked)
        found += len(expected)
        check_rows(asked, expected)
        check_pages(asked, expected)
        if not asked.sieves_bands:
            check_figures(asked, expected)
    assert found > 20


def test_days_are_the_companys(acme: Company) -> None:
    zone = ZoneInfo("America/Sao_Paulo")
    fill(acme, Random(1), NOWS[2], tickets=12)
    day = date(2026, 6, 5)
    asked = Asked(acme.pk, Span(zone, day, day, day), reach_of(make_admin(acme)).cycles)
    queued = [each.queued_at.astimezone(zone).date() for each in conversations_of(asked)]
    assert set(queued) <= {day}
