"""What happened to a company's tickets in a span, read for a rehearsal (rules/desk §16).

Cycles come in the order in which they began, in parts: no more than a part's messages and lines are
in memory at once. Only columns that a rehearsal needs are read.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q

from apps.desk.decisions.assignment import GIVEN, Why
from apps.desk.decisions.stories import Past, Story
from apps.desk.models import AssignmentLog, Seat
from apps.desk.queries.happenings import Cycle, Names, Raw, happenings_of
from apps.desk.queries.sla import tags_of
from apps.tickets.models import (
    Message,
    MessageSource,
    TicketActivity,
    TicketActivityKind,
    TrackingCycle,
)

PART = 400
# What people had at the begin of the span: cycles that began so long before it.
BEFORE = timedelta(days=7)
# The latest ones of a span that has more.
MOST_STORIES = 300_000
# Of one ticket: the first ones.
MOST_ROWS = 2000
# How long before the span somebody may have served a contact who comes again.
LONGEST_MEMORY = timedelta(days=90)
# Rows of one transaction have moments that differ a little.
SLACK = timedelta(seconds=2)
_KINDS = (
    *(TicketActivityKind.ACCEPTED, TicketActivityKind.RETURNED, TicketActivityKind.TRANSFERRED),
    *(TicketActivityKind.REOPENED, TicketActivityKind.QUEUED, TicketActivityKind.BOT_ENDED),
    *(TicketActivityKind.CONTROL_PASSED, TicketActivityKind.CONTROL_TAKEN),
    *(TicketActivityKind.TOOK_CONTROL, TicketActivityKind.GAVE_CONTROL),
    *(TicketActivityKind.PRIORITIZED, TicketActivityKind.SNOOZED, TicketActivityKind.WOKEN),
    TicketActivityKind.RATED,
)
_CYCLE = (
    *("pk", "ticket", "contact", "queue", "user", "queued_at", "started_at", "finished_at"),
    *("ticket__created_at", "ticket__queue", "ticket__connection", "ticket__priority"),
    *("ticket__status", "ticket__chatbot", "ticket__use_integration", "ticket__prompt"),
)


@dataclass
class Stories:
    """The cycles of a company that began in a span, or were open at its begin.

    `has_texts` reads what messages say; `has_pasts` who served a contact before the span.
    """

    company_id: int
    since: datetime
    until: datetime
    has_texts: bool = False
    has_pasts: bool = False
    _ids: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        cycles = TrackingCycle.objects.for_company(self.company_id).filter(
            Q(finished_at=None) | Q(finished_at__gte=self.since),
            queued_at__gte=self.begin,
            queued_at__lt=self.until,
        )
        # A cycle that came back to its queue has the moment of that; the ids keep the order.
        self._ids = sorted(cycles.order_by().values_list("pk", flat=True))[-MOST_STORIES:]
        self._names = Names(self.company_id)
        log = AssignmentLog.objects.for_company(self.company_id)
        self._has_log = log.filter(at__gte=self.begin).exists()
        skills = Seat.skills.through._default_manager.filter(seat__company=self.company_id)
        self._skills = frozenset(skills.values_list("tag_id", flat=True))
        first = Message.objects.for_company(self.company_id).filter(created_at__gte=self.begin)
        # Messages before this one are not asked for, however long a ticket's past is.
        self._first_id = first.order_by("created_at").values_list("pk", flat=True).first() or 0
        self._seen: set[int] = set()

    @property
    def begin(self) -> datetime:
        return self.since - BEFORE

    def __len__(self) -> int:
        return len(self._ids)

    def parts(self) -> Iterator[list[Story]]:
        """Yield stories in order, a part at a time."""
        for start in range(0, len(self._ids), PART):
            yield self._part(self._ids[start : start + PART])

    def _part(self, ids: list[int]) -> list[Story]:
        rows = TrackingCycle.objects.filter(pk__in=ids).order_by("pk").values_list(*_CYCLE)
        cycles = [Cycle(*row) for row in rows]
        tickets = {each.ticket_id for each in cycles}
        raw: defaultdict[int, list[Raw]] = defaultdict(list)
        reopened = self._read_lines(tickets, raw)
        self._date(cycles, reopened)
        if self._has_log:
            self._read_log(tickets, raw)
        self._read_messages(tickets, min(each.began_at for each in cycles) - SLACK, raw)
        tags = tags_of(tickets)
        pasts = self._pasts(cycles) if self.has_pasts else {}
        stories = [
            self._story(each, raw[each.ticket_id], frozenset(tags.get(each.ticket_id, ())), pasts)
            for each in cycles
        ]
        return sorted(stories, key=lambda each: (each.began_at, each.id))

    def _story(
        self, cycle: Cycle, raw: list[Raw], tag_ids: frozenset[int], pasts: dict[int, Past]
    ) -> Story:
        end = cycle.finished_at or self.until
        # Contacts rate what has ended.
        rated = cycle.next_end or self.until
        own = [
            each
            for each in raw
            if cycle.began_at - SLACK <= each.at <= end + SLACK
            or (self.has_texts and each.kind == TicketActivityKind.RATED and end < each.at < rated)
        ]
        found = happenings_of(cycle, own, self._names, has_texts=self.has_texts)
        return Story(
            id=cycle.id,
            ticket_id=cycle.ticket_id,
            contact_id=cycle.contact_id,
            began_at=cycle.began_at,
            opened_at=cycle.opened_at,
            queue_id=found.queue_id,
            connection_id=cycle.connection_id,
            priority=found.priority,
            tag_ids=tag_ids,
            skills=tag_ids & self._skills,
            is_led=found.is_led,
            counts=cycle.began_at >= self.since,
            past=pasts.get(cycle.contact_id),
            happenings=found.happenings,
        )

    def _read_lines(
        self, tickets: Collection[int], raw: dict[int, list[Raw]]
    ) -> dict[int, list[datetime]]:
        """Read lines of activity; return when tickets were reopened."""
        reopened: defaultdict[int, list[datetime]] = defaultdict(list)
        lines = TicketActivity.objects.filter(
            ticket__in=tickets,
            kind__in=_KINDS,
            created_at__gte=self.begin - BEFORE,
            created_at__lt=self.until,
        )
        columns = ("ticket", "created_at", "kind", "actor", "detail")
        for ticket_id, at, kind, actor_id, detail in lines.order_by("pk").values_list(*columns):
            if kind == TicketActivityKind.REOPENED:
                reopened[ticket_id].append(at)
            raw[ticket_id].append(Raw(at, kind, actor_id, detail))
        return reopened

    def _date(self, cycles: Iterable[Cycle], reopened: dict[int, list[datetime]]) -> None:
        """Find when cycles began; one that came back to its queue has another moment."""
        last_end: dict[int, datetime] = {}
        ids = [each.ticket_id for each in cycles]
        ended = TrackingCycle.objects.filter(ticket__in=ids, finished_at__isnull=False)
        ends: defaultdict[int, list[tuple[int, datetime]]] = defaultdict(list)
        for ticket_id, pk, at in ended.order_by("pk").values_list("ticket", "pk", "finished_at"):
            if at is not None:
                ends[ticket_id].append((pk, at))
        for cycle in cycles:
            before = [at for pk, at in ends[cycle.ticket_id] if pk < cycle.id]
            last_end[cycle.id] = max(before, default=cycle.opened_at - SLACK)
            later = [at for pk, at in ends[cycle.ticket_id] if pk > cycle.id]
            cycle.next_end = min(later, default=None)
            begins = [
                at
                for at in (cycle.opened_at, *reopened.get(cycle.ticket_id, ()))
                if last_end[cycle.id] - SLACK <= at <= cycle.queued_at + SLACK
            ]
            cycle.began_at = min(min(begins, default=cycle.queued_at), cycle.queued_at)

    def _read_log(self, tickets: Collection[int], raw: dict[int, list[Raw]]) -> None:
        lines = AssignmentLog.objects.filter(ticket__in=tickets, at__lt=self.until).order_by("pk")
        columns = ("ticket", "at", "from_user", "to_user", "why", "queue")
        for ticket_id, at, from_id, to_id, why, queue_id in lines.values_list(*columns):
            is_own = why in GIVEN or (to_id is None and why in (Why.UNANSWERED, Why.OFFLINE))
            raw[ticket_id].append(Raw(at, "hands", to_id, (from_id, is_own, queue_id)))

    def _read_messages(
        self, tickets: Collection[int], since: datetime, raw: dict[int, list[Raw]]
    ) -> None:
        messages = Message.objects.filter(
            ticket__in=tickets,
            pk__gte=self._first_id,
            created_at__gte=since,
            created_at__lt=self.until,
        ).exclude(source=MessageSource.OTHER)
        columns = ["ticket", "created_at", "from_me", "source", "media_type"]
        if self.has_texts:
            columns.append("body")
        for ticket_id, at, from_me, source, media, *text in (
            messages.order_by("pk").values_list(*columns).iterator(chunk_size=2000)
        ):
            if len(raw[ticket_id]) < MOST_ROWS:
                raw[ticket_id].append(Raw(at, "word", None, (from_me, source, media, *text)))

    def _pasts(self, cycles: Iterable[Cycle]) -> dict[int, Past]:
        """Return who served contacts last before the span."""
        served = TrackingCycle.objects.filter(
            company=self.company_id,
            contact__in={each.contact_id for each in cycles},
            user__is_active=True,
            finished_at__gte=self.since - LONGEST_MEMORY,
            finished_at__lt=self.begin,
        )
        columns = ("contact", "user", "queue", "ticket", "finished_at")
        found: dict[int, Past] = {}
        for contact_id, *values in served.order_by("queued_at").values_list(*columns):
            found[contact_id] = Past(*values)
        return found
