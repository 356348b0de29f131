"""The dashboard as older browsers read it (rules/dashboard §7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count
from django.db.models.functions import TruncDate

from apps.tickets.models import Ticket, TicketStatus, TrackingCycle
from apps.tickets.queries.dashboard.days import Cover
from apps.tickets.queries.dashboard.figures import Attendant, attendants_of, leads_of, rates_of
from apps.tickets.queries.dashboard.spans import Span
from apps.tickets.queries.dashboard.sums import Sums, added, by_key, summed

# The moments of a cycle that the chart counts, by their names there.
SERIES = {"create": "queued_at", "accept": "started_at", "close": "finished_at"}


@dataclass(frozen=True)
class HourSpan(Span):
    """A span whose first and last day begin and end at hours of the company's clock.

    The last second counts, as in `23:59:59`.
    """

    begins: time = time.min
    ends: time = time(23, 59, 59)

    @property
    def since(self) -> datetime | None:
        return datetime.combine(self.first, self.begins, self.zone) if self.first else None

    @property
    def until(self) -> datetime | None:
        """Return the moment after its end."""
        if self.last is None:
            return None
        return datetime.combine(self.last, self.ends, self.zone) + timedelta(seconds=1)


@dataclass(frozen=True)
class Live:
    """How many tickets of a status a queue has now; without a queue all are None."""

    status: str
    queue_id: int | None
    queue_name: str | None
    queue_color: str | None
    count: int


@dataclass(frozen=True)
class Present:
    """The live tickets by status and queue, and the users; read in three queries."""

    live: list[Live]
    users: list[Attendant]
    open_counts: dict[int, int]


@dataclass(frozen=True)
class Counted:
    """The sums of a span, and its cycles by day for each of SERIES; read in five queries."""

    span: Span
    total: Sums
    leads: int
    days: dict[str, dict[date, int]]


@dataclass(frozen=True)
class Report:
    """The attendants of a span, and their open tickets now; read in three queries."""

    span: Span
    attendants: list[Attendant]
    open_counts: dict[int, int]


def present_of(company_id: int, *, now: datetime) -> Present:
    """Return what is live in a company now."""
    rows = (
        Ticket.objects.for_company(company_id)
        .filter(status__in=[TicketStatus.PENDING, TicketStatus.OPEN])
        .order_by()
        .values_list("status", "queue_id", "queue__name", "queue__color")
        .annotate(Count("pk"))
    )
    return Present(
        live=[Live(*row) for row in rows],
        users=attendants_of(company_id, {}, {}, now),
        open_counts=_open_counts(company_id),
    )


def counted_of(cover: Cover) -> Counted:
    """Return the figures of a span, with its cycles by day."""
    company_id, span = cover.company_id, cover.span
    rows = summed(cover, "user_id")
    return Counted(
        span=span,
        total=added(by_key(rows).values()),
        leads=leads_of(cover),
        days={name: _days(company_id, span, moment) for name, moment in SERIES.items()},
    )


def report_of(cover: Cover, *, now: datetime) -> Report:
    """Return the attendants' figures of a span."""
    company_id, span = cover.company_id, cover.span
    rows = summed(cover, "user_id", "rate")
    attendants = attendants_of(company_id, by_key(rows), rates_of(rows), now)
    return Report(span=span, attendants=attendants, open_counts=_open_counts(company_id))


def _open_counts(company_id: int) -> dict[int, int]:
    rows: Iterable[tuple[int | None, int]] = (
        Ticket.objects.for_company(company_id)
        .filter(status=TicketStatus.OPEN)
        .order_by()
        .values_list("user_id")
        .annotate(Count("pk"))
    )
    return {user_id: count for user_id, count in rows if user_id is not None}


def _days(company_id: int, span: Span, moment: str) -> dict[date, int]:
    """Count the cycles with this moment in the span by the company's calendar days."""
    cycles = TrackingCycle.objects.for_company(company_id).order_by().filter(span.holds(moment))
    days = cycles.annotate(day=TruncDate(moment, tzinfo=span.zone)).values_list("day")
    return dict(sorted(days.annotate(Count("pk"))))
