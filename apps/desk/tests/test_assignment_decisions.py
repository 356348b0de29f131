"""The promises of the distribution, on a virtual clock and without a database (rules/desk §3)."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.desk.decisions.assignment import (
    Channel,
    Decision,
    Held,
    Mode,
    OfflineAction,
    Order,
    Person,
    Policy,
    Presence,
    ReturnTo,
    Snapshot,
    Sticky,
    Turn,
    Verdict,
    Waiting,
    Why,
    decide,
    judge_return,
    points,
    reservation,
    return_moment,
)
from apps.desk.decisions.cases import Case
from apps.desk.tests.virtual import AUTOMATIC, CONTACT, NOON, Desk, counts, desk_of
from tests.lengths import cases

MINUTE = timedelta(minutes=1)
SKILLS = (7, 8)
MODES = st.sampled_from(list(Mode))

policies = st.builds(
    Policy,
    mode=MODES,
    order=st.sampled_from(list(Order)),
    sticky=st.sampled_from(list(Sticky)),
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
        queues=st.frozensets(st.integers(1, 3), max_size=3),
        presence=st.sampled_from(list(Presence)),
        is_connected=st.sampled_from([True, True, True, False]),
        is_within_hours=st.sampled_from([True, True, False]),
        capacity=st.sampled_from([0, 1, 3, 6]),
        skills=st.frozensets(st.sampled_from(SKILLS)),
    )


@st.composite
def desks(draw: Any) -> Desk:
    rules = {number: draw(policies) for number in (1, 2, 3)}
    people = {number: draw(person(number)) for number in range(1, draw(st.integers(1, 5)) + 1)}
    return Desk(rules, people)


DEEDS = st.sampled_from(
    [
        *["arrive"] * 5,
        *("answer", "answer", "hear", "resolve", "snooze", "presence", "hours", "member", "wait"),
    ]
)
# A deed with the numbers by which it chooses whom and what it is about.
steps = st.lists(
    st.tuples(DEEDS, st.integers(0, 50), st.integers(0, 50), st.sampled_from([0, 0.5, 4, 11])),
    max_size=40,
)


def act(desk: Desk, deed: str, one: int, other: int) -> None:
    tickets, ids = list(desk.tickets.values()), list(desk.people)
    who = ids[other % len(ids)]
    if deed == "arrive":
        desk.arrive(
            1 + one % 3,
            channel=Channel.CALL if other % 5 == 0 else Channel.WHATSAPP,
            skills=frozenset({SKILLS[other % 2]}) if other % 4 == 0 else frozenset(),
            priority=1 + other % 4,
            prefers=who if other % 6 == 0 else None,
            prefers_until=desk.now + 2 * MINUTE if other % 6 == 0 else None,
        )
    elif deed == "presence":
        desk.choose(who, list(Presence)[one % 3])
    elif deed == "hours":
        now = desk.people[who]
        desk.change_person(replace(now, is_within_hours=not now.is_within_hours))
    elif deed == "member":
        now = desk.people[who]
        desk.change_person(replace(now, queues=now.queues ^ {1 + one % 3}))
    elif tickets:
        ticket = tickets[one % len(tickets)]
        if deed == "answer" and ticket.value.user_id is not None:
            desk.answer(ticket)
        elif deed == "hear":
            desk.hear(ticket, CONTACT)
        elif deed == "resolve":
            desk.resolve(ticket)
        elif deed == "snooze" and ticket.is_snoozed:
            desk.wake(ticket)
        elif deed == "snooze":
            desk.snooze(ticket)


def could_take(desk: Desk, who: int, ticket: Case) -> bool:
    """Tell whether a person may be given a ticket now, said without the decision's own words."""
    someone, policy = desk.people[who], desk.policies[ticket.value.queue_id or 0]
    recent = [
        line
        for line in desk.log
        if (line.user_id, line.queue_id) == (who, ticket.value.queue_id)
        and line.at > desk.now - policy.fair_window
    ]
    weight = 3 if ticket.value.channel == Channel.CALL else 1
    return (
        ticket.value.queue_id in someone.queues
        and someone.presence == Presence.ONLINE
        and someone.is_connected
        and someone.is_within_hours
        and ticket.skills <= someone.skills
        and (someone.capacity == 0 or desk.load(who) + weight <= someone.capacity)
        and len(recent) < policy.fair_limit
    )


