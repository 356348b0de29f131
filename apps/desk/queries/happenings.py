"""Makes of stored rows what happened in one cycle of a ticket, in order (rules/desk §16)."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from apps.accounts.models import User
from apps.desk.decisions.stories import HANDS, Deed, Happening
from apps.desk.queries.rules import media_word
from apps.queues.models import Queue
from apps.tickets.models import (
    BY_PEOPLE,
    MediaType,
    MessageSource,
    TicketActivityKind,
    TicketPriority,
    TicketStatus,
)

# Of a run of messages of one side: the first ones say all that is asked of them.
MOST_OF_A_RUN = 3
SAME_MOVE = timedelta(seconds=2)
_PRIORITIES = {each.name.lower(): each.value for each in TicketPriority}
_NORMAL = 3
WORDS = frozenset({Deed.HEARD, Deed.WROTE, Deed.ANSWERED})
_BY_FLOWS = frozenset({MessageSource.AI, MessageSource.INTEGRATION})
_LEADS = {
    TicketActivityKind.CONTROL_TAKEN: Deed.LED,
    TicketActivityKind.GAVE_CONTROL: Deed.LED,
    TicketActivityKind.CONTROL_PASSED: Deed.READY,
    TicketActivityKind.TOOK_CONTROL: Deed.READY,
}
_PLAIN = {
    TicketActivityKind.SNOOZED: Deed.SNOOZED,
    TicketActivityKind.WOKEN: Deed.WOKEN,
    TicketActivityKind.BOT_ENDED: Deed.READY,
}


@dataclass
class Cycle:
    """The columns of a cycle and its ticket; `next_end` is when the next cycle ended."""

    id: int
    ticket_id: int
    contact_id: int
    queue_id: int | None
    user_id: int | None
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    opened_at: datetime
    queue_now: int | None
    connection_id: int | None
    priority: int
    status: str
    chatbot: bool
    use_integration: bool
    prompt_id: int | None
    began_at: datetime = datetime.min
    next_end: datetime | None = None

    @property
    def is_led_now(self) -> bool:
        is_led = self.chatbot or self.use_integration or self.prompt_id is not None
        return is_led and self.finished_at is None and self.status == TicketStatus.PENDING


@dataclass
class Names:
    """Queues and people of a company by their names, as lines of activity have them."""

    company_id: int

    @cached_property
    def queues(self) -> dict[str, int]:
        found = Queue.objects.for_company(self.company_id).order_by("pk")
        return dict(found.values_list("name", "pk"))

    @cached_property
    def users(self) -> dict[str, int]:
        # Of two with one name the active one is more likely.
        found = User.objects.for_company(self.company_id).order_by("is_active", "pk")
        return dict(found.values_list("name", "pk"))


class Raw(NamedTuple):
    """A stored row: `kind` is an activity's, or `word` or `hands`."""

    at: datetime
    kind: str
    user_id: int | None
    detail: Any


@dataclass
class Found:
    """What was found of a cycle."""

    queue_id: int | None
    priority: int
    is_led: bool = False
    happenings: list[Happening] = field(default_factory=list)


