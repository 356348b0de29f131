"""Clocks of tickets: when they begin, pause and end, and what is due on the way (rules/desk §8).

Every function takes values and returns values. A clock measures open time of a calendar. It is
open until `ended_at`; a missed one goes on until somebody answers.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from apps.desk.decisions.hours import ZERO, Calendar

# The part of the time in which a list shows what is left.
LAST_PART = 4


class Kind(StrEnum):
    FIRST = "first_answer"
    NEXT = "next_answer"
    RESOLUTION = "resolution"


ANSWERS = (Kind.FIRST, Kind.NEXT)


class Heard(StrEnum):
    """What happened: the contact wrote, a person of ours did, or anything else.

    What bot, campaigns and programs write is anything else.
    """

    CONTACT = "contact"
    PERSON = "person"
    NOTHING = "nothing"


class When(StrEnum):
    """When a step is due: with a quarter of the time left, with none, or minutes later."""

    QUARTER = "quarter"
    DUE = "due"
    AFTER = "after"


@dataclass(frozen=True)
class Policy:
    """Times in minutes for tickets of a queue, with a tag, or of a priority: one of the three."""

    id: int
    minutes: Mapping[Kind, int]
    queue_id: int | None = None
    tag_id: int | None = None
    priority: int | None = None


@dataclass(frozen=True)
class Target:
    policy_id: int
    minutes: int

    @property
    def span(self) -> timedelta:
        return timedelta(minutes=self.minutes)


@dataclass(frozen=True)
class TicketNow:
    """A ticket as decisions see it.

    `is_ours`: people of ours are to answer, neither bot nor another responder. `waits_for_us`:
    the contact's last word has no person's answer. `has_first`: a person has answered in this
    cycle.
    """

    is_live: bool = True
    is_ours: bool = True
    is_snoozed: bool = False
    waits_for_us: bool = False
    has_first: bool = False
    targets: Mapping[Kind, Target] = field(default_factory=dict)


@dataclass(frozen=True)
class Clock:
    """A time that runs for a ticket.

    It runs since `runs_from`, when `left` of its open time was left, until `due_at`; paused it has
    neither. `warns_at` is when its last quarter begins. `paused_seconds` are by the clock on the
    wall.
    """

    kind: Kind
    policy_id: int | None
    minutes: int
    started_at: datetime
    left: timedelta
    runs_from: datetime | None = None
    due_at: datetime | None = None
    warns_at: datetime | None = None
    paused_at: datetime | None = None
    paused_seconds: int = 0
    met_at: datetime | None = None
    missed_at: datetime | None = None
    ended_at: datetime | None = None
    id: int | None = None

    @property
    def span(self) -> timedelta:
        return timedelta(minutes=self.minutes)


@dataclass(frozen=True)
class Step:
    """What is to happen at a moment of a clock; `minutes` are open time after the deadline.

    `since` is when it was made: a moment before it is over for it.
    """

    id: int
    kind: Kind
    when: When
    minutes: int = 0
    since: datetime | None = None


@dataclass(frozen=True)
class Outcome:
    """The clocks that go on, by kind, and those that have ended now."""

    going: Mapping[Kind, Clock]
    ended: Sequence[Clock] = ()


def targets_of(
    policies: Iterable[Policy],
    *,
    queue_id: int | None,
    tag_ids: Collection[int],
    priority: int | None,
) -> dict[Kind, Target]:
    """Return what holds for a ticket: its priority before its tags before its queue.

    Each kind by itself: a policy without a time for it leaves it to the next. Of several tags the
    shortest time holds.
    """
    found: dict[Kind, tuple[int, int, int]] = {}
    for policy in policies:
        if policy.priority is not None:
            rank, applies = 0, policy.priority == priority
        elif policy.tag_id is not None:
            rank, applies = 1, policy.tag_id in tag_ids
        else:
            rank, applies = 2, policy.queue_id is not None and policy.queue_id == queue_id
        if not applies:
            continue
        for kind, minutes in policy.minutes.items():
            entry = (rank, minutes, policy.id)
            found[kind] = min(found.get(kind, entry), entry)
    return {kind: Target(policy_id, minutes) for kind, (_, minutes, policy_id) in found.items()}


def waits_after(waits: bool, heard: Heard) -> bool:
    """Tell whether the contact's last word still has no person's answer."""
    return heard == Heard.CONTACT or (waits and heard != Heard.PERSON)


def step(
    going: Mapping[Kind, Clock],
    ticket: TicketNow,
    heard: Heard,
    calendar: Calendar,
    now: datetime,
) -> Outcome:
    """Return what becomes of a ticket's clocks by something that happened now.

    `ticket` is as it is afterwards.
    """
    clocks = {kind: judged(clock, now) for kind, clock in going.items()}
    ended: list[Clock] = []

    def end(kind: Kind, *, is_met: bool) -> None:
        if (clock := clocks.pop(kind, None)) is not None:
            ended.append(_ended(clock, now, is_met=is_met))

    if not ticket.is_live:
        for kind in list(clocks):
            # Resolved is what the resolution asks for; an answer that nobody gave is not given.
            end(kind, is_met=kind == Kind.RESOLUTION)
        return Outcome({}, ended)
    if heard == Heard.PERSON:
        for kind in ANSWERS:
            end(kind, is_met=True)
    for kind in list(clocks):
        if kind not in ticket.targets:
            end(kind, is_met=False)
    for kind in _wanted(ticket, clocks):
        if kind not in clocks:
            clocks[kind] = _begun(kind, ticket.targets[kind], calendar, now)
    going_on = {
        kind: judged(_continued(clock, ticket, calendar, now), now)
        for kind, clock in clocks.items()
    }
    return Outcome(going_on, ended)


def _continued(clock: Clock, ticket: TicketNow, calendar: Calendar, now: datetime) -> Clock:
    """Return a clock that goes on, paused or not, by the time that holds for it now."""
    target = ticket.targets[clock.kind]
    if (clock.policy_id, clock.minutes) != (target.policy_id, target.minutes):
        clock = _retargeted(clock, target, calendar, now)
    rests = ticket.is_snoozed or not ticket.is_ours
    if clock.kind == Kind.RESOLUTION:
        rests = rests or not ticket.waits_for_us
    if rests and clock.paused_at is None:
        return _paused(clock, calendar, now)
    if not rests and clock.paused_at is not None:
        return _resumed(clock, calendar, now)
    return clock


def _wanted(ticket: TicketNow, clocks: Mapping[Kind, Clock]) -> list[Kind]:
    """Return the kinds of clock that begin now, if there is none yet."""
    if not (ticket.waits_for_us and ticket.is_ours) or ticket.is_snoozed:
        return []
    answer = Kind.NEXT if ticket.has_first else Kind.FIRST
    has_answer = any(kind in clocks for kind in ANSWERS)
    kinds = [Kind.RESOLUTION] if has_answer else [answer, Kind.RESOLUTION]
    return [kind for kind in kinds if kind in ticket.targets]


def _begun(kind: Kind, target: Target, calendar: Calendar, now: datetime) -> Clock:
    clock = Clock(kind, target.policy_id, target.minutes, started_at=now, left=target.span)
    return counted(replace(clock, runs_from=now), calendar)


def counted(clock: Clock, calendar: Calendar) -> Clock:
    """Return a clock with the moments of its hours; one that is paused or missed keeps its own."""
    if clock.runs_from is None or clock.missed_at is not None:
        return clock
    rest = clock.left - clock.span / LAST_PART
    return replace(
        clock,
        due_at=calendar.after(clock.runs_from, clock.left),
        warns_at=calendar.after(clock.runs_from, rest),
    )


def moved(clock: Clock, was: Calendar, calendar: Calendar, now: datetime) -> Clock:
    """Return a clock for which the hours of another queue hold from now on.

    What has passed is counted by the hours that held until now.
    """
    clock = judged(clock, now)
    if clock.runs_from is None or clock.missed_at is not None:
        return clock
    left = left_at(clock, was, now)
    return counted(replace(clock, left=left, runs_from=now), calendar)


def judged(clock: Clock, now: datetime) -> Clock:
    """Return a clock that knows whether its time is over."""
    is_over = clock.due_at is not None and clock.due_at <= now
    return replace(clock, missed_at=clock.due_at) if is_over and not clock.missed_at else clock


def left_at(clock: Clock, calendar: Calendar, now: datetime) -> timedelta:
    """Return the open time that is left to a clock; never more than before, and never below 0."""
    if clock.missed_at is not None:
        return ZERO
    if clock.runs_from is None:
        return clock.left
    return max(clock.left - calendar.between(clock.runs_from, now), ZERO)


def _paused(clock: Clock, calendar: Calendar, now: datetime) -> Clock:
    return replace(
        clock,
        left=left_at(clock, calendar, now),
        runs_from=None,
        due_at=None,
        warns_at=None,
        paused_at=now,
    )


def _resumed(clock: Clock, calendar: Calendar, now: datetime) -> Clock:
    clock = replace(
        clock,
        runs_from=now,
        paused_at=None,
        paused_seconds=clock.paused_seconds + _seconds(clock.paused_at, now),
    )
    if clock.missed_at is not None:
        return replace(clock, due_at=clock.missed_at, warns_at=clock.missed_at)
    return counted(clock, calendar)


def _seconds(since: datetime | None, now: datetime) -> int:
    # Not below 0, if the machine's clock was set back.
    return max(int((now - since).total_seconds()), 0) if since else 0


def _retargeted(clock: Clock, target: Target, calendar: Calendar, now: datetime) -> Clock:
    """Return a clock for which another time holds; what has passed of it stays passed."""
    if clock.missed_at is not None or clock.minutes == target.minutes:
        return replace(clock, policy_id=target.policy_id)
    used = clock.span - left_at(clock, calendar, now)
    clock = replace(
        clock,
        policy_id=target.policy_id,
        minutes=target.minutes,
        left=max(target.span - used, ZERO),
        runs_from=now if clock.paused_at is None else None,
    )
    return counted(clock, calendar)


def _ended(clock: Clock, now: datetime, *, is_met: bool) -> Clock:
    paused = clock.paused_seconds + _seconds(clock.paused_at, now)
    met_at = now if is_met and clock.missed_at is None else None
    return replace(clock, ended_at=now, met_at=met_at, paused_at=None, paused_seconds=paused)


def moment_of(step: Step, clock: Clock, calendar: Calendar) -> datetime | None:
    """Return when a step of a clock is due; None while the clock is paused."""
    if clock.due_at is None or clock.ended_at is not None:
        return None
    if step.when == When.QUARTER:
        return clock.warns_at
    if step.when == When.DUE:
        return clock.due_at
    return calendar.after(clock.due_at, timedelta(minutes=step.minutes))


def planned(
    clocks: Iterable[Clock],
    steps: Mapping[int, Sequence[Step]],
    done: Collection[tuple[int | None, int]],
    calendar: Calendar,
) -> list[tuple[datetime, Clock, Step | None]]:
    """Return what is ahead of clocks in order: steps by their policy, and deadlines.

    `done` are the steps that have happened, as pairs of clock and step. A deadline that is known
    to be missed is not ahead.
    """
    ahead: list[tuple[datetime, Clock, Step | None]] = []
    for clock in clocks:
        if clock.due_at is not None and clock.missed_at is None:
            ahead.append((clock.due_at, clock, None))
        for each in steps.get(clock.policy_id or 0, ()):
            if each.kind != clock.kind or (clock.id, each.id) in done:
                continue
            moment = moment_of(each, clock, calendar)
            if moment is not None and (each.since is None or moment >= each.since):
                ahead.append((moment, clock, each))
    # At one moment the deadline goes before what it asks for.
    return sorted(ahead, key=lambda entry: (entry[0], entry[2].id if entry[2] else 0))


def nearest(clocks: Iterable[Clock]) -> Clock | None:
    """Return the clock whose deadline comes first."""
    running = [clock for clock in clocks if clock.due_at is not None]
    return min(running, key=lambda clock: (clock.due_at, clock.kind), default=None)