@settings(max_examples=cases(300), deadline=None)
@given(desks(), steps)
def test_whatever_happens_the_promises_hold(desk: Desk, story: Any) -> None:
    for deed, one, other, minutes in story:
        act(desk, deed, one, other)
        desk.now += timedelta(minutes=minutes)
        for line in desk.tick():
            someone, ticket = desk.people[line.user_id], desk.tickets[line.ticket_id]
            # Nobody paused, offline, away, out of hours, out of the queue or unskilled.
            assert someone.presence == Presence.ONLINE
            assert someone.is_connected and someone.is_within_hours
            assert line.queue_id in someone.queues
            assert ticket.skills <= someone.skills
            # Never two owners, and what is given by hand alone is not given.
            assert ticket.value.user_id == line.user_id
            assert ticket.value.aside is None and not ticket.is_snoozed
            assert desk.policies[line.queue_id].mode != Mode.MANUAL
            # Nobody over capacity.
            assert not someone.capacity or desk.load(line.user_id) <= someone.capacity
            policy = desk.policies[line.queue_id]
            recent = [
                each
                for each in desk.log
                if (each.user_id, each.queue_id) == (line.user_id, line.queue_id)
                and each.at > desk.now - policy.fair_window
            ]
            assert len(recent) <= policy.fair_limit
        # What the books say of loads is what a count says.
        assert {who: desk.load(who) for who in desk.people} == {
            who: each.load for who, each in desk.people.items()
        }
        for ticket in desk.tickets.values():
            now = ticket.value
            if now.user_id is not None or ticket.is_snoozed:
                continue
            # A queue sees it, and where it is the supervisors', they were told.
            assert now.queue_id in desk.policies
            assert now.aside != ReturnTo.SUPERVISORS or ticket.id in desk.alerts
            if now.aside is not None or desk.policies[now.queue_id].mode == Mode.MANUAL:
                continue
            if now.prefers_until is not None and now.prefers_until > desk.now:
                continue
            # Nothing waits while somebody has room.
            assert not [who for who in desk.people if could_take(desk, who, ticket)]


@settings(max_examples=cases(100), deadline=None)
@given(st.integers(2, 6), st.lists(st.integers(0, 7), min_size=1, max_size=30))
def test_in_round_robin_counts_of_equally_free_people_differ_by_at_most_one(
    people: int, arrivals: list[int]
) -> None:
    desk = desk_of(people, AUTOMATIC)
    for number in arrivals:
        for _ in range(number):
            desk.arrive(1)
        desk.go(0)
        got = counts(desk.log)
        totals = [got[who] for who in desk.people]
        assert max(totals) - min(totals) <= 1


@settings(max_examples=cases(100), deadline=None)
@given(st.integers(2, 5), st.integers(1, 12), st.integers(1, 4))
def test_a_return_never_goes_back_while_another_is_free(
    people: int, tickets: int, returns: int
) -> None:
    policy = replace(AUTOMATIC, return_after=3 * MINUTE, max_returns=returns)
    desk = desk_of(people, policy)
    for _ in range(tickets):
        desk.arrive(1)
    desk.tick()
    for _ in range(people + returns + 1):
        before = {each.id: set(each.value.returned_by) for each in desk.tickets.values()}
        for line in desk.go(3):
            others = set(desk.people) - before[line.ticket_id] - {line.user_id}
            gone = set(desk.tickets[line.ticket_id].value.returned_by)
            assert line.user_id not in gone or not others - gone
    assert all(each.value.aside == ReturnTo.SUPERVISORS for each in desk.tickets.values())
    assert desk.alerts == set(desk.tickets)


def test_the_highest_priority_goes_first_then_who_has_waited_longest() -> None:
    desk = desk_of(1, AUTOMATIC, capacity=1)
    first = desk.arrive(1)
    desk.now += MINUTE
    urgent = desk.arrive(1, priority=1)
    desk.tick()
    assert (urgent.value.user_id, first.value.user_id) == (1, None)


