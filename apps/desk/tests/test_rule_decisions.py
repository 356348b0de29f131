"""What rules do, and that they come to an end whatever they say (rules/desk §12 and §13)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.common.hours import hours_of
from apps.desk.decisions.conditions import FIELDS, AllOf, AnyOf, Check, Condition, Not, Operator
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.rule_forms import condition_of, rule_of
from apps.desk.decisions.rules import (
    DEEPEST,
    LEAVES,
    MOST_RUNS,
    RUNS_WITHIN,
    Action,
    Do,
    Event,
    Refusal,
    Refused,
    Rule,
    Snapshot,
    Trigger,
    When,
    changes,
    due,
    moments,
    names,
    play,
    seen,
    starts_itself,
)
from apps.desk.decisions.sla import Clock, Kind
from apps.desk.decisions.sla import When as StepWhen
from tests.lengths import cases

NOW = datetime(2026, 3, 2, 15, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
IDS = (1, 2, 3)
CAUSES = (
    When.OPENED,
    When.MESSAGE_IN,
    When.MESSAGE_OUT,
    When.TAG_SET,
    When.TAG_TAKEN,
    When.QUEUE_CHANGED,
    When.ASSIGNED,
    When.RESOLVED,
    When.LANE_CHANGED,
)


def tag(tag_id: int) -> Action:
    return Action(Do.ADD_TAG, id=tag_id)


def rule(
    rule_id: int, when: When, *actions: Action, ids: Sequence[int] = (), **fields: Any
) -> Rule:
    return Rule(rule_id, Trigger(when, frozenset(ids)), actions, **fields)


ACTIONS = st.one_of(
    st.builds(Action, do=st.just(Do.ADD_TAG), id=st.sampled_from(IDS), is_lane=st.booleans()),
    st.builds(Action, do=st.just(Do.REMOVE_TAG), id=st.sampled_from(IDS)),
    st.builds(Action, do=st.just(Do.QUEUE), id=st.sampled_from(IDS)),
    st.builds(Action, do=st.just(Do.PERSON), id=st.sampled_from((None, *IDS))),
    st.builds(Action, do=st.just(Do.PRIORITY), priority=st.integers(1, 4)),
    st.sampled_from(
        [
            Action(Do.SEND_TEXT, text="Olá"),
            Action(Do.RESOLVE),
            Action(Do.SNOOZE),
            Action(Do.NOTE, text="Visto"),
            Action(Do.TELL, tells="supervisors"),
        ]
    ),
)
RULES = st.lists(
    st.tuples(
        st.sampled_from(CAUSES),
        st.frozensets(st.sampled_from(IDS), max_size=1),
        st.lists(ACTIONS, min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=6,
).map(
    lambda rows: [
        Rule(number, Trigger(when, ids), actions)
        for number, (when, ids, actions) in enumerate(rows, start=1)
    ]
)
EVENTS = st.builds(
    Event,
    when=st.sampled_from(CAUSES),
    at=st.just(NOW),
    id=st.sampled_from((None, *IDS)),
    text=st.just("oi"),
)
SNAPSHOTS = st.builds(
    Snapshot,
    id=st.just(1),
    status=st.sampled_from(("open", "pending", "closed")),
    queue_id=st.sampled_from((None, *IDS)),
    user_id=st.sampled_from((None, *IDS)),
    tags=st.frozensets(st.sampled_from(IDS)),
    priority=st.integers(1, 4),
)


@settings(max_examples=cases(2000), deadline=None)
@given(RULES, SNAPSHOTS, EVENTS)
def test_every_chain_ends_and_no_rule_starts_itself(
    rules: Sequence[Rule], snapshot: Snapshot, event: Event
) -> None:
    played = play(rules, snapshot, event, NOW)
    state = snapshot
    for run in played.runs:
        # Nothing else changes the ticket, and a refused run changes nothing.
        assert run.before == state
        assert (run.after == run.before) or not run.refusal
        state = run.after
        if not run.refusal:
            assert run.rule_id not in run.event.chain
            assert len(run.event.chain) < DEEPEST
        if run.refusal == Refusal.ITSELF:
            assert run.rule_id in run.event.chain
        if run.refusal == Refusal.CHAIN:
            assert len(run.event.chain) == DEEPEST
    assert played.snapshot == state
    for each in rules:
        done = [run for run in played.runs if run.rule_id == each.id and not run.refusal]
        assert len(done) <= MOST_RUNS


@settings(max_examples=cases(500), deadline=None)
@given(RULES, SNAPSHOTS, EVENTS, st.integers(1, 6))
def test_what_is_not_carried_out_is_as_if_the_rule_were_off(
    rules: Sequence[Rule], snapshot: Snapshot, event: Event, refused_id: int
) -> None:
    def refuse(each: Rule, _event: Event, _before: Snapshot, _after: Snapshot) -> None:
        if each.id == refused_id:
            raise Refused("ERR_ANY", 0)

    with_refusal = play(rules, snapshot, event, NOW, refuse)
    without = play([each for each in rules if each.id != refused_id], snapshot, event, NOW)
    assert with_refusal.snapshot == without.snapshot


@settings(max_examples=cases(300), deadline=None)
@given(SNAPSHOTS, SNAPSHOTS)
def test_changes_tell_all_that_rules_are_started_by(before: Snapshot, after: Snapshot) -> None:
    told = {(each.when, each.id) for each in changes(before, after, NOW)}
    assert ((When.QUEUE_CHANGED, after.queue_id) in told) == (before.queue_id != after.queue_id)
    assert {pk for when, pk in told if when == When.TAG_SET} == after.tags - before.tags
    assert {pk for when, pk in told if when == When.TAG_TAKEN} == before.tags - after.tags
    assert ((When.RESOLVED, None) in told) == (before.is_live and not after.is_live)


def test_rules_run_in_order_and_each_sees_what_the_ones_before_did() -> None:
    has_tag = Check("tag", values=(1,))
    rules = [
        rule(1, When.MESSAGE_IN, tag(1)),
        rule(2, When.MESSAGE_IN, tag(2), condition=has_tag),
        rule(3, When.MESSAGE_IN, tag(3), condition=Not(has_tag)),
    ]
    played = play(rules, Snapshot(1), Event(When.MESSAGE_IN, NOW), NOW)
    assert [run.rule_id for run in played.runs] == [1, 2]
    assert played.snapshot.tags == {1, 2}


def test_a_chain_ends_at_its_third_rule_and_says_so() -> None:
    rules = [rule(n, When.TAG_SET, tag(n + 1), ids=(n,)) for n in range(1, 6)]
    event = Event(When.TAG_SET, NOW, id=1)
    runs = play(rules, Snapshot(1, tags=frozenset({1})), event, NOW).runs
    assert [(run.rule_id, run.refusal) for run in runs] == [(1, ""), (2, ""), (3, ""), (4, "chain")]
    assert runs[-1].event.chain == (1, 2, 3)


def test_two_rules_that_start_each_other_end_with_a_reason() -> None:
    rules = [
        rule(1, When.QUEUE_CHANGED, Action(Do.QUEUE, id=2), ids=(1,)),
        rule(2, When.QUEUE_CHANGED, Action(Do.QUEUE, id=1), ids=(2,)),
    ]
    event = Event(When.QUEUE_CHANGED, NOW, id=1)
    played = play(rules, Snapshot(1, queue_id=1), event, NOW)
    assert [(run.rule_id, run.refusal) for run in played.runs] == [
        (1, ""),
        (2, ""),
        (1, "itself"),
    ]
    assert played.snapshot.queue_id == 1


def test_one_rule_answers_a_ticket_ten_times_an_hour_at_most() -> None:
    rules = [rule(1, When.MESSAGE_IN, Action(Do.SEND_TEXT, text="Olá"))]
    snapshot, refusals = Snapshot(1), []
    for minute in range(70):
        now = NOW + minute * MINUTE
        played = play(rules, snapshot, Event(When.MESSAGE_IN, now), now)
        snapshot = played.snapshot
        refusals.append(played.runs[0].refusal)
    assert refusals.count("") == MOST_RUNS + (70 - int(RUNS_WITHIN / MINUTE))
    assert set(refusals[MOST_RUNS:60]) == {"often"}


def test_what_would_change_nothing_is_no_run() -> None:
    rules = [rule(1, When.MESSAGE_IN, tag(1), Action(Do.PRIORITY, priority=3))]
    snapshot = Snapshot(1, tags=frozenset({1}))
    assert play(rules, snapshot, Event(When.MESSAGE_IN, NOW), NOW).runs == []


def test_a_snoozed_ticket_is_snoozed_until_another_moment() -> None:
    rules = [rule(1, When.MESSAGE_IN, Action(Do.SNOOZE, minutes=60))]
    snapshot = Snapshot(1, is_snoozed=True)
    [run] = play(rules, snapshot, Event(When.MESSAGE_IN, NOW), NOW).runs
    assert run.refusal == ""


@pytest.mark.parametrize("action", [each for each in Do if each in LEAVES or each == Do.NOTE])
def test_what_reaches_somebody_is_a_run_though_nothing_changes(action: Do) -> None:
    rules = [rule(1, When.MESSAGE_IN, Action(action, text="Olá", tells="holder"))]
    [run] = play(rules, Snapshot(1), Event(When.MESSAGE_IN, NOW), NOW).runs
    assert run.refusal == ""


def test_a_resolved_ticket_is_not_moved_and_a_closed_window_takes_no_text() -> None:
    for snapshot, action, why in (
        (Snapshot(1, status="closed"), Action(Do.QUEUE, id=1), Refusal.CLOSED),
        (
            Snapshot(1, window_closes_at=NOW - MINUTE),
            Action(Do.SEND_TEXT, text="Olá"),
            Refusal.WINDOW,
        ),
    ):
        rules = [rule(1, When.RATED, tag(1), action)]
        [run] = play(rules, snapshot, Event(When.RATED, NOW), NOW).runs
        # The tag before it is not set either.
        assert (run.refusal, run.action, run.after) == (why, 1, snapshot)


def test_a_rule_is_started_by_nothing_from_before_it_was_on() -> None:
    rules = [rule(1, When.MESSAGE_IN, tag(1), since=NOW)]
    assert play(rules, Snapshot(1), Event(When.MESSAGE_IN, NOW - MINUTE), NOW).runs == []
    assert len(play(rules, Snapshot(1), Event(When.MESSAGE_IN, NOW), NOW).runs) == 1


def test_a_column_of_the_board_takes_the_place_of_another() -> None:
    lane = Action(Do.ADD_TAG, id=2, is_lane=True)
    rules = [rule(1, When.MESSAGE_IN, lane), rule(2, When.LANE_CHANGED, tag(9), ids=(2,))]
    snapshot = Snapshot(1, tags=frozenset({1, 5}), lane_id=1)
    played = play(rules, snapshot, Event(When.MESSAGE_IN, NOW), NOW)
    assert (sorted(played.snapshot.tags), played.snapshot.lane_id) == ([2, 5, 9], 2)


@pytest.mark.parametrize(
    ("trigger", "action", "expected"),
    [
        (Trigger(When.TAG_SET), tag(1), True),
        (Trigger(When.TAG_SET, frozenset({1})), tag(1), True),
        (Trigger(When.TAG_SET, frozenset({2})), tag(1), False),
        (Trigger(When.QUEUE_CHANGED), Action(Do.QUEUE, id=1), True),
        (Trigger(When.MESSAGE_OUT), Action(Do.SEND_TEXT, text="a"), True),
        (Trigger(When.MESSAGE_IN), Action(Do.SEND_TEXT, text="a"), False),
        (Trigger(When.RESOLVED), Action(Do.RESOLVE), True),
    ],
)
def test_a_rule_that_does_what_starts_it_is_known(
    trigger: Trigger, action: Action, expected: bool
) -> None:
    assert starts_itself(Rule(1, trigger, [action])) is expected


def test_all_that_a_rule_names_is_known() -> None:
    stored = rule_of(
        1,
        trigger={"when": "queue_changed", "ids": [4]},
        condition={
            "all": [
                {"field": "tag", "values": [5]},
                {"not": {"any": [{"field": "person", "values": [6]}]}},
                {"field": "message", "operator": "contains", "values": ["7"]},
                {"field": "rate", "values": [1]},
            ]
        },
        actions=[{"do": "send_quick", "id": 8}, {"do": "person", "id": None}],
    )
    assert names(stored) == {("queue", 4), ("tag", 5), ("person", 6), ("quick", 8)}


# Conditions ---------------------------------------------------------------------------------

CHECKS = st.sampled_from(
    [
        Check("status", values=("open",)),
        Check("queue", values=(1, 2)),
        Check("queue", Operator.EMPTY),
        Check("tag", values=(3,)),
        Check("tag", Operator.EMPTY),
        Check("priority", values=("normal", "high")),
        Check("message", Operator.CONTAINS, ("OI",)),
    ]
)
TREES: st.SearchStrategy[Condition] = st.recursive(
    CHECKS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(AllOf),
        st.lists(inner, max_size=3).map(AnyOf),
        inner.map(Not),
    ),
    max_leaves=8,
)


@settings(max_examples=cases(1000), deadline=None)
@given(st.lists(TREES, max_size=3), SNAPSHOTS, EVENTS)
def test_all_any_and_not_are_what_logic_says(
    parts: list[Condition], snapshot: Snapshot, event: Event
) -> None:
    look = seen(snapshot, event, NOW)
    each = [part.holds(look) for part in parts]
    assert AllOf(parts).holds(look) == all(each)
    assert AnyOf(parts).holds(look) == any(each)
    assert Not(AllOf(parts)).holds(look) == AnyOf([Not(part) for part in parts]).holds(look)


LATE = datetime(2026, 3, 2, 22, 30, tzinfo=UTC)  # a Monday
OFFICE = Calendar(
    UTC, hours_of([{"weekdayEn": "monday", "startTime": "08:00", "endTime": "18:00"}])
)


@pytest.mark.parametrize(
    ("form", "holds"),
    [
        ({"field": "message", "operator": "contains", "values": ["BOLETO", "x"]}, True),
        ({"field": "message", "operator": "is", "values": ["quero o boléto"]}, True),
        ({"field": "message", "operator": "starts", "values": ["boleto"]}, False),
        ({"field": "message", "operator": "empty"}, False),
        ({"field": "contactField", "name": "CIDADE", "values": ["são paulo"]}, True),
        ({"field": "contactField", "name": "Plano", "operator": "empty"}, True),
        ({"field": "name", "operator": "contains", "values": ["josé"]}, True),
        ({"field": "number", "operator": "starts", "values": ["5511"]}, True),
        ({"field": "person", "operator": "empty"}, True),
        ({"field": "leads", "values": ["bot"]}, True),
        ({"field": "kind", "values": ["group"]}, False),
        ({"field": "media", "values": ["audio", "text"]}, True),
        ({"field": "rate", "values": [1]}, False),
        ({"field": "hour", "operator": "between", "values": [22 * 60, 6 * 60]}, True),
        ({"field": "hour", "operator": "between", "values": [8 * 60, 18 * 60]}, False),
        ({"field": "weekday", "values": [0]}, True),
        ({"field": "hours", "values": ["closed"]}, True),
        ({"not": {"field": "hours", "values": ["open"]}}, True),
    ],
)
def test_each_field_is_looked_at_as_its_sentence_says(form: dict[str, object], holds: bool) -> None:
    snapshot = Snapshot(
        1,
        is_led=True,
        contact_name="Jose Silva",
        contact_number="5511987654321",
        contact_fields={"cidade": "Sao Paulo"},
        calendar=OFFICE,
    )
    event = Event(When.MESSAGE_IN, LATE, text=" Quero o boleto ", media="text")
    assert condition_of(form).holds(seen(snapshot, event, LATE)) is holds


def test_every_field_can_be_looked_at() -> None:
    look = seen(Snapshot(1), Event(When.MESSAGE_IN, NOW), NOW)
    for name, operators in FIELDS.items():
        for operator in operators:
            values = (0, 60) if operator == Operator.BETWEEN else ("a",)
            assert isinstance(Check(name, operator, values, "Cidade").holds(look), bool)


# Moments ------------------------------------------------------------------------------------


def timed(when: When, minutes: int, *actions: Action, **fields: object) -> Rule:
    return Rule(1, Trigger(when, minutes=minutes, **fields), actions or (tag(1),))  # type: ignore[arg-type]


@settings(max_examples=cases(500), deadline=None)
@given(
    st.lists(st.sampled_from(("contact", "us", "nothing")), min_size=1, max_size=40),
    st.integers(1, 5),
)
def test_we_are_reminded_once_for_each_silence_and_on_time(words: list[str], minutes: int) -> None:
    """Each minute somebody writes or nobody does, and the rule looks when its moment comes."""
    rules = [timed(When.WE_SILENT, minutes, Action(Do.TELL, tells="holder"))]
    snapshot = Snapshot(1, seen_until=NOW - MINUTE)
    since: datetime | None = None
    expected, happened = [], []
    for number, word in enumerate(words):
        now = NOW + number * MINUTE
        # What is due has come before the next word.
        if since is not None and now == since + minutes * MINUTE:
            expected.append(now)
        for event in due(rules, snapshot, now):
            played = play(rules, snapshot, event, now)
            happened += [now for run in played.runs if not run.refusal]
            snapshot = played.snapshot
        snapshot = replace(snapshot, seen_until=now)
        if word == "contact":
            since = since or now
            snapshot = replace(
                snapshot,
                unanswered_since=snapshot.unanswered_since or now,
                contact_word_at=now,
                our_word_at=None,
            )
        elif word == "us":
            since = None
            snapshot = replace(snapshot, unanswered_since=None, our_word_at=now)
    assert happened == expected[:MOST_RUNS]


def test_a_silent_contact_is_reminded_once_until_the_next_word() -> None:
    rules = [timed(When.CONTACT_SILENT, 10, Action(Do.SEND_TEXT, text="Ainda aí?"))]
    snapshot = Snapshot(1, contact_word_at=NOW - 5 * MINUTE, our_word_at=NOW)
    assert [each.at for each in moments(rules, snapshot)] == [NOW + 10 * MINUTE]
    later = NOW + 10 * MINUTE
    [event] = due(rules, snapshot, later)
    snapshot = play(rules, snapshot, event, later).snapshot
    # Its own reminder is the latest word now, and starts nothing.
    assert snapshot.our_word_at == later
    assert moments(rules, replace(snapshot, seen_until=later)) == []
    answered = replace(snapshot, contact_word_at=later + MINUTE, our_word_at=later + 2 * MINUTE)
    assert len(moments(rules, replace(answered, seen_until=later))) == 1


@pytest.mark.parametrize(
    "changed", [{"is_snoozed": True}, {"is_led": True}, {"status": "closed"}], ids=str
)
def test_silence_does_not_count_while_nobody_is_to_answer(changed: dict[str, object]) -> None:
    snapshot = Snapshot(1, unanswered_since=NOW)
    rules = [timed(When.WE_SILENT, 10)]
    assert len(moments(rules, snapshot)) == 1
    assert moments(rules, replace(snapshot, **changed)) == []  # type: ignore[arg-type]


def test_in_hours_a_silence_waits_for_the_morning() -> None:
    snapshot = Snapshot(1, unanswered_since=LATE, calendar=OFFICE)
    [anytime] = moments([timed(When.WE_SILENT, 30)], snapshot)
    # Only Monday is closed at night.
    [in_hours] = moments([timed(When.WE_SILENT, 30, in_hours=True)], snapshot)
    assert anytime.at == LATE + 30 * MINUTE
    assert in_hours.at == datetime(2026, 3, 3, 0, 30, tzinfo=UTC)


def test_a_window_tells_before_it_closes_and_once() -> None:
    rules = [timed(When.WINDOW_CLOSES, 120)]
    snapshot = Snapshot(1, window_closes_at=NOW)
    [moment] = moments(rules, snapshot)
    assert moment.at == NOW - 120 * MINUTE
    done = frozenset({(1, moment.anchor)})
    assert moments(rules, replace(snapshot, done=done)) == []


def test_a_deadline_starts_a_rule_at_the_step_that_it_names() -> None:
    clock = Clock(
        Kind.FIRST,
        1,
        60,
        started_at=NOW,
        left=timedelta(hours=1),
        runs_from=NOW,
        due_at=NOW + 60 * MINUTE,
        warns_at=NOW + 45 * MINUTE,
        id=7,
    )
    snapshot = Snapshot(1, clocks=[clock])
    for step, minutes, at in (
        (StepWhen.QUARTER, 0, 45),
        (StepWhen.DUE, 0, 60),
        (StepWhen.AFTER, 15, 75),
    ):
        [moment] = moments([timed(When.SLA_STEP, minutes, step=step)], snapshot)
        assert (moment.at, moment.anchor) == (NOW + at * MINUTE, "clock:7")
    assert moments([timed(When.SLA_STEP, 0, kind=Kind.RESOLUTION)], snapshot) == []


def test_moments_from_before_the_rule_or_the_last_look_are_over() -> None:
    snapshot = Snapshot(1, unanswered_since=NOW)
    at = NOW + 10 * MINUTE
    [each] = moments([timed(When.WE_SILENT, 10)], snapshot)
    assert each.at == at
    young = replace(timed(When.WE_SILENT, 10), since=at)
    assert moments([young], snapshot) == []
    # Also after the machine's clock was set back.
    assert moments([timed(When.WE_SILENT, 10)], replace(snapshot, seen_until=at)) == []


def test_a_moment_starts_its_own_rule_alone() -> None:
    rules = [
        replace(timed(When.WE_SILENT, 10, tag(1)), id=1),
        replace(timed(When.WE_SILENT, 20, tag(2)), id=2),
    ]
    snapshot = Snapshot(1, unanswered_since=NOW)
    now = NOW + 10 * MINUTE
    [event] = due(rules, snapshot, now)
    assert play(rules, snapshot, event, now).snapshot.tags == {1}
