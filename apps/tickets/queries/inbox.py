"""The inbox: lists of tickets and how many they hold (rules/tickets §9)."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from apps.accounts.models import User, UserQueue
from apps.common.compiled_queries import CompiledQuery
from apps.common.counts import kept_count
from apps.companies.queries import setting_of, zone_of
from apps.connections.models import ProviderKind
from apps.tickets.models import Ticket, TicketStatus, TicketTag
from apps.tickets.owners import LAST_LED_ELSEWHERE
from apps.tickets.queries.access import Sight, sight_of
from apps.tickets.queries.search import Found, Ids, search_tickets

PAGE_SIZE = 40
# How long an official number may send free text after the contact wrote (rules/messages §4), and
# the end of that time for which lists and notifications warn (rules/tickets §15).
WINDOW = timedelta(hours=24)
CLOSING = timedelta(hours=1)
LIVE = [TicketStatus.OPEN.value, TicketStatus.PENDING.value]
ORDER = ("-updated_at", "-id")
DEADLINE = ("sla_due_at", "id")
LONGEST_WAITING = ("-woken", "priority", "queued_at", "id")
# Pages that begin up to here use a compiled query; deeper pages are rare.
KEPT_STARTS = 400


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
    # Whether tickets that only a campaign began are in the list: "true", "false" or "only"; by
    # default in a search alone.
    unanswered_campaigns: str = ""
    # Only tickets whose window closes within the hour and whose contact waits.
    window_closing: bool = False
    # Whether snoozed tickets are in the list: "true" (default), "false" or "only".
    snoozed: str = ""
    # "" or "updated": newest first; "nearest_deadline"; "longest_waiting": what was woken, then by
    # priority, then the longest wait first.
    order: str = ""


@dataclass(frozen=True)
class Shape:
    """The parts of a request that decide the form of the inbox's condition; see `Values`."""

    status: str
    whole_company: bool
    is_admin: bool
    without_queue: str
    asks_queues: bool
    sends_own: bool
    by_users: bool
    unread_only: bool
    # For the board: "every" lane, tickets without a lane ("none"), or "one" lane.
    lane: str = ""
    # Whether and how a text search narrows the list.
    by_found: bool = False
    unanswered_campaigns: str = "false"
    longest_waiting: bool = False
    # Of the list by the nearest deadline: the tickets "with" one, or those "without".
    deadline: str = ""
    window_closing: bool = False
    snoozed: str = "true"

    @property
    def order(self) -> tuple[str, ...]:
        if self.deadline == "with":
            return DEADLINE
        return LONGEST_WAITING if self.longest_waiting else ORDER


@dataclass(frozen=True)
class Values:
    """The ids in the inbox's condition, or the placeholders that stand for them.

    `queue_ids` are those whose waiting tickets count, `held_ids` those whose held ones do.
    """

    company_id: Any
    user_id: Any
    queue_ids: Any
    held_ids: Any
    user_ids: Any
    lane_id: Any = 0
    found_contact_ids: Any = ()
    found_ticket_ids: Any = ()
    # When the contact wrote, of a window that closes within the hour.
    heard_after_moment: Any = None
    heard_until_moment: Any = None


VALUES = tuple(each.name for each in fields(Values))


