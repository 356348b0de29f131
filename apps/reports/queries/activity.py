"""What people did on each day, and how long they were present (rules/reports §5)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import TruncDate

from apps.accounts.models import User
from apps.desk.models import PresencePeriod
from apps.reports.timelines import Day, Period, Presences, spread
from apps.tickets.models import Message, MessageSource, TicketActivity
from apps.tickets.queries.dashboard import Span

PAGE_SIZE = 50


@dataclass(frozen=True)
class ActivityAsked:
    """Days of a company's zone, with both ends, and which people; None: all of them."""

    company_id: int
    span: Span
    whose: Q
    user_id: int | None = None


@dataclass(frozen=True)
class Done:
    """How much a person did on a day, when first and when last."""

    count: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True)
class PersonDay:
    """A person on a day: presence, messages, and what they did with tickets.

    Without a logged presence, as where nothing is distributed, all its times are zero.
    """

    day: date
    user_id: int
    user_name: str
    presences: Presences = field(default_factory=Presences)
    messages: int = 0
    acts: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None


class Page(NamedTuple):
    """Whole days; `next` is the last day of the page after it, None after the last."""

    days: list[PersonDay]
    next: date | None


def page_of(asked: ActivityAsked, now: datetime, until: date | None = None) -> Page:
    """Return the days on which people were present or did anything, the latest first, then by name.

    A page has as many days as have PAGE_SIZE rows where everybody has one on each, at least one.
    Only these are counted, in five queries; days of which nobody has any are passed over.
    """
    users = _users(asked)
    names = _names_of(users)
    # In a long time in which nobody did anything the parts grow, so that it takes few queries.
    for span in _parts(asked.span, len(names), until, growth=2):
        if found := _rows_of(asked, span, users, names, now):
            before = _day_before(span)
            is_last = before is None or asked.span.first is None or before < asked.span.first
            return Page(found, None if is_last else before)
    return Page([], None)


def activity_of(asked: ActivityAsked, now: datetime) -> Iterator[PersonDay]:
    """Yield the rows of all pages; only one page is in memory at any time."""
    users = _users(asked)
    names = _names_of(users)
    for span in _parts(asked.span, len(names)):
        yield from _rows_of(asked, span, users, names, now)


def _users(asked: ActivityAsked) -> "QuerySet[User]":
    users: QuerySet[User] = User.objects.filter(asked.whose, company=asked.company_id)
    return users if asked.user_id is None else users.filter(pk=asked.user_id)


def _names_of(users: "QuerySet[User]") -> dict[int, str]:
    return dict(users.order_by("name", "pk").values_list("pk", "name"))


def _parts(
    span: Span, people: int, until: date | None = None, *, growth: int = 1
) -> Iterator[Span]:
    """Yield a span in parts, the latest first, each `growth` times as long as the one after it."""
    length = max(PAGE_SIZE // max(people, 1), 1)
    last = span.last if until is None or span.last is None else min(until, span.last)
    while span.first is not None and last is not None and last >= span.first:
        part = Span(span.zone, span.today, max(span.first, last - timedelta(length - 1)), last)
        yield part
        last, length = _day_before(part), growth * length


def _day_before(span: Span) -> date | None:
    return None if span.first is None else span.first - timedelta(days=1)


def _rows_of(
    asked: ActivityAsked,
    span: Span,
    users: "QuerySet[User]",
    names: Mapping[int, str],
    now: datetime,
) -> list[PersonDay]:
    """Return the rows of a part of the asked days, in four queries."""
    days = _days(span)
    periods = _periods(asked.company_id, span, users, names)
    written = Message.objects.filter(user__in=names, source=MessageSource.AGENT)
    messages = _done(span, written, "user_id")
    acts = _done(span, TicketActivity.objects.filter(actor__in=names), "actor_id")
    present = {pk: spread(of, days, now) for pk, of in periods.items()}
    found = []
    for day in reversed(days):
        for pk, name in names.items():
            presences = present.get(pk, {}).get(day.date)
            wrote, did = messages.get((pk, day.date)), acts.get((pk, day.date))
            both = [each for each in (wrote, did) if each is not None]
            if not both and (presences is None or not presences.is_there):
                continue
            found.append(
                PersonDay(
                    day=day.date,
                    user_id=pk,
                    user_name=name,
                    presences=presences or Presences(),
                    messages=wrote.count if wrote else 0,
                    acts=did.count if did else 0,
                    first_at=min((each.first_at for each in both), default=None),
                    last_at=max((each.last_at for each in both), default=None),
                )
            )
    return found


def _days(span: Span) -> list[Day]:
    """Return the days of a span with two ends, in order."""
    return list(_each_day(span))


def _each_day(span: Span) -> Iterator[Day]:
    day = span.first
    while day is not None and span.last is not None and day <= span.last:
        one = Span(span.zone, span.today, day, day)
        if one.since is not None and one.until is not None:
            yield Day(day, one.since, one.until)
        day += timedelta(days=1)


def _periods(
    company_id: int, span: Span, users: "QuerySet[User]", names: Mapping[int, str]
) -> Mapping[int, Sequence[Period]]:
    """Return the periods of the span by person: that in its beginning, and those that began in it.

    A person's periods follow each other without a gap, so no other one reaches into it.
    """
    columns = ("user_id", "presence", "reason", "started_at", "ended_at")
    own = PresencePeriod.objects.filter(user=OuterRef("pk"), started_at__lt=span.since)
    before = Subquery(own.order_by("-started_at", "-pk").values("pk")[:1])
    going = PresencePeriod.objects.filter(pk__in=users.order_by().values_list(before))
    began = PresencePeriod.objects.for_company(company_id).filter(
        span.holds("started_at"), user__in=names
    )
    found: defaultdict[int, list[Period]] = defaultdict(list)
    rows: Iterable[tuple[int, str, str, datetime, datetime | None]] = (
        *going.order_by().values_list(*columns),
        *began.order_by("started_at", "pk").values_list(*columns),
    )
    for pk, presence, reason, started_at, ended_at in rows:
        found[pk].append(Period(presence, reason, started_at, ended_at))
    return found


def _done(
    span: Span, rows: "QuerySet[Message] | QuerySet[TicketActivity]", by: str
) -> dict[tuple[int, date], Done]:
    """Return what each person did on each day of a span."""
    counted = (
        rows.filter(span.holds("created_at"))
        .order_by()
        .annotate(day=TruncDate("created_at", tzinfo=span.zone))
        .values_list(by, "day")
        .annotate(Count("pk"), Min("created_at"), Max("created_at"))
    )
    return {(pk, day): Done(*done) for pk, day, *done in counted}
