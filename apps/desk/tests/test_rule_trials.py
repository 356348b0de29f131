"""A rehearsal of a rule meets what the rule would have met live (rules/desk §16)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from apps.desk.decisions.conditions import Condition
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.rules import Action, Do, Rule, Run, Trigger, When
from apps.desk.decisions.sla import Kind, Policy
from apps.desk.decisions.sla import When as Step
from apps.desk.decisions.stories import Deed, Happening, Story
from apps.desk.decisions.trials import Contact, RuleTrial
from apps.desk.decisions.watching import Times

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
NOTE = Action(Do.NOTE, text="Visto")
TEXT = Action(Do.SEND_TEXT, text="Olá")
SALES, HELP, ANA = 4, 5, 1
TIMES = [
    Policy(1, {Kind.FIRST: 20, Kind.RESOLUTION: 60}, queue_id=SALES),
    Policy(2, {Kind.FIRST: 5}, queue_id=HELP),
]
STORY = (
    (0, Deed.HEARD, 0),
    (1, Deed.WROTE, 0),
    (2, Deed.TAKEN, ANA),
    (3, Deed.ANSWERED, 1),
    (4, Deed.HEARD, 1),
    (5, Deed.MOVED, HELP),
    (6, Deed.TAKEN, ANA),
    (7, Deed.CLOSED, 1),
    (9, Deed.RATED, 5),
)


def runs_of(
    rule: Rule,
    happenings: Sequence[tuple[float, Deed, int]] = STORY,
    contact: Contact = Contact(),  # noqa: B008
) -> list[Run]:
    found: list[Run] = []
    calendar = Calendar()
    trial = RuleTrial(
        rule,
        lambda queue_id: calendar,
        lambda story, run: found.append(run),
        Times(TIMES, lambda queue_id: calendar),
    )
    story = Story(
        id=1,
        ticket_id=1,
        contact_id=1,
        began_at=NOON,
        opened_at=NOON,
        queue_id=SALES,
        happenings=[Happening(NOON + at * MINUTE, deed, value) for at, deed, value in happenings],
    )
    trial.try_on(story, contact, NOON + 100 * MINUTE)
    return found


def rule_of(when: When, action: Action = NOTE, condition: Condition | None = None) -> Rule:
    return Rule(1, Trigger(when), [action], condition)


@pytest.mark.parametrize(
    ("when", "minutes"),
    [
        (When.OPENED, [0]),
        # The bot's words are none of ours, and a call is no message.
        (When.MESSAGE_IN, [0]),
        (When.MESSAGE_OUT, [3]),
        (When.CALL_MISSED, [4]),
        # Also that of its beginning.
        (When.QUEUE_CHANGED, [0, 5]),
        (When.ASSIGNED, [2, 6]),
        (When.RESOLVED, [7]),
        (When.RATED, [9]),
    ],
)
def test_each_event_is_met_when_it_happened(when: When, minutes: list[int]) -> None:
    runs = runs_of(rule_of(when))
    assert [(run.event.at - NOON) // MINUTE for run in runs] == minutes


def test_who_has_not_written_has_no_window_and_no_moment_of_it() -> None:
    contact = Contact(has_window=True)
    sends = rule_of(When.MESSAGE_OUT, TEXT)
    silent = ((1, Deed.TAKEN, ANA), (2, Deed.ANSWERED, 1))
    assert [run.refusal for run in runs_of(sends, silent, contact)] == ["window"]
    # It does not start itself by what it sends, and that is no refusal to be told.
    assert [run.refusal for run in runs_of(sends, STORY, contact)] == [""]
    closes = Rule(1, Trigger(When.WINDOW_CLOSES, minutes=60), [NOTE])
    assert runs_of(closes, silent, contact) == []


@pytest.mark.parametrize(
    ("step", "minutes", "found"),
    [(Step.QUARTER, 0, [15]), (Step.DUE, 0, [20]), (Step.AFTER, 10, [30])],
)
def test_a_step_of_a_deadline_is_met_when_it_was_due(
    step: Step, minutes: int, found: list[int]
) -> None:
    rule = Rule(1, Trigger(When.SLA_STEP, kind=Kind.FIRST, step=step, minutes=minutes), [NOTE])
    story = ((0, Deed.HEARD, 0), (1, Deed.WROTE, 0), (40, Deed.ANSWERED, 0), (50, Deed.CLOSED, 0))
    runs = runs_of(rule, story)
    assert [(run.event.at - NOON) // MINUTE for run in runs] == found
    # Who answered before it, and what waits elsewhere by other times.
    assert runs_of(rule, ((0, Deed.HEARD, 0), (10, Deed.ANSWERED, 0))) == []
    moved = ((0, Deed.HEARD, 0), (2, Deed.MOVED, HELP), (40, Deed.ANSWERED, 0))
    [run] = runs_of(Rule(1, Trigger(When.SLA_STEP, kind=Kind.FIRST), [NOTE]), moved)
    assert (run.event.at - NOON) // MINUTE == 5


def test_the_time_in_which_a_ticket_is_snoozed_is_no_time_of_its_deadline() -> None:
    rule = Rule(1, Trigger(When.SLA_STEP, kind=Kind.FIRST), [NOTE])
    story = ((0, Deed.HEARD, 0), (10, Deed.SNOOZED, 0), (70, Deed.WOKEN, 0))
    [run] = runs_of(rule, story)
    assert (run.event.at - NOON) // MINUTE == 80


def test_an_invoice_is_met_when_it_became_overdue_in_a_live_ticket() -> None:
    rule = rule_of(When.INVOICE_OVERDUE)
    contact = Contact(overdue_at=[NOON + minutes * MINUTE for minutes in (-5, 2, 4.5, 8)])
    runs = runs_of(rule, STORY, contact)
    assert [(run.event.at - NOON) / MINUTE for run in runs] == [2, 4.5]