def test_the_oldest_may_go_before_who_waits_longest() -> None:
    def wait(number: int, *, since: int, opened: int) -> Waiting:
        return Waiting(number, 1, NOON + since * MINUTE, NOON + opened * MINUTE)

    waiting = [wait(1, since=0, opened=5), wait(2, since=3, opened=1)]
    people = [Person(9, frozenset({1}), capacity=1)]
    by_order = {}
    for order in Order:
        rules = {1: replace(AUTOMATIC, order=order)}
        [by_order[order]] = decide(Snapshot(NOON + 9 * MINUTE, rules, waiting, people)).given[:1]
    assert by_order[Order.LONGEST_WAITING].ticket_id == 1
    assert by_order[Order.OLDEST].ticket_id == 2


def test_the_least_busy_gets_all_that_makes_them_no_busier_than_others() -> None:
    desk = desk_of(2, Policy(mode=Mode.LEAST_BUSY))
    for _ in range(4):
        desk.hand_over(desk.arrive(1), 2)
    for _ in range(4):
        desk.arrive(1)
    assert counts(desk.tick()) == {1: 4}
    assert [line.why for line in desk.log] == [Why.LEAST_BUSY] * 4


def test_a_call_weighs_three_and_waits_for_so_much_room() -> None:
    desk = desk_of(1, AUTOMATIC, capacity=3)
    desk.arrive(1)
    desk.tick()
    call = desk.arrive(1, channel=Channel.CALL)
    text = desk.arrive(1)
    desk.tick()
    assert (call.value.user_id, text.value.user_id) == (None, 1)


def test_a_ticket_waits_for_its_person_and_then_goes_to_others() -> None:
    desk = desk_of(2, AUTOMATIC)
    desk.choose(1, Presence.PAUSED)
    ticket = desk.arrive(1, prefers=1, prefers_until=NOON + 5 * MINUTE)
    assert desk.tick() == []
    assert decide(desk.snapshot()) == Decision((), False, NOON + 5 * MINUTE)
    desk.go(5)
    assert ticket.value.user_id == 2
    other = desk.arrive(1, prefers=1, prefers_until=desk.now + 5 * MINUTE)
    desk.choose(1, Presence.ONLINE)
    [line] = desk.tick()
    assert (other.value.user_id, line.why) == (1, Why.STICKY)


def test_the_fair_limit_is_a_sliding_window_that_says_when_it_ends() -> None:
    desk = desk_of(1, replace(AUTOMATIC, fair_limit=2, fair_window=60 * MINUTE))
    for _ in range(3):
        desk.arrive(1)
        desk.go(10)
    assert len(desk.log) == 2
    assert decide(desk.snapshot()).again_at == NOON + 70 * MINUTE
    desk.now = NOON + 70 * MINUTE
    assert len(desk.tick()) == 1


def test_people_outside_their_hours_are_looked_at_again() -> None:
    people = [Person(1, frozenset({1}), is_within_hours=False)]
    snapshot = Snapshot(NOON, {1: AUTOMATIC}, [Waiting(1, 1, NOON, NOON)], people)
    assert decide(snapshot) == Decision((), False, NOON + MINUTE)


def test_what_waits_for_the_contact_weighs_nothing_after_the_release() -> None:
    held = Held(NOON, our_word_at=NOON)
    policy = replace(AUTOMATIC, release_after=10 * MINUTE)
    assert points(held, 1, policy, NOON + 9 * MINUTE) == 1
    assert points(held, 1, policy, NOON + 10 * MINUTE) == 0
    assert points(Held(NOON), 3, policy, NOON + 99 * MINUTE) == 3
    assert points(Held(NOON, is_apart=True), 3, policy, NOON) == 0


def test_the_time_to_answer_begins_with_the_later_of_word_and_giving() -> None:
    policy = replace(AUTOMATIC, return_after=5 * MINUTE)
    waited = Held(NOON + 2 * MINUTE, unanswered_since=NOON)
    assert return_moment(waited, policy) == NOON + 7 * MINUTE
    assert return_moment(replace(waited, unanswered_since=None), policy) is None
    assert return_moment(waited, AUTOMATIC) is None
    assert judge_return(waited, policy, Presence.ONLINE, NOON) == Verdict(at=NOON + 7 * MINUTE)


