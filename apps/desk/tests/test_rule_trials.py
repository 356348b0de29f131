"""A rehearsal of a rule meets what the rule would have met live (rules/desk §16)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from apps.desk.decisions.conditions import Condition
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.rules import Action, Do, Rule, Run, Trigger, When
from apps.desk.decisions.stories import Deed, Happening, Story
from apps.desk.decisions.trials import Contact, RuleTrial

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
NOTE = Action(Do.NOTE, text="Visto")
TEXT = Action(Do.SEND_TEXT, text="Olá")
SALES, HELP, ANA = 4, 5, 1
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
    trial = RuleTrial(rule, lambda queue_id: Calendar(), lambda story, run: found.append(run))
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