@dataclass(frozen=True)
class Inbox:
    """Tickets in the order of their shape, and how they are counted."""

    shape: Shape
    values: Values
    # Conditions that no compiled query has: days, tags, and a text with too many matches.
    narrowed: Q = field(default_factory=Q)
    # The result of the text search; None without one.
    found: Found | None = None
    # The nearest deadline first, whatever the shape says.
    by_deadline: bool = False

    @property
    def tickets(self) -> "QuerySet[Ticket]":
        return tickets_of(self.shape, self.values).filter(self.narrowed).order_by(*self.shape.order)

    @property
    def _key(self) -> Hashable:
        ids = map(str, vars(self.values).values())
        return self.shape, *ids, str(self.narrowed) if self.narrowed else ""

    def page(self, start: int) -> list[int]:
        """Return the ids of the page that begins at `start`, and one more when there are more.

        They are cut inside one index; joined first, a deep page would read every row.
        """
        if self.by_deadline:
            return self._page_by_deadline(start)
        if self.narrowed or start > KEPT_STARTS or start % PAGE_SIZE:
            return list(self.tickets.values_list("pk", flat=True)[start : start + PAGE_SIZE + 1])
        rows = _page_of(self.shape, start).rows(**vars(self.values))
        return [pk for (pk,) in rows]

    def _page_by_deadline(self, start: int) -> list[int]:
        """Return such a page: tickets with a deadline, then the others by their last change.

        Each of the two has an index. Three statements at most.
        """
        part = replace(self, shape=replace(self.shape, deadline="with"), by_deadline=False)
        ids = part.page(start)
        missing = PAGE_SIZE + 1 - len(ids)
        if not missing:
            return ids
        before = start + len(ids) if ids or not start else part.counted()
        others = replace(part, shape=replace(self.shape, deadline="without"))
        return [*ids, *others.page(max(start - before, 0))[:missing]]

    def count(self, start: int, fetched: int) -> int:
        """Return the list's length, given that `fetched` rows of PAGE_SIZE + 1 began at `start`."""
        if fetched <= PAGE_SIZE and (fetched or not start):
            return start + fetched
        if self.found is not None and not self.found.is_countable:
            return start + fetched
        return kept_count(self._key, self.counted)

    def counted(self) -> int:
        """Return the list's length, counted now."""
        if self.narrowed:
            return self.tickets.order_by().count()
        return sum(count for (count,) in _count_of(self.shape).rows(**vars(self.values)))


@lru_cache(maxsize=1024)
def _page_of(shape: Shape, start: int) -> CompiledQuery:
    def build(**placeholders: RawSQL) -> "QuerySet[Ticket, Any]":
        values = Values(**placeholders)
        tickets = tickets_of(shape, values).order_by(*shape.order)
        return tickets.values_list("pk")[start : start + PAGE_SIZE + 1]

    return CompiledQuery(build, takes=VALUES, keeps_plan=False)


@lru_cache(maxsize=256)
def _count_of(shape: Shape) -> CompiledQuery:
    def build(**placeholders: RawSQL) -> "QuerySet[Ticket, Any]":
        values = Values(**placeholders)
        tickets = tickets_of(shape, values).order_by()
        counted: QuerySet[Ticket, Any] = tickets.values("company_id").annotate(Count("pk"))
        return counted.values_list("pk__count")

    return CompiledQuery(build, takes=VALUES, keeps_plan=False)