@pytest.mark.parametrize(
    ("presence", "returns", "verdict"),
    [
        (Presence.ONLINE, 0, Verdict(to=ReturnTo.NEXT)),
        (Presence.PAUSED, 0, Verdict(to=ReturnTo.NEXT)),
        (Presence.ONLINE, 2, Verdict(to=ReturnTo.SUPERVISORS)),
        # What is kept for somebody who left waits for them.
        (Presence.OFFLINE, 0, Verdict(at=NOON + 15 * MINUTE)),
    ],
)
def test_what_becomes_of_an_unanswered_ticket(
    presence: Presence, returns: int, verdict: Verdict
) -> None:
    policy = replace(AUTOMATIC, return_after=5 * MINUTE, max_returns=2)
    held = Held(NOON, unanswered_since=NOON, returns=returns)
    assert judge_return(held, policy, presence, NOON + 10 * MINUTE) == verdict


@pytest.mark.parametrize(
    ("sticky", "action", "is_reopened", "is_away", "minutes"),
    [
        (Sticky.OFF, OfflineAction.RETURN, True, True, None),
        (Sticky.OFF, OfflineAction.KEEP, False, True, None),
        (Sticky.OFF, OfflineAction.KEEP, True, False, None),
        (Sticky.OFF, OfflineAction.KEEP, True, True, 5),
        (Sticky.ANY, OfflineAction.RETURN, False, False, 2),
        (Sticky.ANY, OfflineAction.KEEP, True, True, 5),
    ],
)
def test_until_when_a_ticket_waits_for_its_person(
    sticky: Sticky, action: OfflineAction, is_reopened: bool, is_away: bool, minutes: int | None
) -> None:
    policy = Policy(sticky=sticky, offline_action=action, grace=5 * MINUTE, sticky_wait=2 * MINUTE)
    until = reservation(policy, since=NOON, is_reopened=is_reopened, is_away=is_away)
    assert until == (None if minutes is None else NOON + minutes * MINUTE)


def test_a_decision_of_one_ticket_among_500_people_is_cheap() -> None:
    people = [
        Person(number, frozenset({1}), capacity=5, load=number % 5, turns={1: Turn(number)})
        for number in range(1, 501)
    ]
    snapshot = Snapshot(NOON, {1: AUTOMATIC}, [Waiting(1, 1, NOON, NOON)], people)
    [given_to] = decide(snapshot).given
    assert given_to.user_id == 1


def test_what_nobody_can_take_does_not_hold_up_what_comes_after_it() -> None:
    desk = desk_of(1, AUTOMATIC)
    for _ in range(45):
        desk.arrive(1, skills=frozenset({7}))
    last = desk.arrive(1)
    [given_to] = desk.tick()
    assert given_to.ticket_id == last.id


def test_in_another_queue_a_ticket_waits_for_no_hand_any_more() -> None:
    policy = replace(AUTOMATIC, return_after=3 * MINUTE, return_to=ReturnTo.SUPERVISORS)
    desk = desk_of(1, policy, queues=2)
    ticket = desk.arrive(1)
    desk.tick()
    assert desk.go(3) == []
    assert (ticket.value.aside, ticket.value.returns) == (ReturnTo.SUPERVISORS, 1)
    desk.move(ticket, 2)
    assert [each.user_id for each in desk.tick()] == [1]
    assert (ticket.value.aside, ticket.value.returns) == (None, 0)


def test_an_answer_ends_the_count_of_returns() -> None:
    desk = desk_of(2, replace(AUTOMATIC, return_after=3 * MINUTE, max_returns=1))
    ticket = desk.arrive(1)
    desk.tick()
    desk.go(3)
    assert ticket.value.returns == 1
    desk.answer(ticket)
    desk.hear(ticket, CONTACT)
    desk.go(3)
    assert (ticket.value.returns, ticket.value.aside) == (1, None)
