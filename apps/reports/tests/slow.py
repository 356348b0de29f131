"""The reports as plain Python makes them: each row is looked at, one after another."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.companies.models import Company
from apps.companies.queries import settings_of
from apps.costs.models import MessageCost
from apps.desk.decisions.hours import Calendar
from apps.desk.queries.sla import calendar_in
from apps.reports.queries.asked import Asked
from apps.tickets.models import Message, TrackingCycle

LIMITS = [(60, "1m"), (300, "5m"), (900, "15m"), (3600, "1h"), (14_400, "4h"), (86_400, "24h")]


@dataclass
class SlowRow:
    """A conversation; times are seconds with a fraction."""

    cycle: TrackingCycle
    queue_id: int | None
    weekday: int
    hour: int
    tag_ids: list[int]
    tags: list[str]
    wait: float | None
    answer: float | None
    shown_answer: float | None
    attendance: float | None
    resolution: float | None
    band: str
    received: int
    answers: int
    first_at: datetime | None
    last_at: datetime | None
    costs: dict[str, Any]

    @property
    def state(self) -> str:
        if self.cycle.finished_at:
            return "resolved"
        return "open" if self.cycle.started_at else "waiting"


def calendar_of(company: Company, cycle: TrackingCycle, queue: Any) -> Calendar:
    settings = settings_of(company.pk)
    kind = settings["scheduleType"]
    if kind == "disabled":
        return calendar_in(settings, None)
    return calendar_in(
        settings, queue.schedules if kind == "queue" and queue else company.schedules
    )


def slow_row(company: Company, cycle: TrackingCycle, asked: Asked) -> SlowRow:
    ticket = cycle.ticket
    queue = ticket.queue if cycle.finished_at is None else cycle.queue
    calendar = calendar_of(company, cycle, queue)

    def span(start: datetime | None, end: datetime | None) -> float | None:
        if start is None or end is None:
            return None
        passed = calendar.between(start, end) if asked.by_hours else end - start
        return passed.total_seconds()

    answer = span(cycle.queued_at, cycle.first_answer_at)
    band = ""
    if cycle.finished_at is not None:
        band = "never"
        if answer is not None:
            band = next((name for most, name in LIMITS if answer <= most), "more")
    all_of_ticket = list(TrackingCycle.objects.filter(ticket=ticket).order_by("pk"))

    def is_own(moment: datetime) -> bool:
        own = all_of_ticket[0]
        for each in all_of_ticket:
            if (each.opened_at or each.queued_at) <= moment:
                own = each
        return own == cycle

    said = [each for each in Message.objects.filter(ticket=ticket) if is_own(each.created_at)]
    moments = sorted(each.created_at for each in said)
    shown = answer
    if cycle.finished_at is None:
        answers = [
            each.created_at
            for each in Message.objects.filter(ticket=ticket)
            if each.from_me
            and each.source in ("agent", "phone")
            and each.created_at >= cycle.queued_at
        ]
        shown = span(cycle.queued_at, min(answers, default=None))
    costs: Counter[str] = Counter()
    for paid in MessageCost.objects.filter(ticket=ticket):
        if paid.amount and is_own(paid.delivered_at):
            costs[paid.currency] += paid.amount  # type: ignore[assignment]
    local = cycle.queued_at.astimezone(asked.span.zone)
    tags = sorted(ticket.tags.all(), key=lambda tag: (tag.name, tag.pk))
    return SlowRow(
        cycle=cycle,
        queue_id=queue.pk if queue else None,
        weekday=local.isoweekday(),
        hour=local.hour,
        tag_ids=[tag.pk for tag in tags],
        tags=[tag.name for tag in tags],
        wait=span(cycle.queued_at, cycle.started_at),
        answer=answer,
        shown_answer=shown,
        attendance=span(cycle.started_at, cycle.finished_at),
        resolution=span(cycle.queued_at, cycle.finished_at),
        band=band,
        received=sum(not each.from_me for each in said),
        answers=sum(each.from_me and each.source in ("agent", "phone") for each in said),
        first_at=moments[0] if moments else None,
        last_at=moments[-1] if moments else None,
        costs=dict(costs),
    )


def is_asked(row: SlowRow, asked: Asked) -> bool:
    cycle, day = row.cycle, row.cycle.queued_at.astimezone(asked.span.zone).date()
    first, last = asked.span.first, asked.span.last
    rated = {
        "": True,
        "any": cycle.rate is not None,
        "unanswered": cycle.rating_asked_at is not None and cycle.rate is None,
    }
    return (
        (first is None or first <= day)
        and (last is None or day <= last)
        and (asked.user_id is None or (cycle.user_id or 0) == asked.user_id)
        and (asked.queue_id is None or (row.queue_id or 0) == asked.queue_id)
        and (asked.connection_id is None or (cycle.connection_id or 0) == asked.connection_id)
        and (asked.tag_id is None or asked.tag_id in row.tag_ids)
        and asked.state in ("", row.state)
        and (
            asked.reason is None
            or (row.state == "resolved" and cycle.closing_reason == asked.reason)
        )
        and rated.get(asked.rating, str(cycle.rate) == asked.rating)
        and asked.band in ("", row.band)
        and asked.weekday in (None, row.weekday)
        and asked.hour in (None, row.hour)
        and not (asked.is_accepted and cycle.started_at is None)
        and not (asked.is_answered and cycle.first_answer_at is None)
    )


def slow_rows(company: Company, asked: Asked) -> list[SlowRow]:
    """Return the asked conversations, the latest first."""
    cycles = TrackingCycle.objects.filter(company=company)
    rows = [slow_row(company, cycle, asked) for cycle in cycles]
    found = [row for row in rows if is_asked(row, asked)]
    return sorted(found, key=lambda row: (row.cycle.queued_at, row.cycle.pk), reverse=True)


def mean(times: Iterable[float | None]) -> int | None:
    known = [each for each in times if each is not None]
    return round(sum(known) / len(known)) if known else None


def whole(seconds: float | None) -> int | None:
    return None if seconds is None else timedelta(seconds=seconds) // timedelta(seconds=1)
