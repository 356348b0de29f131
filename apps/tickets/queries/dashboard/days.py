"""Which days of a span have kept sums (rules/dashboard §8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Q, QuerySet

from apps.tickets.models import DaySums, TrackingCycle
from apps.tickets.queries.dashboard.spans import Span

# Days before that many gaps are read from their cycles, kept or not: each gap is a part of the
# statement.
MOST_GAPS = 16
# None is an open end.
Gap = tuple[datetime | None, datetime | None]


@dataclass(frozen=True)
class Cover:
    """The kept days of a span, with their new contacts, and the gaps between; the latest first."""

    company_id: int
    span: Span
    # The first moment of the kept days, and the moment after the last.
    since: datetime | None
    until: datetime | None
    leads: int
    gaps: Sequence[Gap]

    def unkept(self) -> "QuerySet[TrackingCycle]":
        """Return the cycles that were queued in the gaps, unordered."""
        cycles = TrackingCycle.objects.for_company(self.company_id).order_by()
        if (None, None) in self.gaps:
            return cycles
        return cycles.filter(reduce(or_, map(_within, self.gaps))) if self.gaps else cycles.none()


def cover_of(company_id: int, span: Span) -> Cover:
    """Return which days of a company's span are kept, in one query."""
    rows = _rows(company_id, span).filter(leads__isnull=False).order_by("-since")
    gaps: list[Gap] = []
    first = end = None
    leads, until = 0, span.until
    for day_since, day_until, day_leads in rows.values_list("since", "until", "leads"):
        if until is None or day_until < until:
            if len(gaps) == MOST_GAPS - 1:
                break
            gaps.append((day_until, until))
        first, end, until = day_since, end or day_until, day_since
        leads += day_leads or 0
    if span.since is None or until is None or span.since < until:
        gaps.append((span.since, until))
    return Cover(company_id, span, first, end, leads, gaps)


def _rows(company_id: int, span: Span) -> "QuerySet[DaySums]":
    rows = DaySums.objects.for_company(company_id).filter(zone=span.zone.key)
    if since := span.since:
        rows = rows.filter(since__gte=since)
    if until := span.until:
        rows = rows.filter(until__lte=until)
    return rows


def _within(gap: Gap) -> Q:
    since, until = gap
    condition = Q()
    if since:
        condition &= Q(queued_at__gte=since)
    if until:
        condition &= Q(queued_at__lt=until)
    return condition
