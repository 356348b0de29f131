"""The dashboard by queue, connection and tag, its ratings, and who waits (rules/dashboard §4)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from apps.connections.models import Connection
from apps.contacts.models import Tag
from apps.queues.models import QUEUE_ORDER, Queue
from apps.tickets.models import Ticket, TicketStatus, TicketTag, TrackingCycle
from apps.tickets.queries.dashboard.days import Cover
from apps.tickets.queries.dashboard.spans import Span
from apps.tickets.queries.dashboard.sums import Sums, added, by_key, grouped, summed

RATES = (1, 2, 3)
TAGGED = TicketTag._meta.db_table


@dataclass(frozen=True)
class Group:
    """The cycles of one queue, connection or tag; without an id those that have none."""

    id: int | None
    name: str
    color: str
    sums: Sums
    # Tickets that wait now; counted for queues only.
    waiting: int = 0


@dataclass(frozen=True)
class Oldest:
    """The ticket that has waited longest; `queue_id` is None while it has no queue."""

    uuid: str
    contact_name: str
    queue_id: int | None
    queued_at: datetime


@dataclass(frozen=True)
class Breakdown:
    """The breakdown's figures, read in five queries."""

    total: Sums
    queues: list[Group]
    connections: list[Group]
    rates: dict[int, int]
    waiting: int
    oldest: Oldest | None


def breakdown_of(cover: Cover) -> Breakdown:
    """Return a company's figures for a span, by queue and connection."""
    company_id = cover.company_id
    rows = summed(cover, "queue_id", "connection_id", "rate")
    by_queue, by_connection, by_rate = (by_key(rows, place) for place in range(3))
    waiting = dict(
        Ticket.objects.for_company(company_id)
        .filter(status=TicketStatus.PENDING)
        .order_by()
        .values_list("queue_id")
        .annotate(Count("pk"))
    )
    queues = Queue.objects.for_company(company_id).order_by(*QUEUE_ORDER)
    connections = Connection.objects.for_company(company_id).order_by("name", "pk")
    return Breakdown(
        total=added(by_connection.values()),
        queues=_groups(queues.values_list("pk", "name", "color"), by_queue, waiting),
        connections=_groups(
            [(pk, name, "") for pk, name in connections.values_list("pk", "name")], by_connection
        ),
        rates={rate: by_rate.get(rate, Sums()).cycles for rate in RATES},
        waiting=sum(waiting.values()),
        oldest=_oldest(company_id),
    )


def tags_of(company_id: int, span: Span) -> list[Group]:
    """Return a company's figures for some days by tag, those that have any, in two queries."""
    # An explicit join: Django would also join each cycle's ticket.
    tagged = span.cycles(company_id).extra(  # noqa: S610  our own text
        select={"tag_id": f"{TAGGED}.tag_id"},
        tables=[TAGGED],
        where=[f"{TAGGED}.ticket_id = {TrackingCycle._meta.db_table}.ticket_id"],
    )
    by_tag = by_key(grouped(tagged, "tag_id"))
    tags = (
        Tag.objects.for_company(company_id)
        .filter(pk__in=[pk for pk in by_tag if pk is not None])
        .order_by("name", "pk")
    )
    return _groups(tags.values_list("pk", "name", "color"), by_tag)


def _groups(
    named: Iterable[tuple[int, str, str]],
    sums: "dict[int | None, Sums]",
    waiting: "dict[int | None, int] | None" = None,
) -> list[Group]:
    """Return the groups by name; the cycles of no group come last."""
    left, still = dict(sums), dict(waiting or {})
    groups = [
        Group(pk, name, color, left.pop(pk, Sums()), still.pop(pk, 0)) for pk, name, color in named
    ]
    rest = added(left.values())
    count = sum(still.values())
    if rest.cycles or count:
        groups.append(Group(None, "", "", rest, count))
    return groups


def _oldest(company_id: int) -> Oldest | None:
    row = (
        TrackingCycle.objects.for_company(company_id)
        .filter(
            started_at__isnull=True, finished_at__isnull=True, ticket__status=TicketStatus.PENDING
        )
        .order_by("queued_at", "pk")
        .values_list("ticket__uuid", "contact__name", "ticket__queue_id", "queued_at")
        .first()
    )
    return None if row is None else Oldest(str(row[0]), *row[1:])
