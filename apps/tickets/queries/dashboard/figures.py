"""The cards, the attendants and the hours of today (rules/dashboard §2 and §3)."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import ExtractHour

from apps.accounts.models import User
from apps.tickets.models import Ticket, TicketStatus, TrackingCycle
from apps.tickets.queries.dashboard.days import Cover
from apps.tickets.queries.dashboard.spans import Span
from apps.tickets.queries.dashboard.sums import Summed, Sums, added, by_key, summed

# As the chart shows them.
HOURS = (*range(1, 24), 0)


@dataclass(frozen=True)
class Attendant:
    """A user with the figures of the user's cycles; `rates` counts ratings by value."""

    id: int
    name: str
    is_online: bool
    sums: Sums
    rates: dict[int, int]


@dataclass(frozen=True)
class Dashboard:
    """The dashboard's figures, read in five queries."""

    pending: int
    happening: int
    total: Sums
    leads: int
    attendants: list[Attendant]
    hours: dict[int, int]


def dashboard_of(cover: Cover, *, now: datetime) -> Dashboard:
    """Return a company's dashboard for some days."""
    company_id = cover.company_id
    live = dict(
        Ticket.objects.for_company(company_id)
        .filter(status__in=[TicketStatus.PENDING, TicketStatus.OPEN])
        .order_by()
        .values_list("status")
        .annotate(Count("pk"))
    )
    rows = summed(cover, "user_id", "rate")
    sums = by_key(rows)
    return Dashboard(
        pending=live.get(TicketStatus.PENDING, 0),
        happening=live.get(TicketStatus.OPEN, 0),
        total=added(sums.values()),
        leads=leads_of(cover),
        attendants=attendants_of(company_id, sums, rates_of(rows), now),
        hours=_hours(company_id, cover.span),
    )


def rates_of(rows: Summed) -> "dict[int | None, dict[int, int]]":
    """Return the count of each rating by attendant, from sums by attendant and rating."""
    rates: dict[int | None, dict[int, int]] = {}
    for (user_id, rate), sums in rows:
        if rate is not None:
            rates.setdefault(user_id, {})[rate] = sums.cycles
    return rates


def leads_of(cover: Cover) -> int:
    """Count the contacts whose first cycle of all was queued in the span."""
    return cover.leads + first_cycles(cover.unkept())


def first_cycles(cycles: "QuerySet[TrackingCycle]") -> int:
    """Count the contacts whose first cycle of all is one of these."""
    earlier = TrackingCycle.objects.filter(
        contact=OuterRef("contact"),
        company=OuterRef("company"),
        queued_at__lt=OuterRef("queued_at"),
    )
    counted = cycles.filter(~Exists(earlier)).aggregate(count=Count("contact_id", distinct=True))
    count: int = counted["count"]
    return count


def attendants_of(
    company_id: int,
    sums: "dict[int | None, Sums]",
    rates: "dict[int | None, dict[int, int]]",
    now: datetime,
) -> list[Attendant]:
    """Return the present users, and former ones with cycles in the span, by name."""
    users = User.objects.for_company(company_id).filter(
        Q(is_active=True) | Q(pk__in=[pk for pk in sums if pk is not None])
    )
    rows = users.order_by("name", "pk").values_list("pk", "name", "is_active", "online_until")
    return [
        Attendant(
            id=pk,
            name=name,
            is_online=is_active and online_until is not None and online_until > now,
            sums=sums.get(pk, Sums()),
            rates=rates.get(pk, {}),
        )
        for pk, name, is_active, online_until in rows
    ]


def _hours(company_id: int, span: Span) -> dict[int, int]:
    """Count the tickets that were created today by the hour of the company's clock."""
    began_at = span.day_began_at
    # A ticket created today was also changed today, and the index is on the change.
    tickets = Ticket.objects.for_company(company_id).filter(
        updated_at__gte=began_at, created_at__gte=began_at, unanswered_campaign=False
    )
    counts = dict(
        tickets.order_by()
        .annotate(hour=ExtractHour("created_at", tzinfo=span.zone))
        .values_list("hour")
        .annotate(Count("pk"))
    )
    return {hour: counts.get(hour, 0) for hour in HOURS}
