"""A past span once more: by the same rules all is as it was (rules/desk §16)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.desk.decisions.assignment import (
    GIVEN,
    Mode,
    OfflineAction,
    Order,
    Person,
    Policy,
    Presence,
    ReturnTo,
    Sticky,
    Why,
)
from apps.desk.decisions.cases import Case, Line
from apps.desk.decisions.replay import Change, Replay, Setting
from apps.desk.decisions.stories import Deed, Happening, Outcome, Story, lived
from apps.desk.decisions.tally import Tally
from apps.desk.tests.virtual import AUTOMATIC, BOT, CONTACT, NOON, PERSON, Desk
from tests.lengths import cases

MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
RETURNS = frozenset({Why.UNANSWERED, Why.OFFLINE})

policies = st.builds(
    Policy,
    mode=st.sampled_from(list(Mode)),
    order=st.sampled_from(list(Order)),
    return_after=st.sampled_from([None, 3 * MINUTE]),
    return_to=st.sampled_from(list(ReturnTo)),
    max_returns=st.integers(1, 3),
    offline_action=st.sampled_from(list(OfflineAction)),
    grace=st.sampled_from([timedelta(0), 5 * MINUTE]),
    fair_limit=st.sampled_from([1, 3, 100]),
    fair_window=st.sampled_from([10 * MINUTE, 60 * MINUTE]),
    release_after=st.sampled_from([timedelta(0), 10 * MINUTE]),
)


def person(number: int) -> st.SearchStrategy[Person]:
    return st.builds(
        Person,
        id=st.just(number),
        queues=st.frozensets(st.integers(1, 2), min_size=1, max_size=2),
        presence=st.sampled_from(list(Presence)),
        is_within_hours=st.sampled_from([True, True, False]),
        capacity=st.sampled_from([0, 1, 3]),
    )


@st.composite
def worlds(draw: Any) -> tuple[dict[int, Policy], list[Person]]:
    rules = {number: draw(policies) for number in (1, 2)}
    return rules, [draw(person(number)) for number in range(1, draw(st.integers(1, 4)) + 1)]


DEEDS = (
    *["arrive"] * 4,
    *("answer", "answer", "hear", "bot", "resolve", "take", "pass", "back", "move"),
    *("snooze", "presence", "hours", "wait", "priority"),
)
steps = st.lists(
    st.tuples(
        st.sampled_from(DEEDS),
        st.integers(0, 50),
        st.integers(0, 50),
        st.sampled_from([1, 30, 300]),
    ),
    max_size=40,
)


class History:
    """A desk that writes down what happens on it, as the tables do."""

    def __init__(self, rules: Mapping[int, Policy], people: Sequence[Person]) -> None:
        self.desk = Desk(dict(rules), {each.id: each for each in people})
        self.stories: dict[int, Story] = {}
        self.changes: list[Change] = []
        self._seen = 0
        self._settled_at = NOON

    def note(self, case: Case, deed: Deed, value: int = 0) -> None:
        self.stories[case.id].happenings.append(Happening(self.desk.now, deed, value))

    def settle(self) -> None:
        """Let the clock come to now, moment by moment."""
        desk, now = self.desk, self.desk.now
        while (due_at := desk.due_at) is not None and due_at < now:
            # What was planned for a moment that is over is done at once.
            desk.now = max(due_at, self._settled_at)
            desk.settle()
            self._write()
        desk.now = self._settled_at = now
        desk.settle()
        self._write()

    def _write(self) -> None:
        for line in self.desk.lines[self._seen :]:
            deed = self._deed_of(line)
            if deed is not None:
                happening = Happening(line.at, deed, line.to_user or 0)
                self.stories[line.ticket_id].happenings.append(happening)
        self._seen = len(self.desk.lines)

    def _deed_of(self, line: Line) -> Deed | None:
        if line.to_user is None:
            return Deed.RETURNED if line.why in RETURNS else None
        return Deed.GIVEN if line.why in GIVEN else None

    def act(self, deed: str, one: int, other: int) -> None:
        desk = self.desk
        who = list(desk.people)[other % len(desk.people)]
        if deed == "arrive":
            case = desk.arrive(1 + one % 2)
            self.stories[case.id] = Story(
                case.id, case.id, case.id, desk.now, desk.now, queue_id=1 + one % 2
            )
            self.note(case, Deed.HEARD)
        elif deed == "presence":
            presence = list(Presence)[one % 3]
            desk.be(who, presence)
            self.changes.append(Change(desk.now, who, presence=presence))
        elif deed == "hours":
            is_open = not desk.people[who].is_within_hours
            desk.change_person(replace(desk.people[who], is_within_hours=is_open))
            self.changes.append(Change(desk.now, who, is_within_hours=is_open))
        elif desk.cases:
            self._to(list(desk.cases.values())[one % len(desk.cases)], deed, who, other)

    def _to(self, case: Case, deed: str, who: int, other: int) -> None:
        desk, is_held = self.desk, case.value.user_id is not None
        if deed == "hear":
            desk.hear(case, CONTACT)
            self.note(case, Deed.HEARD)
        elif deed == "bot":
            desk.hear(case, BOT)
            self.note(case, Deed.WROTE)
        elif deed == "answer":
            desk.hear(case, PERSON)
            self.note(case, Deed.ANSWERED, int(is_held))
        elif deed == "take" and not is_held:
            desk.hand_over(case, who)
            self.note(case, Deed.TAKEN, who)
        elif deed == "pass" and is_held and case.value.user_id != who:
            desk.hand_over(case, who)
            self.note(case, Deed.PASSED, who)
        elif deed == "back" and is_held:
            desk.put_back(case)
            self.note(case, Deed.PUT_BACK)
        elif deed == "move":
            desk.move(case, 1 + other % 2)
            self.note(case, Deed.MOVED, 1 + other % 2)
        elif deed == "priority":
            desk.prioritize(case, 1 + other % 4)
            self.note(case, Deed.PRIORITIZED, 1 + other % 4)
        elif deed == "snooze" and case.is_snoozed:
            desk.wake(case)
            self.note(case, Deed.WOKEN)
        elif deed == "snooze":
            desk.snooze(case)
            self.note(case, Deed.SNOOZED)
        elif deed == "resolve":
            self.note(case, Deed.CLOSED, int(is_held))
            desk.resolve(case)


def replay(
    history: History,
    rules: Mapping[int, Policy],
    people: Sequence[Person],
    **more: Any,
) -> tuple[list[Line], dict[int, tuple[Outcome, Outcome]]]:
    """Return the lines of a replay, and each ticket's real and rehearsed outcome."""
    lines: list[Line] = []
    ended: dict[int, tuple[Outcome, Outcome]] = {}
    setting = Setting(rules, people, NOON, history.desk.now, history.changes, **more)
    Replay(
        setting,
        lambda story, real, would: ended.update({story.id: (real, would)}),
        log=lambda _, line: lines.append(line),
    ).run(list(history.stories.values()))
    return lines, ended