def inbox_for(user: User, filters: InboxFilters, *, lane: str = "", lane_id: int = 0) -> Inbox:
    """Return the user's inbox under these filters and in their order.

    Without `show_all`: what the user holds, and what waits in the user's queues, unless the role
    shows only the former. Takes one to five
    small queries, whatever the size of the inbox. `lane` is `Shape.lane`, for the board.
    """
    found = None
    if filters.search.strip():
        hides = not user.sees_full_numbers
        found = search_tickets(user.company_id, filters.search, hides=hides)
    sight = sight_of(user)
    is_admin = sight == Sight.ALL
    # A program holds nothing and is in no queue.
    shows_all = filters.show_all or user.person is None
    whole_company = shows_all and (
        is_admin
        or (sight == Sight.QUEUES and setting_of(user.company_id, "allowToSpyMessage") == "enabled")
    )
    asked: Sequence[int] = filters.queue_ids or ()
    held, sends_own = asked, False
    if not whole_company:
        links = UserQueue.objects.filter(user_id=user.pk).values_list("queue_id", flat=True)
        own = frozenset(links if sight != Sight.OWN else ())
        waiting = own if filters.queue_ids is None else own & frozenset(asked)
        # Without a filter older browsers send all own queues and never `withoutQueue`. That must
        # not hide tickets that the user holds in a queue of which the user is no longer a member.
        sends_own = waiting == own and not filters.without_queue
        # An admin may ask for every queue.
        asked, held = tuple(waiting), asked if is_admin else tuple(waiting)
    shape = Shape(
        status=filters.status,
        whole_company=whole_company,
        is_admin=is_admin,
        without_queue=filters.without_queue,
        asks_queues=filters.queue_ids is not None,
        sends_own=sends_own,
        by_users=bool(filters.users),
        unread_only=filters.unread_only,
        lane=lane,
        by_found=found is not None and isinstance(found.narrowed, Ids),
        unanswered_campaigns=filters.unanswered_campaigns
        or ("true" if filters.search else "false"),
        longest_waiting=filters.order == "longest_waiting",
        window_closing=filters.window_closing,
        snoozed=filters.snoozed or "true",
    )
    values = Values(
        company_id=user.company_id,
        user_id=user.pk,
        queue_ids=_sorted(asked),
        held_ids=_sorted(held),
        user_ids=_sorted(filters.users),
        lane_id=lane_id,
    )
    if filters.window_closing:
        after, until = closing_windows(timezone.now())
        values = replace(values, heard_after_moment=after, heard_until_moment=until)
    if found is not None and isinstance(found.narrowed, Ids):
        values = replace(
            values,
            found_contact_ids=found.narrowed.contacts,
            found_ticket_ids=found.narrowed.tickets,
        )
    narrowed = _days(user, filters)
    for tag_id in set(filters.tags):
        narrowed &= Q(Exists(TicketTag.objects.filter(ticket_id=OuterRef("pk"), tag_id=tag_id)))
    if found is not None and isinstance(found.narrowed, Q):
        narrowed &= found.narrowed
    by_deadline = filters.order == "nearest_deadline"
    return Inbox(shape, values, narrowed, found, by_deadline)


def _sorted(ids: Iterable[int]) -> list[int]:
    return sorted(set(ids))


def inbox_counts(user: User, filters: InboxFilters) -> dict[str, int]:
    """Return how many open and pending tickets the filters give; their own status is ignored.

    `unread` are those of them that the user has not read.
    """
    inbox = inbox_for(user, filters)
    if inbox.narrowed:
        found = list(_by_status(inbox.tickets, user.pk))
    else:
        found = _live_count_of(inbox.shape).rows(**vars(inbox.values))
    counts = {status: count for status, count, _ in found}
    return {**dict.fromkeys(LIVE, 0), **counts, "unread": sum(unread for *_, unread in found)}


def _by_status(tickets: "QuerySet[Ticket]", user_id: Any) -> "QuerySet[Ticket, Any]":
    live: QuerySet[Ticket, Any] = tickets.filter(status__in=LIVE).order_by().values_list("status")
    return live.annotate(count=Count("pk"), unread=Count("pk", filter=_is_unread(user_id)))


def _is_unread(user_id: Any) -> Q:
    is_marked = Q(is_handed_over=True) & ~Q(handed_over_by_id=user_id)
    return Q(unread_count__gt=0) | is_marked


@lru_cache(maxsize=256)
def _live_count_of(shape: Shape) -> CompiledQuery:
    def build(**placeholders: RawSQL) -> "QuerySet[Ticket, Any]":
        values = Values(**placeholders)
        return _by_status(tickets_of(shape, values), values.user_id)

    return CompiledQuery(build, takes=VALUES, keeps_plan=False)


