"""The clocks of tickets in memory, on a clock of one's own (rules/desk §8 to §10, §16)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from itertools import count

from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.sla import (
    Clock,
    Heard,
    Kind,
    Policy,
    Step,
    Target,
    TicketNow,
    judged,
    moved,
    planned,
    step,
    targets_of,
    waits_after,
)


@dataclass(frozen=True)
class Facts:
    """What clocks go by, besides what was said."""

    queue_id: int | None = None
    user_id: int | None = None
    priority: int = 3
    tag_ids: frozenset[int] = frozenset()
    is_live: bool = True
    is_ours: bool = True
    is_snoozed: bool = False


@dataclass
class Times:
    """The times of a company, the steps of each policy, and the hours of each queue.

    `judged` hears of each clock that was met or missed, and who had the ticket then; `fired` of
    each step whose moment came.
    """

    policies: Sequence[Policy]
    calendar_of: Callable[[int | None], Calendar]
    steps: Mapping[int, Sequence[Step]] = field(default_factory=dict)
    judged: Callable[["Watch", Clock, Facts], None] = lambda *_: None
    fired: Callable[["Watch", Clock, Step], None] = lambda *_: None

    def __post_init__(self) -> None:
        self.numbers = count(1)
        self.targets = lru_cache(maxsize=1024)(self._targets)

    def _targets(
        self, queue_id: int | None, tag_ids: frozenset[int], priority: int
    ) -> dict[Kind, Target]:
        return targets_of(self.policies, queue_id=queue_id, tag_ids=tag_ids, priority=priority)


class Watch:
    """The clocks of one ticket in one cycle; `subject` is what its hearers know it by."""

    __slots__ = (
        *("_ahead", "_counted", "_done", "_facts", "_going"),
        *("_has_first", "_times", "_waits", "policy_ids", "subject"),
    )

    def __init__(self, times: Times, subject: object) -> None:
        self.subject = subject
        self._times = times
        self._going: Mapping[Kind, Clock] = {}
        self._facts = Facts()
        self._waits = self._has_first = False
        self._ahead: list[tuple[datetime, Clock, Step | None]] = []
        self._done: set[tuple[int | None, int]] = set()
        self._counted: set[int | None] = set()
        # Whose times have held for it.
        self.policy_ids: set[int | None] = set()

    @property
    def clocks(self) -> Sequence[Clock]:
        """Return its clocks that have not ended; missed and paused ones are among them."""
        return list(self._going.values())

    def see(self, facts: Facts, heard: Heard, now: datetime) -> None:
        """Take in what a ticket is now, and what was said."""
        self.pass_to(now)
        self._waits = waits_after(self._waits, heard)
        self._has_first = self._has_first or heard == Heard.PERSON
        was_in, self._facts = self._facts.queue_id, facts
        targets = self._times.targets(facts.queue_id, facts.tag_ids, facts.priority)
        if not self._going and not (targets and self._waits):
            return
        seen = TicketNow(
            is_live=facts.is_live,
            is_ours=facts.is_ours,
            is_snoozed=facts.is_snoozed,
            waits_for_us=self._waits,
            has_first=self._has_first,
            targets=targets,
        )
        calendar = self._times.calendar_of(facts.queue_id)
        if self._going and was_in != facts.queue_id:
            was = self._times.calendar_of(was_in)
            self._going = {
                kind: moved(clock, was, calendar, now) for kind, clock in self._going.items()
            }
        outcome = step(self._going, seen, heard, calendar, now)
        for clock in outcome.ended:
            self._judge(clock, facts)
        self._going = {kind: self._numbered(clock) for kind, clock in outcome.going.items()}
        self.policy_ids.update(clock.policy_id for clock in self._going.values())
        for clock in self._going.values():
            self._judge(clock, facts)
        if self._times.steps:
            self._ahead = planned(self._going.values(), self._times.steps, self._done, calendar)

    def waits_again(self) -> None:
        """Take in that the ticket is back in its queue: an answer of before is none any more."""
        self._has_first = False

    def pass_to(self, now: datetime) -> None:
        """Judge what was over before a moment, and tell of the steps that were due."""
        for moment, clock, due in self._ahead:
            if moment > now:
                break
            if due is not None and (clock.id, due.id) not in self._done:
                self._done.add((clock.id, due.id))
                self._times.fired(self, clock, due)
        going = self._going
        if any(clock.due_at is not None and clock.due_at <= now for clock in going.values()):
            self._going = {kind: judged(clock, now) for kind, clock in going.items()}
            for clock in self._going.values():
                self._judge(clock, self._facts)

    def _numbered(self, clock: Clock) -> Clock:
        return clock if clock.id is not None else replace(clock, id=next(self._times.numbers))

    def _judge(self, clock: Clock, facts: Facts) -> None:
        is_judged = clock.met_at is not None or clock.missed_at is not None
        if is_judged and clock.id not in self._counted:
            self._counted.add(clock.id)
            self._times.judged(self, clock, facts)


def kinds_of(policies: Collection[Policy]) -> list[Kind]:
    """Return the kinds of clock for which there is a time."""
    found = {kind for policy in policies for kind in policy.minutes}
    return [kind for kind in Kind if kind in found]