@settings(max_examples=cases(400), deadline=None)
@given(worlds(), steps)
def test_by_the_rules_that_were_on_all_happens_as_it_did(world: Any, story: Any) -> None:
    rules, people = world
    history = History(rules, people)
    for deed, one, other, seconds in story:
        history.desk.now += seconds * SECOND
        history.settle()
        history.act(deed, one, other)
        history.settle()
    lines, ended = replay(history, rules, people)
    assert lines == history.desk.lines
    for real, would in ended.values():
        assert (real.held_at, real.user_id, real.answered_at) == (
            would.held_at,
            would.user_id,
            would.answered_at,
        )


@settings(max_examples=cases(200), deadline=None)
@given(worlds(), worlds(), steps)
def test_by_other_rules_the_promises_hold_and_no_ticket_is_lost(
    world: Any, other_world: Any, story: Any
) -> None:
    history = History(*world)
    for deed, one, other, seconds in story:
        history.desk.now += seconds * SECOND
        history.settle()
        history.act(deed, one, other)
        history.settle()
    rules, people = other_world[0], world[1]
    lines, ended = replay(history, rules, people)
    assert set(ended) == set(history.stories)
    members = {each.id: each.queues for each in people}
    for line in lines:
        if line.why in GIVEN:
            assert line.queue_id in members[line.to_user or 0]
            assert rules[line.queue_id].mode != Mode.MANUAL
    again, _ = replay(history, rules, people)
    assert again == lines


