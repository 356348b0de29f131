"""The distribution of a past span once more, on a virtual clock (rules/desk §16).

Contacts, bots and people's presence do what they did. The desk decides who gets what. From then on
a conversation goes as it went, earlier or later by as much as it came to somebody. Who gets a
ticket that nobody had answers it as people of the queue usually do.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from heapq import heappop, heappush

from apps.desk.decisions.assignment import (
    GIVEN,
    NO_POLICY,
    Person,
    Policy,
    Presence,
    ReturnTo,
    Sticky,
    Why,
)
from apps.desk.decisions.cases import Case, Line, Served
from apps.desk.decisions.desk import Desk
from apps.desk.decisions.following import Followed, Word
from apps.desk.decisions.sla import Heard
from apps.desk.decisions.stories import HANDS, Deed, Happening, Outcome, Past, Story, lived
from apps.desk.decisions.tally import Usual
from apps.desk.decisions.watching import Facts, Times, Watch

ZERO = timedelta(0)
# The word that opened a ticket is stored a little after it.
AT_BEGIN = timedelta(seconds=2)
CALL = Word(is_call=True)
WORDS: Mapping[Deed, tuple[Word, Heard]] = {
    Deed.HEARD: (Word(), Heard.CONTACT),
    Deed.WROTE: (Word(is_ours=True), Heard.NOTHING),
    Deed.ANSWERED: (Word(is_ours=True, is_by_person=True), Heard.PERSON),
}
# What passes while a ticket waits; who gets it earlier finds it undone.
_PASSES = frozenset(
    {
        *(Deed.HEARD, Deed.WROTE, Deed.LED, Deed.READY, Deed.RETURNED),
        *(Deed.PRIORITIZED, Deed.SNOOZED, Deed.WOKEN, Deed.RATED),
    }
)


@dataclass(frozen=True)
class Change:
    """A person is present otherwise from a moment on, or begins or ends the own hours."""

    at: datetime
    user_id: int
    presence: Presence | None = None
    is_within_hours: bool | None = None


@dataclass
class Setting:
    """What is rehearsed: the rules of queues, and people as they were when it began."""

    policies: Mapping[int, Policy]
    people: Iterable[Person]
    began_at: datetime
    until: datetime
    # In order.
    changes: Iterable[Change] = ()
    # Whoever may take by hand what a queue gives, where that queue lets nobody else.
    supervisors: frozenset[int] = frozenset()
    times: Times | None = None


@dataclass(slots=True)
class Live:
    """A story on the desk: `index` is what happens next, later by `shift` than it did.

    `stamp` numbers what is planned for it; older plans are out of date.
    """

    story: Story
    case: Case
    happenings: list[Happening]
    real: Outcome
    outcome: Outcome
    watch: Watch | None
    index: int = 0
    shift: timedelta = ZERO
    stamp: int = 0
    is_blocked: bool = False


@dataclass
class Replay:
    """Has stories happen again; `ended` hears of each with what happened and what would have."""

    setting: Setting
    ended: Callable[[Story, Outcome, Outcome], None]
    log: Callable[[Story, Line], None] = lambda *_: None
    _heap: list[tuple[datetime, int, Live | Story | Change, int]] = field(default_factory=list)
    _count: int = 0
    _lives: dict[int, Live] = field(default_factory=dict)
    # Who served each contact last, in this replay.
    _pasts: dict[int, Past] = field(default_factory=dict)
    _usual: Usual = field(default_factory=Usual)
    desk: Desk = field(init=False)
    # The story whose ticket the desk is taking in.
    _opening: Story | None = None

    def run(self, stories: Iterable[Story]) -> None:
        """Go through stories, which are in order of their begin, until the span is over."""
        setting = self.setting
        self.desk = Desk(
            setting.policies, setting.people, setting.began_at, self._told, self._served
        )
        arrivals, changes = iter(stories), iter(setting.changes)
        self._next(arrivals)
        self._next(changes)
        desk, until = self.desk, setting.until
        while (moment := self._next_moment()) is not None and moment <= until:
            desk.now = max(moment, desk.now)
            if desk.due_at is not None and desk.due_at <= moment:
                desk.settle()
                continue
            _, _, what, stamp = heappop(self._heap)
            if isinstance(what, Live):
                if what.stamp == stamp:
                    self._go_on(what)
            elif isinstance(what, Story):
                self._begin(what)
                self._next(arrivals)
            else:
                self._change(what)
                self._next(changes)
            desk.settle()
        for live in list(self._lives.values()):
            self._end(live, until)

    def _next_moment(self) -> datetime | None:
        happens_at = self._heap[0][0] if self._heap else None
        due_at = self.desk.due_at
        if happens_at is None or due_at is None:
            return happens_at or due_at
        return min(happens_at, due_at)

    def _next(self, more: Iterator[Story | Change]) -> None:
        what = next(more, None)
        if isinstance(what, Story):
            self._plan(what.began_at, what)
        elif what is not None:
            self._plan(what.at, what)

    def _plan(self, at: datetime, what: Live | Story | Change, stamp: int = 0) -> None:
        self._count += 1
        heappush(self._heap, (at, self._count, what, stamp))

    def _change(self, change: Change) -> None:
        if change.presence is not None:
            self.desk.be(change.user_id, change.presence)
        if change.is_within_hours is not None:
            person = self.desk.people[change.user_id]
            self.desk.change_person(replace(person, is_within_hours=change.is_within_hours))

    # A story.

    def _begin(self, story: Story) -> None:
        real = lived(story)
        self._usual.note(story.queue_id, real)
        now = self.desk.now
        times = self.setting.times
        outcome = Outcome(ready_at=None if story.is_led else story.began_at)
        value = Followed(now, story.opened_at, queue_id=story.queue_id, priority=story.priority)
        # The desk asks for the contact's past while it opens the case.
        self._opening = story
        case = self.desk.open(
            story.id,
            value,
            skills=story.skills,
            contact_id=story.contact_id,
            is_led=story.is_led,
        )
        live = Live(story, case, story.happenings, real, outcome, None)
        live.watch = Watch(times, live) if times else None
        self._lives[story.id] = live
        # The word that opened it belongs to its begin.
        while live.index < len(story.happenings) and self._is_at_begin(live):
            live.index += 1
            self._happen(live, story.happenings[live.index - 1])
        self._plan_next(live)

    def _is_at_begin(self, live: Live) -> bool:
        happening = live.story.happenings[live.index]
        is_first = happening.at <= live.story.began_at + AT_BEGIN
        return is_first and happening.deed == Deed.HEARD

    def _plan_next(self, live: Live) -> None:
        live.stamp += 1
        if live.index < len(live.happenings):
            at = live.happenings[live.index].at + live.shift
            self._plan(max(at, self.desk.now), live, live.stamp)

    def _go_on(self, live: Live) -> None:
        happening = live.happenings[live.index]
        if self._is_blocked_by(live, happening):
            live.is_blocked = True
            return
        live.index += 1
        stamp = live.stamp
        self._happen(live, happening)
        if live.stamp == stamp:
            self._plan_next(live)

    def _is_blocked_by(self, live: Live, happening: Happening) -> bool:
        """Tell whether something waits until the desk has given the ticket to somebody."""
        value = live.case.value
        if not value.is_ready:
            return False
        deed = happening.deed
        if deed in {Deed.ANSWERED, Deed.CLOSED}:
            return bool(happening.value)
        if deed == Deed.TAKEN:
            policy = self.setting.policies.get(value.queue_id or 0, NO_POLICY)
            return not (policy.manual_accept or happening.value in self.setting.supervisors)
        return deed in {Deed.GIVEN, Deed.PASSED}

    def _happen(self, live: Live, happening: Happening) -> None:
        desk, case, deed, value = self.desk, live.case, happening.deed, happening.value
        is_held = case.value.user_id is not None
        if deed in WORDS:
            word, heard = WORDS[deed]
            desk.hear(case, CALL if deed == Deed.HEARD and value else word)
            if deed == Deed.ANSWERED:
                live.outcome.answered_at = live.outcome.answered_at or desk.now
            self._look(live, heard)
        elif deed == Deed.CLOSED:
            self._close(live)
        elif deed == Deed.PASSED or (deed in HANDS and not is_held):
            # What the queue would not give itself came to somebody as it did.
            live.outcome.ready_at = live.outcome.ready_at or desk.now
            desk.hand_over(case, value)
        elif deed == Deed.MOVED:
            desk.move(case, value)
            self._look(live, Heard.NOTHING)
        elif deed == Deed.PUT_BACK and is_held:
            desk.put_back(case)
        elif deed in {Deed.LED, Deed.READY} and not is_held:
            if deed == Deed.READY:
                live.outcome.ready_at = live.outcome.ready_at or desk.now
            desk.lead(case, is_led=deed == Deed.LED)
            self._look(live, Heard.NOTHING)
        elif deed == Deed.PRIORITIZED:
            desk.prioritize(case, value)
            self._look(live, Heard.NOTHING)
        elif deed == Deed.SNOOZED:
            desk.snooze(case)
            self._look(live, Heard.NOTHING)
        elif deed == Deed.WOKEN and case.is_snoozed:
            desk.wake(case)
            self._look(live, Heard.NOTHING)

    def _look(self, live: Live, heard: Heard, *, is_live: bool = True) -> None:
        if live.watch is None:
            return
        case = live.case
        facts = Facts(
            queue_id=case.value.queue_id,
            user_id=case.value.user_id,
            priority=case.value.priority,
            tag_ids=live.story.tag_ids,
            is_live=is_live,
            is_ours=not case.is_led,
            is_snoozed=case.is_snoozed,
        )
        live.watch.see(facts, heard, self.desk.now)

    def _close(self, live: Live) -> None:
        value, story = live.case.value, live.story
        self._look(live, Heard.NOTHING, is_live=False)
        self.desk.resolve(live.case)
        if value.user_id is not None:
            self._pasts[story.contact_id] = Past(
                value.user_id, value.queue_id, story.ticket_id, self.desk.now
            )
        live.outcome.closed_at = self.desk.now
        self._end(live, self.desk.now)

    def _end(self, live: Live, now: datetime) -> None:
        if live.watch is not None:
            live.watch.pass_to(now)
        del self._lives[live.story.id]
        live.stamp += 1
        self.ended(live.story, live.real, live.outcome)

    # What the desk does.

    def _told(self, line: Line) -> None:
        live = self._lives[line.ticket_id]
        self.log(live.story, line)
        outcome, now = live.outcome, self.desk.now
        if line.to_user is not None:
            if outcome.held_at is None:
                outcome.held_at, outcome.user_id = now, line.to_user
            if line.why in GIVEN:
                self._resume(live)
        elif line.why in {Why.UNANSWERED, Why.OFFLINE}:
            outcome.returns += line.why == Why.UNANSWERED
            outcome.is_for_supervisors |= line.to == ReturnTo.SUPERVISORS
        if live.watch is not None and line.to_user is None:
            live.watch.waits_again()
        self._look(live, Heard.NOTHING)

    def _ahead(self, live: Live) -> int:
        """Return the index of what people do next with a ticket."""
        index, happenings = live.index, live.happenings
        while index < len(happenings) and happenings[index].deed in _PASSES:
            index += 1
        return index

    def _resume(self, live: Live) -> None:
        """Have a story go on from a giving, as it went on from the one that happened."""
        now, index = self.desk.now, self._ahead(live)
        queue_id = live.case.value.queue_id
        live.is_blocked = False
        if index < len(live.happenings):
            at, deed, value, *_ = live.happenings[index]
            if deed in {Deed.GIVEN, Deed.TAKEN}:
                live.shift, live.index = now - at, index + 1
                self._plan_next(live)
                return
            if deed in {Deed.MOVED, Deed.PUT_BACK}:
                self._plan_next(live)
                return
            if deed != Deed.CLOSED or value:
                is_end = deed == Deed.CLOSED
                usual = self._usual.closing_seconds if is_end else self._usual.answer_seconds
                seconds = usual(queue_id)
                if seconds is not None and live.case.value.unanswered_since is not None:
                    # Who has it now answers as is usual, not when somebody else did.
                    live.shift, live.index = now + timedelta(seconds=seconds) - at, index
                self._plan_next(live)
                return
        self._invent(live, queue_id)

    def _invent(self, live: Live, queue_id: int | None) -> None:
        """Have a ticket that nobody really had be answered and closed as is usual."""
        answer = self._usual.answer_seconds(queue_id)
        if answer is not None and live.outcome.answered_at is None:
            now = self.desk.now
            closing = max(self._usual.closing_seconds(queue_id) or answer, answer)
            live.happenings = [
                Happening(now + timedelta(seconds=answer), Deed.ANSWERED, 1),
                Happening(now + timedelta(seconds=closing), Deed.CLOSED, 1),
            ]
            live.index, live.shift = 0, ZERO
        self._plan_next(live)

    def _served(self, case: Case, policy: Policy) -> Served | None:
        """Return who served a contact last, by the rules of a queue (rules/desk §2)."""
        live = self._lives.get(case.id)
        story = live.story if live else self._opening
        past = (self._pasts.get(story.contact_id) or story.past) if story else None
        if (
            story is None
            or past is None
            or past.ended_at < self.desk.now - timedelta(days=policy.sticky_days)
        ):
            return None
        if policy.sticky == Sticky.SAME_QUEUE and past.queue_id != case.value.queue_id:
            return None
        return Served(past.user_id, is_reopened=past.ticket_id == story.ticket_id)
