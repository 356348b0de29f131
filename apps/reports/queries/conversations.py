"""The conversations of a report, one row each, the latest first (rules/reports §2)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.common.counts import kept_count
from apps.costs.queries.cycles import amounts_in
from apps.costs.queries.ledger import Amount
from apps.reports.measures import band_of
from apps.reports.queries.asked import Asked, Place
from apps.reports.queries.clock import Clock
from apps.tickets.models import TicketTag, TrackingCycle, protocol_of
from apps.tickets.queries.passes import NOTHING, Said, first_answers_of, said_in, times_of

PAGE_SIZE = 40
# Rows of a file that are read, and whose details are, at once.
CHUNK = 500
# Conversations that were worked on in a span were hardly queued longer before it.
LONGEST_BEFORE = timedelta(days=366)
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


class Fact(NamedTuple):
    """What decides whether and where a conversation stands in the list."""

    queued_at: datetime
    id: int
    ticket_id: int
    queue_id: int | None
    first_answer_at: datetime | None
    finished_at: datetime | None

    @property
    def place(self) -> Place:
        return Place(self.queued_at, self.id)


_FACTS = ("queued_at", "pk", "ticket_id", "queue_id", "first_answer_at", "finished_at")


@dataclass(slots=True)
class Stored:
    """What is stored of a conversation, with the names of what it belongs to."""

    id: int
    ticket_id: int
    uuid: UUID
    created_at: datetime
    queue_now_id: int | None
    queue_now_name: str | None
    contact_id: int
    contact_name: str
    contact_number: str
    connection_id: int | None
    connection_name: str | None
    queue_then_id: int | None
    queue_then_name: str | None
    user_id: int | None
    user_name: str | None
    queued_at: datetime
    started_at: datetime | None
    first_answer_at: datetime | None
    finished_at: datetime | None
    rating_asked_at: datetime | None
    rate: int | None
    reason: str


_STORED = (
    *("pk", "ticket_id", "ticket__uuid", "ticket__created_at"),
    *("ticket__queue_id", "ticket__queue__name", "contact_id", "contact__name", "contact__number"),
    *("connection_id", "connection__name", "queue_id", "queue__name", "user_id", "user__name"),
    *("queued_at", "started_at", "first_answer_at", "finished_at"),
    *("rating_asked_at", "rate", "closing_reason"),
)


@dataclass(slots=True, kw_only=True)
class Conversation(Stored):
    """A row of the report; times are in microseconds of its clock, None if one never came."""

    tags: Sequence[str]
    said: Said
    costs: Sequence[Amount]
    wait: int | None = None
    answer: int | None = None
    attendance: int | None = None
    resolution: int | None = None

    def count_times(self, clock: Clock) -> None:
        queue = self.queue_id
        self.wait = clock.between(queue, self.queued_at, self.started_at)
        self.answer = clock.between(queue, self.queued_at, self.first_answer_at)
        self.attendance = clock.between(queue, self.started_at, self.finished_at)
        self.resolution = clock.between(queue, self.queued_at, self.finished_at)

    @property
    def state(self) -> str:
        if self.finished_at is not None:
            return "resolved"
        return "waiting" if self.started_at is None else "open"

    @property
    def protocol(self) -> str:
        return protocol_of(self.created_at, self.ticket_id)

    @property
    def queue_id(self) -> int | None:
        """Return the queue for which it counts; until it is resolved that of its ticket."""
        return self.queue_now_id if self.finished_at is None else self.queue_then_id

    @property
    def queue_name(self) -> str | None:
        return self.queue_now_name if self.finished_at is None else self.queue_then_name


class Page(NamedTuple):
    """A page; `next` is where the one after it begins, None after the last."""

    conversations: list[Conversation]
    next: Place | None


def count_of(asked: Asked, first: Page) -> int | None:
    """Return how many conversations there are; None where the database cannot count them.

    `first` is their first page: where there is no other one, nothing is counted. A large count is
    cached for a moment.
    """
    if asked.sieves_bands:
        return None
    if first.next is None:
        return len(first.conversations)
    parts = asked.cycles()
    key = ("reports", *(str(each.query) for each in parts))
    return kept_count(key, lambda: sum(each.count() for each in parts))


def page_of(asked: Asked, after: Place | None = None) -> Page:
    """Return the page after a place, in at most eleven queries.

    No conversation before the place is read, however deep the page is.
    """
    clock = clock_of(asked)
    found = list(islice(_facts(asked, clock, after=after, most=PAGE_SIZE + 1), PAGE_SIZE + 1))
    shown = found[:PAGE_SIZE]
    beyond = shown[-1].place if len(found) > PAGE_SIZE else None
    return Page(_detailed(shown, clock), beyond)


def conversations_of(asked: Asked) -> Iterator[Conversation]:
    """Yield all conversations; only a part of them is in memory at any time.

    One that is queued anew meanwhile may be left out; none comes twice.
    """
    clock = clock_of(asked)
    facts = _facts(asked, clock)
    while part := list(islice(facts, CHUNK)):
        yield from _detailed(part, clock)


def clock_of(asked: Asked) -> Clock:
    """Return the clock by which the times of the conversations are counted."""
    since = asked.span.since or _BEGINNING
    if asked.only is not None:
        since -= LONGEST_BEFORE
    return Clock(asked.company_id, since, by_hours=asked.by_hours)


def _facts(
    asked: Asked, clock: Clock, *, after: Place | None = None, most: int | None = None
) -> Iterator[Fact]:
    """Yield the facts of conversations after a place; `most` bounds what is read for a page."""
    if most is not None and not asked.sieves_bands:
        streams = [
            map(Fact._make, _ordered(cycles, _FACTS, after)[:most]) for cycles in asked.cycles()
        ]
        last = None
        for fact in merge(*streams, key=lambda fact: (fact.queued_at, fact.id), reverse=True):
            if fact.id != last:  # else it finished between two statements
                yield fact
            last = fact.id
        return
    for fact in map(Fact._make, walk(asked.all_cycles(), _FACTS, after)):
        if asked.sieves_bands:
            answer = clock.between(fact.queue_id, fact.queued_at, fact.first_answer_at)
            if band_of(answer) != asked.band:
                continue
        yield fact


def walk(
    cycles: "QuerySet[TrackingCycle]", columns: Sequence[str], after: Place | None = None
) -> Iterator[tuple[Any, ...]]:
    """Yield columns of cycles after a place, the latest first; the first two are `queued_at` and
    `pk`.

    Every `CHUNK` rows are a statement of their own that starts after the last row. So memory use
    stays constant, also where a pooler allows no cursors, and no transaction stays open while a
    slow client reads.
    """
    while rows := list(_ordered(cycles, columns, after)[:CHUNK]):
        yield from rows
        if len(rows) < CHUNK:
            return
        after = Place(*rows[-1][:2])


def _ordered(
    cycles: "QuerySet[TrackingCycle]", columns: Sequence[str], after: Place | None
) -> "QuerySet[TrackingCycle, Any]":
    if after is not None:
        # The first condition is the index's.
        cycles = cycles.filter(
            Q(queued_at__lt=after.queued_at) | Q(pk__lt=after.id), queued_at__lte=after.queued_at
        )
    return cycles.order_by("-queued_at", "-pk").values_list(*columns)


def _detailed(facts: Sequence[Fact], clock: Clock) -> list[Conversation]:
    """Return the rows of some conversations, in their order, in six queries."""
    if not facts:
        return []
    rows = TrackingCycle.objects.filter(pk__in=[fact.id for fact in facts]).order_by()
    stored = {row[0]: row for row in rows.values_list(*_STORED)}
    tickets = {fact.ticket_id for fact in facts}
    times = times_of(stored)
    # Of the others it is stored.
    answers = first_answers_of([fact.id for fact in facts if fact.finished_at is None])
    tags, said, costs = _tags_of(tickets), said_in(times), amounts_in(times)
    found = []
    for fact in facts:
        row = stored.get(fact.id)
        if row is None:  # deleted meanwhile
            continue
        conversation = Conversation(
            *row,
            tags=tags[fact.ticket_id],
            said=said.get(fact.id, NOTHING),
            costs=costs.get(fact.id, ()),
        )
        if conversation.finished_at is None:
            conversation.first_answer_at = answers.get(fact.id)
        conversation.count_times(clock)
        found.append(conversation)
    return found


def _tags_of(tickets: Iterable[int]) -> defaultdict[int, list[str]]:
    names: defaultdict[int, list[str]] = defaultdict(list)
    links = TicketTag.objects.filter(ticket__in=list(tickets)).order_by("tag__name", "tag_id")
    for ticket_id, name in links.values_list("ticket_id", "tag__name"):
        names[ticket_id].append(name)
    return names