def tell(story: Story, *happenings: tuple[float, Deed, int]) -> Story:
    """Give a story what happened, in minutes after noon."""
    story.happenings = [
        Happening(NOON + at * MINUTE, deed, value) for at, deed, value in happenings
    ]
    return story


def waiting(number: int, minute: float = 0, **more: Any) -> Story:
    at = NOON + minute * MINUTE
    return Story(number, number, number, at, at, queue_id=1, **more)


def outcomes(
    stories: Sequence[Story], policy: Policy, people: Sequence[Person], **more: Any
) -> dict[int, Outcome]:
    found: dict[int, Outcome] = {}
    setting = Setting({1: policy}, people, NOON, NOON + 600 * MINUTE, **more)
    Replay(setting, lambda story, _, would: found.update({story.id: would})).run(stories)
    return found


MANUAL = Policy()
ANA, BIA = Person(1, frozenset({1})), Person(2, frozenset({1}))


def test_what_was_taken_late_by_hand_is_given_and_answered_so_much_earlier() -> None:
    story = tell(
        waiting(1),
        (0, Deed.HEARD, 0),
        (20, Deed.HEARD, 0),
        (30, Deed.TAKEN, 2),
        (33, Deed.ANSWERED, 1),
        (40, Deed.CLOSED, 1),
    )
    assert lived(story).seconds_to(lived(story).answered_at) == 33 * 60
    would = outcomes([story], AUTOMATIC, [ANA, BIA])[1]
    assert (would.user_id, would.held_at) == (1, NOON)
    assert would.answered_at == NOON + 3 * MINUTE
    assert would.closed_at == NOON + 10 * MINUTE
    # By hand all is as it was.
    assert outcomes([story], MANUAL, [ANA, BIA])[1].answered_at == NOON + 33 * MINUTE


def test_a_small_capacity_makes_contacts_wait_for_room() -> None:
    stories = [
        tell(
            waiting(n),
            (0, Deed.HEARD, 0),
            (0, Deed.GIVEN, 1),
            (5, Deed.ANSWERED, 1),
            (10, Deed.CLOSED, 1),
        )
        for n in (1, 2)
    ]
    would = outcomes(stories, AUTOMATIC, [replace(ANA, capacity=1)])
    assert [would[n].held_at for n in (1, 2)] == [NOON, NOON + 10 * MINUTE]
    assert would[2].answered_at == NOON + 15 * MINUTE


def test_who_does_not_answer_loses_the_ticket_to_one_who_usually_does() -> None:
    quick = tell(waiting(1), (0, Deed.GIVEN, 2), (2, Deed.ANSWERED, 1), (3, Deed.CLOSED, 1))
    slow = tell(waiting(2, 20), (20, Deed.HEARD, 0), (20, Deed.GIVEN, 1), (60, Deed.ANSWERED, 1))
    policy = replace(AUTOMATIC, return_after=10 * MINUTE)
    would = outcomes([quick, slow], policy, [ANA, BIA])
    assert would[2].returns == 1
    # After ten minutes it goes to the other, who answers as usual: after two, or after forty.
    assert would[2].answered_at in {NOON + 32 * MINUTE, NOON + 70 * MINUTE}