class _Reader:
    """Goes through a cycle's rows in order, and knows who holds the ticket."""

    def __init__(self, cycle: Cycle, names: Names, *, has_log: bool) -> None:
        self._cycle, self._names, self._has_log = cycle, names, has_log
        self.holder: int | None = None
        self.found: list[Happening] = []
        # The queue before the first change of it; unknown without a change.
        self.first_queue: int | None = None
        self.is_moved = False
        self.moved_at: datetime | None = None
        self.first_priority: int | None = None
        self.has_marks = False

    def read(self, raw: Raw) -> None:
        if raw.kind == "word":
            self._word(raw)
        elif raw.kind == "hands":
            from_id, is_own, queue_id = raw.detail
            self._note_queue(queue_id)
            self._hand(raw.at, raw.user_id, is_own=is_own, was=from_id)
        else:
            self._line(raw)

    def _word(self, raw: Raw) -> None:
        from_me, source, media, *text = raw.detail
        said = text[0] if text else ""
        is_call, media = media == MediaType.CALL_LOG, media_word(media)
        if not from_me:
            self._add(raw.at, Deed.HEARD, int(is_call), said, media)
        elif source in BY_PEOPLE:
            self._add(raw.at, Deed.ANSWERED, int(self.holder is not None), said, media)
        else:
            self._add(raw.at, Deed.WROTE, 0, said, media)

    def _line(self, raw: Raw) -> None:
        kind, detail = raw.kind, raw.detail if isinstance(raw.detail, dict) else {}
        if kind in _LEADS:
            self._add(raw.at, _LEADS[TicketActivityKind(kind)])
        elif kind in _PLAIN:
            if kind == TicketActivityKind.BOT_ENDED and self.holder is None:
                self.has_marks = True
            self._add(raw.at, _PLAIN[TicketActivityKind(kind)])
        elif kind == TicketActivityKind.PRIORITIZED:
            if self.first_priority is None:
                self.first_priority = _NORMAL
            self._add(
                raw.at, Deed.PRIORITIZED, _PRIORITIES.get(detail.get("priority", ""), _NORMAL)
            )
        elif kind == TicketActivityKind.RATED:
            rate = detail.get("rate")
            self._add(raw.at, Deed.RATED, rate if isinstance(rate, int) else 0)
        elif kind == TicketActivityKind.QUEUED:
            self.has_marks = True
            self._queue(raw.at, detail)
            self._add(raw.at, Deed.READY)
        else:
            self._person(raw, detail)

    def _person(self, raw: Raw, detail: dict[str, Any]) -> None:
        """Take in what somebody did with the ticket, as far as the log does not tell it."""
        kind = raw.kind
        user_id = self._names.users.get(detail.get("user") or "")
        if kind == TicketActivityKind.TRANSFERRED:
            if user_id is None:
                self._queue(raw.at, detail)
            if not self._has_log and user_id is not None:
                self._hand(raw.at, user_id)
            return
        self._note_queue(self._names.queues.get(detail.get("queue") or ""))
        if self._has_log:
            return
        if kind == TicketActivityKind.ACCEPTED:
            self._hand(raw.at, raw.user_id or user_id)
        elif kind == TicketActivityKind.RETURNED and self.holder is not None:
            self._hand(raw.at, None)
        elif kind == TicketActivityKind.REOPENED and raw.user_id is not None:
            self._hand(raw.at, raw.user_id)

    def _queue(self, at: datetime, detail: dict[str, Any]) -> None:
        queue_id = self._names.queues.get(detail.get("queue") or "")
        if queue_id is None:
            return
        self._add(at, Deed.MOVED, queue_id)
        self.is_moved, self.moved_at, self.holder = True, at, None

    def _note_queue(self, queue_id: int | None) -> None:
        if not self.is_moved and self.first_queue is None:
            self.first_queue = queue_id

    def _hand(
        self, at: datetime, user_id: int | None, *, is_own: bool = False, was: int | None = None
    ) -> None:
        """Add a change of hands; `is_own`: the distribution's.

        That a move to a queue takes the ticket from its holder is told by the log as well.
        """
        if user_id is None and self.moved_at is not None and at - self.moved_at <= SAME_MOVE:
            return
        if user_id is None:
            self._add(at, Deed.RETURNED if is_own else Deed.PUT_BACK)
        elif is_own:
            self._add(at, Deed.GIVEN, user_id)
        elif self.holder is None and was is None:
            self._add(at, Deed.TAKEN, user_id)
        elif user_id != self.holder:
            self._add(at, Deed.PASSED, user_id)
        self.holder = user_id

    def _add(
        self, at: datetime, deed: Deed, value: int = 0, text: str = "", media: str = ""
    ) -> None:
        self.found.append(Happening(at, deed, value, text, media))


