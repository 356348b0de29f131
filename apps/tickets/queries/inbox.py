"""The inbox: lists of tickets and how many they hold (specification 4 §4.4)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from apps.accounts.models import User, UserQueue
from apps.companies.queries import setting_of, zone_of
from apps.tickets.models import Ticket, TicketStatus, TicketTag
from apps.tickets.queries.access import reads_whole_company
from apps.tickets.queries.search import Found, search_tickets

PAGE_SIZE = 40
ORDER = ("-updated_at", "-id")
# Counting 20,000 closed tickets costs more than reading a page of them, so a large count is kept
# for a moment; small ones, which people watch change, are always exact.
LARGE_COUNT = 1000
LARGE_COUNT_SECONDS = 15.0
_large_counts: dict[str, tuple[float, int]] = {}


@dataclass(frozen=True, kw_only=True)
class InboxFilters:
    """What narrows the inbox; of a datetime the day in the company's zone counts."""

    status: str = ""
    show_all: bool = False
    queue_ids: Sequence[int] | None = None
    without_queue: str = ""
    search: str = ""
    tags: Sequence[int] = ()
    users: Sequence[int] = ()
    created_on: date | None = None
    updated_on: date | None = None
    unread_only: bool = False


@dataclass(frozen=True)
class Inbox:
    """Tickets in order, newest first, and how they are counted."""

    tickets: "QuerySet[Ticket]"
    key: str
    # What a text search found; None without one.
    found: Found | None = field(default=None)

    def page(self, start: int) -> list[int]:
        """Return the ids of the page that begins at `start`, and one more when there are more.

        They are cut inside one index; joined first, a deep page would read every row.
        """
        return list(self.tickets.values_list("pk", flat=True)[start : start + PAGE_SIZE + 1])

    def count(self, start: int, fetched: int) -> int:
        """Return the list's length, given that `fetched` rows of PAGE_SIZE + 1 began at `start`."""
        if fetched <= PAGE_SIZE and (fetched or not start):
            return start + fetched
        if self.found is not None and not self.found.is_countable:
            return start + fetched
        known = _large_counts.get(self.key)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        count = self.tickets.order_by().count()
        if count >= LARGE_COUNT:
            if len(_large_counts) >= 10_000:
                _large_counts.clear()
            _large_counts[self.key] = (time.monotonic() + LARGE_COUNT_SECONDS, count)
        return count


def inbox_for(user: User, filters: InboxFilters) -> Inbox:
    """Return the user's inbox under these filters, newest first.

    Without `show_all`: what the user holds, and what waits in the user's queues. Takes one to five
    small queries, whatever the size of the inbox.
    """
    condition = _scope(user, filters) & _narrowed(user, filters)
    tickets = Ticket.objects.for_company(user.company_id).filter(condition)
    for tag_id in set(filters.tags):
        tagged = TicketTag.objects.filter(ticket_id=OuterRef("pk"), tag_id=tag_id)
        tickets = tickets.filter(Exists(tagged))
    found = None
    if filters.search.strip():
        found = search_tickets(user.company_id, filters.search)
        tickets = tickets.filter(found.condition)
    key = f"{user.company_id} {condition} {filters}"
    return Inbox(tickets.order_by(*ORDER), key, found)


def inbox_counts(user: User, filters: InboxFilters) -> dict[str, int]:
    """Return how many open and pending tickets the filters give; their own status is ignored."""
    live = [TicketStatus.OPEN.value, TicketStatus.PENDING.value]
    found = (
        inbox_for(user, filters)
        .tickets.filter(status__in=live)
        .order_by()
        .values_list("status")
        .annotate(count=Count("pk"))
    )
    return {**dict.fromkeys(live, 0), **dict(found)}


def _scope(user: User, filters: InboxFilters) -> Q:
    is_admin = reads_whole_company(user)
    if filters.show_all and (
        is_admin or setting_of(user.company_id, "allowToSpyMessage") == "enabled"
    ):
        return _whole_company(filters, is_admin)
    own = frozenset(UserQueue.objects.filter(user_id=user.pk).values_list("queue_id", flat=True))
    asked = own if filters.queue_ids is None else own & frozenset(filters.queue_ids)
    in_queues = _in_queues(filters, asked, admits_queueless=is_admin)
    waiting = Q(status=TicketStatus.PENDING) & in_queues
    mine = Q(user_id=user.pk)
    # Older browsers send all own queues, and never `withoutQueue`, when nothing is narrowed; what
    # one holds in a queue that one was moved out of must not vanish by it.
    sends_own = asked == own and not filters.without_queue
    if filters.queue_ids is not None and not sends_own:
        # Every queue is an admin's to ask for.
        held = frozenset(filters.queue_ids) if is_admin else asked
        mine &= _in_queues(filters, held, admits_queueless=is_admin)
    elif filters.without_queue == "false":
        mine &= Q(queue__isnull=False)
    elif filters.without_queue == "only":
        mine &= Q(queue__isnull=True)
    if filters.status == TicketStatus.PENDING:
        return waiting
    return mine if filters.status else mine | waiting


def _whole_company(filters: InboxFilters, is_admin: bool) -> Q:
    if filters.queue_ids is not None or filters.without_queue == "only":
        asked = frozenset(filters.queue_ids or ())
        return _in_queues(filters, asked, admits_queueless=is_admin)
    return Q(queue__isnull=False) if filters.without_queue == "false" else Q()


def _in_queues(filters: InboxFilters, queue_ids: frozenset[int], *, admits_queueless: bool) -> Q:
    queueless = Q(queue__isnull=True)
    in_queues = Q(queue_id__in=sorted(queue_ids))
    if filters.without_queue == "only":
        return queueless if admits_queueless or filters.show_all else Q(pk__in=())
    if admits_queueless and filters.without_queue != "false":
        return in_queues | queueless
    return in_queues


def _narrowed(user: User, filters: InboxFilters) -> Q:
    condition = Q()
    if filters.status:
        condition &= Q(status=filters.status)
    if filters.users:
        condition &= Q(user_id__in=sorted(set(filters.users)))
    if filters.unread_only:
        condition &= Q(unread_count__gt=0)
    if filters.created_on or filters.updated_on:
        zone = zone_of(user.company_id)
        for column, asked in (
            ("created_at", filters.created_on),
            ("updated_at", filters.updated_on),
        ):
            day = asked
            if isinstance(day, datetime):
                day = (day.astimezone(zone) if day.tzinfo else day).date()
            if day is not None:
                start = datetime(day.year, day.month, day.day, tzinfo=zone)
                condition &= Q(**{f"{column}__gte": start})
                condition &= Q(**{f"{column}__lt": start + timedelta(days=1)})
    return condition