def tickets_of(shape: Shape, values: Values) -> "QuerySet[Ticket]":
    """Return the tickets of an inbox; `values` may be placeholders of a `CompiledQuery`."""
    condition = _whole_company(shape, values) if shape.whole_company else _own(shape, values)
    if shape.status:
        condition &= Q(status=shape.status)
    if shape.by_users:
        condition &= Q(user_id__among=values.user_ids)
    if shape.unread_only:
        condition &= _is_unread(values.user_id)
    if shape.unanswered_campaigns != "true":
        # Not `unanswered_campaign=False`: for `NOT column` SQLite uses no index.
        condition &= Q(unanswered_campaign__in=[shape.unanswered_campaigns == "only"])
    if shape.snoozed != "true":
        condition &= Q(snoozed_at__isnull=shape.snoozed == "false")
    if shape.deadline:
        condition &= Q(sla_due_at__isnull=shape.deadline == "without")
    if shape.window_closing:
        condition &= closes_soon(values.heard_after_moment, values.heard_until_moment)
    if shape.by_found:
        of_contacts = Q(contact_id__among=values.found_contact_ids)
        condition &= of_contacts | Q(pk__among=values.found_ticket_ids)
    tickets = Ticket.objects.for_company(values.company_id).filter(condition)
    return _in_lane(tickets, shape, values) if shape.lane else tickets


def closing_windows(now: datetime) -> tuple[datetime, datetime]:
    """Return after and until when a contact wrote whose 24-hour window closes within the hour.

    In whole minutes, rounded up, so that calls of one minute ask the same.
    """
    minute = now.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return minute - WINDOW, minute - WINDOW + CLOSING


def closes_soon(after: Any, until: Any) -> Q:
    """Return the condition of tickets whose contact wrote last, in that time, to an official
    number.
    """
    return (
        Q(
            # This repeats the index condition, so that the partial index is used.
            status__in=LIVE,
            last_inbound_at__gt=after,
            last_inbound_at__lte=until,
            connection__provider=ProviderKind.OFFICIAL,
            latest_message__from_me=False,
        )
        & ~LAST_LED_ELSEWHERE
    )


def _own(shape: Shape, values: Values) -> Q:
    in_queues = _in_queues(shape, values.queue_ids, admits_queueless=shape.is_admin)
    waiting = Q(status=TicketStatus.PENDING) & in_queues
    mine = Q(user_id=values.user_id)
    if shape.asks_queues and not shape.sends_own:
        mine &= _in_queues(shape, values.held_ids, admits_queueless=shape.is_admin)
    elif shape.without_queue == "false":
        mine &= Q(queue__isnull=False)
    elif shape.without_queue == "only":
        mine &= Q(queue__isnull=True)
    if shape.status == TicketStatus.PENDING:
        return waiting
    return mine if shape.status else mine | waiting


def _whole_company(shape: Shape, values: Values) -> Q:
    if shape.asks_queues or shape.without_queue == "only":
        return _in_queues(shape, values.queue_ids, admits_queueless=shape.is_admin)
    return Q(queue__isnull=False) if shape.without_queue == "false" else Q()


def _in_queues(shape: Shape, queue_ids: Any, *, admits_queueless: bool) -> Q:
    queueless = Q(queue__isnull=True)
    in_queues = Q(queue_id__among=queue_ids)
    if shape.without_queue == "only":
        return queueless if admits_queueless or shape.whole_company else Q(pk__in=())
    if admits_queueless and shape.without_queue != "false":
        return in_queues | queueless
    return in_queues


def _in_lane(tickets: "QuerySet[Ticket]", shape: Shape, values: Values) -> "QuerySet[Ticket]":
    tickets = tickets.filter(status__in=[TicketStatus.OPEN, TicketStatus.PENDING])
    links = TicketTag.objects.filter(ticket_id=OuterRef("pk"), tag__is_kanban=True)
    if shape.lane == "none":
        return tickets.exclude(Exists(links))
    if shape.lane == "every":
        return tickets
    # A tag may become a lane while tickets of another lane have it: they stay in the oldest lane.
    tickets = tickets.filter(Exists(links.filter(tag_id=values.lane_id)))
    return tickets.exclude(Exists(links.filter(tag_id__lt=values.lane_id)))


def _days(user: User, filters: InboxFilters) -> Q:
    condition = Q()
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