def test_no_time_runs_while_a_ticket_is_snoozed_and_anew_when_it_wakes() -> None:
    story = tell(
        waiting(1),
        (0, Deed.HEARD, 0),
        (0, Deed.GIVEN, 1),
        (2, Deed.SNOOZED, 0),
        (30, Deed.WOKEN, 0),
        (90, Deed.ANSWERED, 1),
    )
    policy = replace(AUTOMATIC, return_after=10 * MINUTE)
    lines: list[Line] = []
    setting = Setting({1: policy}, [ANA, BIA], NOON, NOON + 45 * MINUTE)
    Replay(setting, lambda *_: None, log=lambda _, line: lines.append(line)).run([story])
    assert [(line.why, line.at) for line in lines if line.to_user is None] == [
        (Why.UNANSWERED, NOON + 40 * MINUTE)
    ]


def test_what_nobody_had_is_answered_as_is_usual() -> None:
    usual = tell(waiting(1), (0, Deed.TAKEN, 2), (2, Deed.ANSWERED, 1), (9, Deed.CLOSED, 1))
    left = tell(waiting(2, 20), (20, Deed.HEARD, 0), (500, Deed.CLOSED, 0))
    would = outcomes([usual, left], AUTOMATIC, [ANA, BIA])
    assert would[2].answered_at == NOON + 22 * MINUTE
    assert would[2].closed_at == NOON + 29 * MINUTE


def test_where_nobody_may_take_by_hand_people_wait_for_the_queue() -> None:
    story = tell(waiting(1), (0, Deed.HEARD, 0), (5, Deed.TAKEN, 1), (6, Deed.ANSWERED, 1))
    closed = replace(AUTOMATIC, manual_accept=False)
    away = replace(ANA, presence=Presence.OFFLINE)
    assert outcomes([story], AUTOMATIC, [away])[1].answered_at == NOON + 6 * MINUTE
    assert outcomes([story], closed, [away])[1].held_at is None
    online = [Change(NOON + 60 * MINUTE, 1, presence=Presence.ONLINE)]
    would = outcomes([story], closed, [away], changes=online)[1]
    assert would.answered_at == NOON + 61 * MINUTE
    boss = outcomes([story], closed, [away], supervisors=frozenset({1}))[1]
    assert boss.answered_at == NOON + 6 * MINUTE


@pytest.mark.parametrize(("sticky", "user_id"), [(Sticky.OFF, 1), (Sticky.SAME_QUEUE, 2)])
def test_a_contact_who_comes_again_goes_to_who_served_it(sticky: Sticky, user_id: int) -> None:
    first = tell(waiting(1), (0, Deed.TAKEN, 2), (1, Deed.ANSWERED, 1), (2, Deed.CLOSED, 1))
    policy = replace(AUTOMATIC, sticky=sticky)
    # The first one goes to Bia also here: Ana is not there yet.
    away = replace(ANA, presence=Presence.OFFLINE)
    changes = [Change(NOON + 5 * MINUTE, 1, presence=Presence.ONLINE)]
    again = Story(2, 9, 1, NOON + 9 * MINUTE, NOON + 9 * MINUTE, queue_id=1)
    would = outcomes([first, again], policy, [away, BIA], changes=changes)
    assert (would[1].user_id, would[2].user_id) == (2, user_id)


def test_the_report_has_both_sides_and_what_differs_most() -> None:
    tally = Tally()
    for number in range(1, 61):
        real = Outcome(NOON, NOON + number * MINUTE, 1, NOON + number * MINUTE)
        would = Outcome(NOON, NOON, 2, NOON) if number > 1 else real
        tally.add(waiting(number), real, would)
    found = tally.plain()
    assert (found["matched"], found["changed"]) == (60, 59)
    assert found["before"]["answers"] == {"count": 60, "median": 1800.0, "p90": 3240.0}
    assert found["after"]["answers"]["median"] == 0.0
    assert found["people"] == [
        {"userId": 2, "before": 0, "after": 59},
        {"userId": 1, "before": 60, "after": 1},
    ]
    assert len(found["samples"]) == 50
    assert found["samples"][0]["ticketId"] == 60
    assert found["samples"][0]["before"]["answerSeconds"] == 3600.0
