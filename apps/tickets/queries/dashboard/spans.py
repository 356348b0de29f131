"""The days that the dashboard is asked for, in the company's zone (rules/dashboard §1)."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from apps.common.errors import DomainError
from apps.tickets.models import TrackingCycle


class DashboardUnfiltered(DomainError):
    """Neither days nor dates were named."""

    code = "ERR_DASHBOARD_FILTER"
    message = "Parametrize o filtro"


class DashboardDatesReversed(DomainError):
    """The last day lies before the first."""

    code = "ERR_DASHBOARD_DATES"
    message = "A data final não pode ser anterior à inicial."


@dataclass(frozen=True)
class Asked:
    """The parameters of a query: a number of last days including today, a first and a last day, or
    both.
    """

    days: int | None = None
    date_from: date | None = None
    date_to: date | None = None


@dataclass(frozen=True)
class Span:
    """The moments between two midnights of a zone; None is an open end."""

    zone: ZoneInfo
    today: date
    first: date | None
    last: date | None

    @property
    def since(self) -> datetime | None:
        return midnight(self.first, self.zone) if self.first else None

    @property
    def until(self) -> datetime | None:
        """Return the moment after its end."""
        return midnight(self.last + timedelta(days=1), self.zone) if self.last else None

    @property
    def day_began_at(self) -> datetime:
        """Return when the current day began."""
        return midnight(self.today, self.zone)

    def cycles(self, company_id: int) -> "QuerySet[TrackingCycle]":
        """Return the company's cycles that were queued in the span, unordered."""
        return TrackingCycle.objects.for_company(company_id).order_by().filter(self.holds())

    def holds(self, moment: str = "queued_at") -> Q:
        """Return the condition that a field lies in the span."""
        condition = Q()
        if since := self.since:
            condition &= Q(**{f"{moment}__gte": since})
        if until := self.until:
            condition &= Q(**{f"{moment}__lt": until})
        return condition


def span_of(asked: Asked, *, zone: ZoneInfo, now: datetime) -> Span:
    """Return the span of the parameters; a moment stands for its day in the zone.

    Raises DashboardUnfiltered, and DashboardDatesReversed if the last day is before the first.
    """
    first, last = _day(asked.date_from, zone), _day(asked.date_to, zone)
    if not asked.days and first is None and last is None:
        raise DashboardUnfiltered
    if first and last and last < first:
        raise DashboardDatesReversed
    today = now.astimezone(zone).date()
    if asked.days:
        earliest = today - timedelta(days=asked.days - 1)
        first = max(first, earliest) if first else earliest
    return Span(zone, today, first, last)


def _day(value: date | None, zone: ZoneInfo) -> date | None:
    if isinstance(value, datetime):
        return (value.astimezone(zone) if value.tzinfo else value).date()
    return value


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the first moment of a day in a zone."""
    return datetime.combine(day, time.min, zone)
