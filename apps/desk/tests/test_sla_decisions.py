"""Clocks of a ticket, against a model that counts each minute (rules/desk §8)."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.common.hours import hours_of
from apps.desk.decisions.hours import ZERO, Calendar
from apps.desk.decisions.sla import (
    ANSWERS,
    Clock,
    Heard,
    Kind,
    Outcome,
    Policy,
    Step,
    Target,
    TicketNow,
    When,
    counted,
    left_at,
    moved,
    nearest,
    planned,
    step,
    targets_of,
)
from apps.desk.tests.slow_hours import DAYS, MINUTE
from tests.lengths import cases

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
# Open from 8 to 12 and from 13 to 18, closed at the week's end.
OFFICE = hours_of(
    [
        {
            "weekdayEn": day,
            "startTime": "08:00",
            "endTime": "12:00",
            "morePeriods": [{"startTime": "13:00", "endTime": "18:00"}],
        }
        for day in DAYS[:5]
    ]
    + [{"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"} for day in DAYS[5:]]
)
CALENDARS = (Calendar(), Calendar(UTC, OFFICE))
MINUTES = {Kind.FIRST: 15, Kind.NEXT: 30, Kind.RESOLUTION: 240}
TARGETS = {kind: Target(1, minutes) for kind, minutes in MINUTES.items()}
EVENTS = ("contact", "person", "bot", "snooze", "wake", "elsewhere", "back", "close", "other")


@dataclass
class Desk:
    """A ticket whose clocks the decisions keep."""

    calendar: Calendar
    now: datetime = START
    ticket: TicketNow = field(default_factory=lambda: TicketNow(targets=TARGETS))
    going: dict[Kind, Clock] = field(default_factory=dict)
    ended: list[Clock] = field(default_factory=list)

    def tell(self, heard: Heard = Heard.NOTHING, **changes: Any) -> Outcome:
        changes.setdefault("has_first", self.ticket.has_first)
        self.ticket = replace(self.ticket, **changes)
        outcome = step(self.going, self.ticket, heard, self.calendar, self.now)
        self.going = dict(outcome.going)
        self.ended += outcome.ended
        return outcome

    def contact(self) -> Outcome:
        return self.tell(Heard.CONTACT, waits_for_us=True, is_live=True)

    def person(self) -> Outcome:
        return self.tell(Heard.PERSON, waits_for_us=False, has_first=True)

    def event(self, name: str) -> None:
        if name == "contact":
            # Who was resolved is opened anew.
            if not self.ticket.is_live:
                self.ticket = replace(self.ticket, has_first=False, is_snoozed=False)
            self.contact()
        elif not self.ticket.is_live:
            return
        elif name == "person":
            self.person()
        elif name in ("bot", "other"):
            self.tell()
        elif name in ("snooze", "wake"):
            self.tell(is_snoozed=name == "snooze")
        elif name in ("elsewhere", "back"):
            self.tell(is_ours=name == "back")
        else:
            self.tell(is_live=False, waits_for_us=False)


@dataclass
class Slow:
    """One clock, counted minute by minute."""

    kind: Kind
    left: int
    started_at: datetime
    missed_at: datetime | None = None
    met_at: datetime | None = None
    ended: bool = False


@dataclass
class SlowDesk:
    """The same ticket by the words of the rule."""

    calendar: Calendar
    now: datetime = START
    live: bool = True
    ours: bool = True
    snoozed: bool = False
    waits: bool = False
    answered: bool = False
    clocks: list[Slow] = field(default_factory=list)

    def pass_minute(self) -> None:
        hours = self.calendar.hours
        is_open = hours is None or hours.is_open(self.now.replace(tzinfo=None))
        self.now += MINUTE
        for clock in self.clocks:
            rests = self.snoozed or not self.ours
            if clock.kind == Kind.RESOLUTION and not self.waits:
                rests = True
            if clock.ended or rests or not is_open or clock.missed_at is not None:
                continue
            clock.left -= 1
            if clock.left == 0:
                clock.missed_at = self.now

    def end(self, kinds: Sequence[Kind], *, meets: bool) -> None:
        for clock in self.clocks:
            if not clock.ended and clock.kind in kinds:
                clock.ended = True
                if meets and clock.missed_at is None:
                    clock.met_at = self.now

    def begin(self) -> None:
        if not (self.live and self.ours and self.waits) or self.snoozed:
            return
        running = {clock.kind for clock in self.clocks if not clock.ended}
        answer = Kind.NEXT if self.answered else Kind.FIRST
        wanted = [Kind.RESOLUTION] if running & set(ANSWERS) else [answer, Kind.RESOLUTION]
        for kind in wanted:
            if kind not in running:
                self.clocks.append(Slow(kind, MINUTES[kind], self.now))
                self.answered = self.answered or kind == Kind.FIRST

    def event(self, name: str) -> None:
        if name == "contact":
            if not self.live:
                self.live, self.answered, self.snoozed = True, False, False
            self.waits = True
        elif not self.live:
            return
        elif name == "person":
            self.end(ANSWERS, meets=True)
            self.waits, self.answered = False, True
        elif name in ("snooze", "wake"):
            self.snoozed = name == "snooze"
        elif name in ("elsewhere", "back"):
            self.ours = name == "back"
        elif name == "close":
            self.end(ANSWERS, meets=False)
            self.end([Kind.RESOLUTION], meets=True)
            self.live = self.waits = False
        self.begin()


def told(clock: Clock | Slow) -> tuple[Any, ...]:
    return clock.kind, clock.started_at, clock.met_at, clock.missed_at


@given(
    st.sampled_from(CALENDARS),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from(EVENTS)), min_size=1, max_size=12),
)
@settings(max_examples=cases(400), deadline=None)
def test_clocks_tell_what_a_count_of_minutes_tells(
    calendar: Calendar, happenings: list[tuple[int, str]]
) -> None:
    desk, slow = Desk(calendar), SlowDesk(calendar)
    for minutes, name in happenings:
        for _ in range(minutes):
            slow.pass_minute()
        desk.now = slow.now
        # What a tick at the deadline would find out.
        desk.tell()
        desk.event(name)
        slow.event(name)
        of_slow = [clock for clock in slow.clocks if not clock.ended]
        assert {clock.kind for clock in of_slow} == desk.going.keys()
        for each in of_slow:
            clock = desk.going[each.kind]
            assert told(clock) == told(each)
            if each.missed_at is None:
                assert left_at(clock, calendar, desk.now) == each.left * MINUTE
    ended = [told(each) for each in slow.clocks if each.ended]
    assert sorted(map(told, desk.ended), key=str) == sorted(ended, key=str)


@given(
    st.lists(st.tuples(st.integers(-500, 400), st.sampled_from(EVENTS)), max_size=12),
    st.sampled_from(CALENDARS),
)
@settings(max_examples=cases(200), deadline=None)
def test_a_clock_set_back_gives_no_time_and_takes_none(
    happenings: list[tuple[int, str]], calendar: Calendar
) -> None:
    desk = Desk(calendar)
    for minutes, name in happenings:
        desk.now += minutes * MINUTE
        desk.event(name)
        for kind, clock in desk.going.items():
            assert ZERO <= left_at(clock, calendar, desk.now) <= MINUTES[kind] * MINUTE
            assert clock.paused_seconds >= 0
            assert (clock.due_at is None) == (clock.paused_at is not None)


def test_of_policies_the_priority_goes_before_tags_before_the_queue() -> None:
    policies = [
        Policy(1, {Kind.FIRST: 5, Kind.NEXT: 60, Kind.RESOLUTION: 600}, queue_id=1),
        Policy(2, {Kind.FIRST: 30}, tag_id=1),
        Policy(3, {Kind.FIRST: 20, Kind.NEXT: 90}, tag_id=2),
        Policy(4, {Kind.NEXT: 99}, priority=1),
        Policy(5, {Kind.RESOLUTION: 1}, queue_id=2),
    ]
    found = targets_of(policies, queue_id=1, tag_ids={1, 2}, priority=1)
    assert found[Kind.FIRST] == Target(3, 20)
    assert found[Kind.NEXT] == Target(4, 99)
    assert found[Kind.RESOLUTION] == Target(1, 600)
    assert targets_of(policies, queue_id=None, tag_ids=(), priority=3) == {}


def test_an_automatic_answer_is_none() -> None:
    desk = Desk(Calendar())
    desk.contact()
    desk.now += 10 * MINUTE
    desk.event("bot")
    assert desk.going[Kind.FIRST].due_at == START + 15 * MINUTE


def test_what_is_answered_too_late_stays_missed() -> None:
    desk = Desk(Calendar())
    desk.contact()
    desk.now += 20 * MINUTE
    [clock] = desk.person().ended
    assert (clock.missed_at, clock.met_at, clock.ended_at) == (START + 15 * MINUTE, None, desk.now)


def test_the_resolution_waits_while_the_contact_is_to_answer() -> None:
    desk = Desk(Calendar())
    desk.contact()
    desk.now += 10 * MINUTE
    desk.person()
    assert desk.going[Kind.RESOLUTION].paused_at == desk.now
    desk.now += 500 * MINUTE
    desk.contact()
    clock = desk.going[Kind.RESOLUTION]
    assert clock.due_at == desk.now + 230 * MINUTE
    assert clock.paused_seconds == 500 * 60


def test_another_time_keeps_what_has_passed() -> None:
    desk = Desk(Calendar())
    desk.contact()
    desk.now += 10 * MINUTE
    desk.tell(targets={**TARGETS, Kind.FIRST: Target(2, 60)})
    clock = desk.going[Kind.FIRST]
    assert (clock.due_at, clock.policy_id) == (START + 60 * MINUTE, 2)
    # Less than has passed: it is over now.
    desk.tell(targets={**TARGETS, Kind.FIRST: Target(2, 5)})
    assert desk.going[Kind.FIRST].missed_at == desk.now


def test_without_a_time_for_it_a_clock_ends_unjudged() -> None:
    desk = Desk(Calendar())
    desk.contact()
    desk.tell(targets={})
    assert not desk.going
    assert [(each.met_at, each.missed_at) for each in desk.ended] == [(None, None)] * 2


def test_other_hours_count_from_when_it_last_ran() -> None:
    desk = Desk(Calendar())
    desk.now = START.replace(hour=11, minute=50)
    desk.contact()
    clock = desk.going[Kind.FIRST]
    assert counted(clock, CALENDARS[1]).due_at == START.replace(hour=13, minute=5)
    assert counted(clock, Calendar(UTC, hours_of([]))).due_at == clock.due_at
    paused = replace(clock, paused_at=desk.now, runs_from=None, due_at=None)
    assert counted(paused, CALENDARS[1]) == paused


def test_in_another_queue_what_has_passed_stays_counted_by_the_hours_of_the_first() -> None:
    office, always = CALENDARS[1], CALENDARS[0]
    desk = Desk(office)
    desk.now = datetime(2026, 3, 6, 17, tzinfo=UTC)
    desk.contact()
    clock = desk.going[Kind.RESOLUTION]
    monday = datetime(2026, 3, 9, 9, tzinfo=UTC)
    # An hour of Friday and one of Monday are used of four.
    there = moved(clock, office, always, monday)
    assert (there.left, there.due_at, there.missed_at) == (
        120 * MINUTE,
        monday + 120 * MINUTE,
        None,
    )
    back = moved(there, always, office, monday + 60 * MINUTE)
    assert back.due_at == monday + 120 * MINUTE
    late = moved(clock, office, always, monday + timedelta(days=1))
    assert late.missed_at == clock.due_at
    paused = replace(clock, paused_at=desk.now, runs_from=None, due_at=None)
    assert moved(paused, office, always, monday) == paused


def test_steps_come_in_order_and_once() -> None:
    desk = Desk(CALENDARS[1])
    desk.contact()
    clock = replace(desk.going[Kind.FIRST], id=7)
    steps = [
        Step(3, Kind.FIRST, When.AFTER, 10),
        Step(2, Kind.FIRST, When.DUE),
        Step(1, Kind.FIRST, When.QUARTER),
        Step(4, Kind.NEXT, When.DUE),
    ]
    ahead = planned([clock], {1: steps}, (), CALENDARS[1])
    assert [(moment - START, each and each.id) for moment, _, each in ahead] == [
        (timedelta(minutes=11, seconds=15), 1),
        (15 * MINUTE, None),
        (15 * MINUTE, 2),
        (25 * MINUTE, 3),
    ]
    made_late = [replace(each, since=START + 12 * MINUTE) for each in steps]
    ahead = planned([clock], {1: made_late}, (), CALENDARS[1])
    assert [each and each.id for _, _, each in ahead] == [None, 2, 3]
    done = [(7, 1), (7, 2)]
    missed = replace(clock, missed_at=clock.due_at)
    ahead = planned([missed], {1: steps}, done, Calendar())
    assert [each and each.id for _, _, each in ahead] == [3]
    paused = replace(missed, paused_at=START, runs_from=None, due_at=None)
    assert planned([paused], {1: steps}, (), Calendar()) == []


def test_the_nearest_deadline_is_that_of_the_ticket() -> None:
    desk = Desk(Calendar())
    desk.contact()
    first = nearest(desk.going.values())
    assert first is not None and first.kind == Kind.FIRST
    desk.person()
    assert nearest(desk.going.values()) is None