def happenings_of(cycle: Cycle, rows: list[Raw], names: Names, *, has_texts: bool = False) -> Found:
    """Return what happened in a cycle; `rows` are those of its time, in any order.

    `has_texts`: each message matters. A rating may come after the end.
    """
    has_log = any(each.kind == "hands" for each in rows)
    reader = _Reader(cycle, names, has_log=has_log)
    for raw in sorted(rows, key=attrgetter("at")):
        reader.read(raw)
    found = reader.found
    has_hands = any(each.deed in HANDS for each in found)
    if not has_hands and cycle.started_at is not None and cycle.user_id is not None:
        # No line says who took it, but the cycle does.
        found = _with_taking(found, cycle.started_at, cycle.user_id)
        has_hands, reader.holder = True, cycle.user_id
    is_led = reader.has_marks or cycle.is_led_now
    words = [each for each in found if each.deed in WORDS]
    if words and words[0].deed == Deed.WROTE and not is_led and not has_hands:
        is_led, found = _of_campaign(rows, found)
    if not (is_led or has_hands):
        # It ended, or goes on, with a flow that has answered it alone.
        ours = [each for each in rows if each.kind == "word" and each.detail[0]]
        is_led = bool(ours) and all(each.detail[1] in _BY_FLOWS for each in ours)
    if cycle.finished_at is not None:
        end = Happening(cycle.finished_at, Deed.CLOSED, int(reader.holder is not None))
        late = [each for each in found if _is_rated_after(each, cycle.finished_at)]
        found = [*(each for each in found if each not in late), end, *late]
    queue_id = cycle.queue_id or cycle.queue_now
    return Found(
        queue_id=reader.first_queue if reader.is_moved else queue_id,
        priority=cycle.priority if reader.first_priority is None else reader.first_priority,
        is_led=is_led,
        happenings=_only_last_ready(found) if has_texts else _shortened(_only_last_ready(found)),
    )


def _is_rated_after(happening: Happening, end: datetime) -> bool:
    return happening.deed == Deed.RATED and happening.at > end


def _with_taking(found: list[Happening], at: datetime, user_id: int) -> list[Happening]:
    before = [each for each in found if each.at < at]
    after = [
        each._replace(value=1) if each.deed == Deed.ANSWERED else each
        for each in found
        if each.at >= at
    ]
    return [*before, Happening(at, Deed.TAKEN, user_id), *after]


def _of_campaign(rows: list[Raw], found: list[Happening]) -> tuple[bool, list[Happening]]:
    """Have what a campaign alone began wait for people from the contact's first word on."""
    sources = {each.detail[1] for each in rows if each.kind == "word" and each.detail[0]}
    if MessageSource.CAMPAIGN not in sources:
        return False, found
    first = next((n for n, each in enumerate(found) if each.deed == Deed.HEARD), None)
    if first is None:
        return True, found
    ready = Happening(found[first].at, Deed.READY)
    return True, [*found[: first + 1], ready, *found[first + 1 :]]


def _only_last_ready(found: list[Happening]) -> list[Happening]:
    """Leave out each end of the bot that another one follows while the ticket still waits."""
    first_hand = next((n for n, each in enumerate(found) if each.deed in HANDS), len(found))
    ready = [n for n, each in enumerate(found[:first_hand]) if each.deed == Deed.READY]
    return [each for n, each in enumerate(found) if n not in ready[:-1]]


def _shortened(found: list[Happening]) -> list[Happening]:
    """Leave out the middle of long runs of one side's messages, which change nothing."""
    kept: list[Happening] = []
    run = 0
    for each, then in pairwise([*found, None]):
        if each is None:
            break
        run = run + 1 if kept and _is_like(kept[-1], each) else 1
        is_last = then is None or not _is_like(each, then)
        if run <= MOST_OF_A_RUN or is_last:
            kept.append(each)
    return kept


def _is_like(first: Happening, then: Happening) -> bool:
    return first.deed == then.deed and first.value == then.value and first.deed in WORDS
