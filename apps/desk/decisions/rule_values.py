"""What rules are, what starts them, and tickets as they see them (rules/desk §12)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from apps.desk.decisions.conditions import Condition
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.sla import Clock, Kind
from apps.desk.decisions.sla import When as StepWhen

# An event that so many rules have led to starts no further one.
DEEPEST = 3
# One rule runs at most so often in one ticket and span. Two programs that answer each other come
# to an end by it, also where each answer is an event of its own.
MOST_RUNS, RUNS_WITHIN = 10, timedelta(hours=1)


# The words of priorities in conditions.
PRIORITIES: Mapping[int, str] = {1: "urgent", 2: "high", 3: "normal", 4: "low"}


class When(StrEnum):
    """What starts a rule: something that happened, or, in TIMES, a moment that has come."""

    OPENED = "ticket_opened"
    MESSAGE_IN = "message_in"
    MESSAGE_OUT = "message_out"
    TAG_SET = "tag_set"
    TAG_TAKEN = "tag_taken"
    QUEUE_CHANGED = "queue_changed"
    ASSIGNED = "assigned"
    RESOLVED = "resolved"
    RATED = "rated"
    LANE_CHANGED = "lane_changed"
    CALL_MISSED = "call_missed"
    INVOICE_OVERDUE = "invoice_overdue"
    # The contact does not answer us, we do not answer the contact, the 24 hours end, a deadline.
    CONTACT_SILENT = "contact_silent"
    WE_SILENT = "we_silent"
    WINDOW_CLOSES = "window_closes"
    SLA_STEP = "sla_step"


TIMES = frozenset({When.CONTACT_SILENT, When.WE_SILENT, When.WINDOW_CLOSES, When.SLA_STEP})


class Do(StrEnum):
    """What a rule or a macro does."""

    SEND_TEXT = "send_text"
    SEND_QUICK = "send_quick"
    SEND_TEMPLATE = "send_template"
    ADD_TAG = "add_tag"
    REMOVE_TAG = "remove_tag"
    PRIORITY = "priority"
    CONTACT_FIELD = "contact_field"
    QUEUE = "queue"
    PERSON = "person"
    SNOOZE = "snooze"
    NOTE = "note"
    TELL = "tell"
    RESOLVE = "resolve"
    WEBHOOK = "webhook"


SENDS = frozenset({Do.SEND_TEXT, Do.SEND_QUICK, Do.SEND_TEMPLATE})
# What can't be taken back: it leaves the house, or somebody has heard of it. Resolving may write
# to the contact.
LEAVES = SENDS | {Do.WEBHOOK, Do.RESOLVE, Do.TELL}


# The kinds of the rows that triggers and actions name.
KINDS_OF_IDS: Mapping[str, str] = {
    When.TAG_SET: "tag",
    When.TAG_TAKEN: "tag",
    When.LANE_CHANGED: "tag",
    When.QUEUE_CHANGED: "queue",
    When.ASSIGNED: "person",
}
KINDS_OF_ACTIONS: Mapping[str, str] = {
    Do.ADD_TAG: "tag",
    Do.REMOVE_TAG: "tag",
    Do.QUEUE: "queue",
    Do.PERSON: "person",
    Do.SEND_QUICK: "quick",
}


class Refusal(StrEnum):
    """Why a run was not begun, or was taken back whole."""

    # The rule itself is among what led to the event; the chain is DEEPEST; MOST_RUNS are reached.
    ITSELF = "itself"
    CHAIN = "chain"
    OFTEN = "often"
    # The ticket is resolved; the 24 hours are over.
    CLOSED = "closed"
    WINDOW = "window"


@dataclass(frozen=True)
class Trigger:
    """What starts a rule.

    `ids`: only these tags (TAG_SET, TAG_TAKEN, LANE_CHANGED: the new lane), queues (QUEUE_CHANGED:
    the new one) or people (ASSIGNED); empty for any. `minutes` are those of TIMES: of silence,
    before the window closes, after a deadline. `in_hours`: silence counts in working hours only.
    `kind` and `step` belong to SLA_STEP; no `kind` is any.
    """

    when: When
    ids: frozenset[int] = frozenset()
    minutes: int = 0
    in_hours: bool = False
    kind: Kind | None = None
    step: StepWhen = StepWhen.DUE

    @property
    def span(self) -> timedelta:
        return timedelta(minutes=self.minutes)


@dataclass(frozen=True)
class Action:
    """One thing to do; each kind uses what it needs.

    `id` names a tag, queue, person (None: back to the queue) or quick message. `is_lane`: the tag
    is a column of the board, of which a ticket has one. `name` is that of the contact's field or of
    the template, whose `language` and `values` of its text go with it. `text` is the field's value,
    a message, a note, or what people and webhooks are told. `minutes` are those of a snooze, 0
    until the contact writes. `tells` is whom TELL tells.
    """

    do: Do
    id: int | None = None
    is_lane: bool = False
    name: str = ""
    language: str = ""
    text: str = ""
    values: Sequence[str] = ()
    priority: int = 0
    minutes: int = 0
    tells: str = ""


@dataclass(frozen=True)
class Rule:
    """A rule that is on, since `since`; what happened before does not start it."""

    id: int
    trigger: Trigger
    actions: Sequence[Action]
    condition: Condition | None = None
    since: datetime | None = None


@dataclass(frozen=True)
class Snapshot:
    """A ticket and its contact, as rules see them.

    `is_led`: the bot, an integration or another responder leads; silence counts only while none
    does. `contact_word_at` is when the contact wrote last, `our_word_at` when our side did, None if
    the contact wrote after it. `unanswered_since` is the contact's first word without a person's
    answer. `window_closes_at`: None where the number has no 24 hours. `clocks` are the open ones.
    `runs` are the latest runs of rules in this ticket; `seen_until` is until when moments were
    looked at, `done` the moments that have started a rule (see `Moment`).
    """

    id: int
    status: str = "pending"
    queue_id: int | None = None
    user_id: int | None = None
    priority: int = 3
    tags: frozenset[int] = frozenset()
    lane_id: int | None = None
    connection_id: int | None = None
    is_group: bool = False
    is_led: bool = False
    is_snoozed: bool = False
    opened_at: datetime | None = None
    contact_name: str = ""
    contact_number: str = ""
    contact_email: str = ""
    # By the folded name of the field.
    contact_fields: Mapping[str, str] = field(default_factory=dict)
    contact_word_at: datetime | None = None
    our_word_at: datetime | None = None
    unanswered_since: datetime | None = None
    window_closes_at: datetime | None = None
    clocks: Sequence[Clock] = ()
    calendar: Calendar = field(default_factory=Calendar)
    runs: Sequence[tuple[int, datetime]] = ()
    seen_until: datetime | None = None
    done: frozenset[tuple[int, str]] = frozenset()

    @property
    def is_live(self) -> bool:
        return self.status != "closed"


@dataclass(frozen=True)
class Event:
    """Something that happened to a ticket `at` a moment.

    `id` is the tag, queue, person or lane that it is about. `text`, `media` and `message_id` are
    those of a message, `rate` is that of a rating. `rule_id` and `anchor` are of a moment that has
    come, and start that rule alone. `chain` are the rules that led to it, the first one first.
    """

    when: When
    at: datetime
    id: int | None = None
    text: str = ""
    media: str = ""
    message_id: int | None = None
    rate: int | None = None
    rule_id: int | None = None
    anchor: str = ""
    chain: tuple[int, ...] = ()


@dataclass(frozen=True)
class Moment:
    """When a rule of TIMES is to start, if nothing happens before.

    It starts once for an `anchor`: a word of the contact, an end of the 24 hours, a clock.
    """

    at: datetime
    rule_id: int
    anchor: str


@dataclass(frozen=True)
class Run:
    """A rule that an event started; with a `refusal` nothing of it was done.

    `action` is the index of what was refused; None if the run was not begun at all.
    """

    rule_id: int
    event: Event
    before: Snapshot
    after: Snapshot
    refusal: str = ""
    action: int | None = None


class Refused(Exception):
    """An action, by its index, that can't be done; `carry_out` has taken back those before it."""

    def __init__(self, why: str, action: int | None = None) -> None:
        super().__init__(why)
        self.why, self.action = why, action


CarryOut = Callable[[Rule, Event, Snapshot, Snapshot], None]


@dataclass(frozen=True)
class Played:
    """What became of a ticket, by which runs in order."""

    snapshot: Snapshot
    runs: Sequence[Run] = ()
