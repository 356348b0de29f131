"""When … if … then …: which rules an event starts, and what they make of a ticket (rules/desk §12).

Every function takes values and returns values. `play` runs an event's rules and what these start in
turn; a service gives it a `carry_out` that does each run for good, a rehearsal gives it none.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from apps.common.search import fold
from apps.desk.decisions.conditions import Condition, Seen
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.sla import Clock, Kind, Step, moment_of
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
# What a resolved ticket has no more.
_OF_LIVE = frozenset({Do.QUEUE, Do.PERSON, Do.SNOOZE, Do.RESOLVE, Do.PRIORITY})


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

    `id` is the tag, queue, person or lane that it is about. `text` and `media` are those of a
    message, `rate` is that of a rating. `rule_id` and `anchor` are of a moment that has come, and
    start that rule alone. `chain` are the rules that led to it, the first one first.
    """

    when: When
    at: datetime
    id: int | None = None
    text: str = ""
    media: str = ""
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


def play(
    rules: Sequence[Rule],
    snapshot: Snapshot,
    event: Event,
    now: datetime,
    carry_out: CarryOut = lambda rule, event, before, after: None,
) -> Played:
    """Run what an event starts, in the order of the rules, and then what these start in turn.

    Every rule sees the ticket as the ones before have left it. `carry_out` does a run for good, or
    raises Refused; then it counts as not done, and the next one goes on.
    """
    runs: list[Run] = []
    waiting = [event]
    while waiting:
        cause = waiting.pop(0)
        for rule in rules:
            if not starts(rule, snapshot, cause, now):
                continue
            run = _run(rule, snapshot, cause, now, carry_out)
            if run is None:
                continue
            runs.append(run)
            if not run.refusal:
                snapshot = run.after
                waiting += caused(rule, run, now)
    return Played(snapshot, runs)


def starts(rule: Rule, snapshot: Snapshot, event: Event, now: datetime) -> bool:
    """Tell whether an event starts a rule, bounds and refusals aside."""
    trigger = rule.trigger
    if event.when != trigger.when or (event.rule_id or rule.id) != rule.id:
        return False
    if rule.since is not None and event.at < rule.since:
        return False
    if trigger.ids and event.id not in trigger.ids:
        return False
    return rule.condition is None or rule.condition.holds(seen(snapshot, event, now))


def _run(
    rule: Rule, snapshot: Snapshot, event: Event, now: datetime, carry_out: CarryOut
) -> Run | None:
    """Return what a rule does; None if that would change nothing and reach nobody."""

    def refused(why: str, action: int | None = None) -> Run:
        return Run(rule.id, event, snapshot, snapshot, why, action)

    if rule.id in event.chain:
        return refused(Refusal.ITSELF)
    if len(event.chain) >= DEEPEST:
        return refused(Refusal.CHAIN)
    recent = [at for rule_id, at in snapshot.runs if rule_id == rule.id and at > now - RUNS_WITHIN]
    if len(recent) >= MOST_RUNS:
        return refused(Refusal.OFTEN)
    try:
        after = applied(snapshot, rule.actions, now)
        if after == snapshot and not any(_reaches(each) for each in rule.actions):
            return None
        after = replace(after, runs=[*snapshot.runs, (rule.id, now)])
        if event.anchor:
            after = replace(after, done=snapshot.done | {(rule.id, event.anchor)})
        carry_out(rule, event, snapshot, after)
    except Refused as error:
        return refused(error.why, error.action)
    return Run(rule.id, event, snapshot, after)


def _reaches(action: Action) -> bool:
    return action.do in LEAVES - {Do.RESOLVE} or action.do == Do.NOTE


def applied(snapshot: Snapshot, actions: Iterable[Action], now: datetime) -> Snapshot:
    """Return a ticket as actions leave it; raises Refused with the one that can't be done."""
    for index, action in enumerate(actions):
        if why := refusal_of(snapshot, action, now):
            raise Refused(why, index)
        snapshot = _applied(snapshot, action, now)
    return snapshot


def refusal_of(snapshot: Snapshot, action: Action, now: datetime) -> str:
    """Return why an action can't be done with the ticket as it is, '' if it can."""
    if not snapshot.is_live and action.do in _OF_LIVE:
        return Refusal.CLOSED
    closes_at = snapshot.window_closes_at
    if action.do in {Do.SEND_TEXT, Do.SEND_QUICK} and closes_at is not None and closes_at <= now:
        return Refusal.WINDOW
    return ""


def _applied(snapshot: Snapshot, action: Action, now: datetime) -> Snapshot:
    match action.do:
        case Do.SEND_TEXT | Do.SEND_QUICK | Do.SEND_TEMPLATE:
            # What no person wrote is no answer to the contact.
            return replace(snapshot, our_word_at=now)
        case Do.ADD_TAG if action.id is not None:
            tags = snapshot.tags | {action.id}
            if not action.is_lane:
                return replace(snapshot, tags=tags)
            left = {snapshot.lane_id} - {action.id}
            return replace(snapshot, tags=tags - left, lane_id=action.id)
        case Do.REMOVE_TAG:
            lane_id = None if snapshot.lane_id == action.id else snapshot.lane_id
            return replace(snapshot, tags=snapshot.tags - {action.id}, lane_id=lane_id)
        case Do.PRIORITY:
            return replace(snapshot, priority=action.priority)
        case Do.CONTACT_FIELD:
            fields = {**snapshot.contact_fields, fold(action.name): action.text}
            return replace(snapshot, contact_fields=fields)
        case Do.QUEUE if snapshot.queue_id != action.id:
            moved = replace(snapshot, queue_id=action.id, user_id=None, status="pending")
            return replace(moved, is_led=False, is_snoozed=False)
        case Do.PERSON if snapshot.user_id != action.id:
            status = "pending" if action.id is None else "open"
            moved = replace(snapshot, user_id=action.id, status=status)
            return replace(moved, is_led=False, is_snoozed=False)
        case Do.SNOOZE:
            return replace(snapshot, is_snoozed=True)
        case Do.RESOLVE:
            return replace(snapshot, status="closed", is_led=False, is_snoozed=False)
    return snapshot


def caused(rule: Rule, run: Run, now: datetime) -> list[Event]:
    """Return what a run leads to: what it has changed, and what it has written."""
    chain = (*run.event.chain, rule.id)
    events = [replace(each, chain=chain) for each in changes(run.before, run.after, now)]
    texts = [each.text for each in rule.actions if each.do in SENDS]
    return events + [Event(When.MESSAGE_OUT, now, text=text, chain=chain) for text in texts]


def changes(before: Snapshot, after: Snapshot, now: datetime) -> list[Event]:
    """Return the events by which a ticket has become what it is; messages are none of them."""
    found: list[Event] = []
    if before.queue_id != after.queue_id:
        found.append(Event(When.QUEUE_CHANGED, now, id=after.queue_id))
    if after.user_id is not None and after.status == "open" and before.user_id != after.user_id:
        found.append(Event(When.ASSIGNED, now, id=after.user_id))
    lanes = {before.lane_id, after.lane_id}
    if before.lane_id != after.lane_id:
        found.append(Event(When.LANE_CHANGED, now, id=after.lane_id))
    found += [
        Event(when, now, id=tag)
        for when, tags in (
            (When.TAG_SET, after.tags - before.tags - lanes),
            (When.TAG_TAKEN, before.tags - after.tags - lanes),
        )
        for tag in sorted(tags)
    ]
    if before.is_live and not after.is_live:
        found.append(Event(When.RESOLVED, now))
    return found


def moments(rules: Iterable[Rule], snapshot: Snapshot) -> list[Moment]:
    """Return when rules of TIMES are to start, in order, without those that have been.

    A moment from before a rule was on, or before `seen_until`, is over.
    """
    found = [
        moment
        for rule in rules
        if rule.trigger.when in TIMES
        for moment in _moments(rule, snapshot)
        if (rule.id, moment.anchor) not in snapshot.done
        and (rule.since is None or moment.at > rule.since)
        and (snapshot.seen_until is None or moment.at > snapshot.seen_until)
    ]
    return sorted(found, key=lambda each: (each.at, each.rule_id, each.anchor))


def due(rules: Sequence[Rule], snapshot: Snapshot, now: datetime) -> list[Event]:
    """Return the moments that have come, as events in order."""
    when = {rule.id: rule.trigger.when for rule in rules}
    return [
        Event(when[each.rule_id], each.at, rule_id=each.rule_id, anchor=each.anchor)
        for each in moments(rules, snapshot)
        if each.at <= now
    ]


def _moments(rule: Rule, snapshot: Snapshot) -> Iterator[Moment]:
    trigger = rule.trigger
    if not snapshot.is_live:
        return
    rests = snapshot.is_led or snapshot.is_snoozed
    match trigger.when:
        case When.CONTACT_SILENT if snapshot.our_word_at is not None and not rests:
            # Once for a word of the contact, so no rule goes on reminding.
            word_at = snapshot.contact_word_at or snapshot.opened_at
            at = _after(snapshot.our_word_at, trigger, snapshot.calendar)
            anchor = word_at.isoformat() if word_at else "unspoken"
        case When.WE_SILENT if snapshot.unanswered_since is not None and not rests:
            at = _after(snapshot.unanswered_since, trigger, snapshot.calendar)
            anchor = snapshot.unanswered_since.isoformat()
        case When.WINDOW_CLOSES if snapshot.window_closes_at is not None:
            at = snapshot.window_closes_at - trigger.span
            anchor = snapshot.window_closes_at.isoformat()
        case When.SLA_STEP:
            yield from _of_clocks(rule, snapshot)
            return
        case _:
            return
    if at is not None:
        yield Moment(at, rule.id, anchor)


def _after(start: datetime, trigger: Trigger, calendar: Calendar) -> datetime | None:
    return calendar.after(start, trigger.span) if trigger.in_hours else start + trigger.span


def _of_clocks(rule: Rule, snapshot: Snapshot) -> Iterator[Moment]:
    trigger = rule.trigger
    for clock in snapshot.clocks:
        if trigger.kind is None or clock.kind == trigger.kind:
            step = Step(0, clock.kind, trigger.step, trigger.minutes)
            at = moment_of(step, clock, snapshot.calendar)
            if at is not None:
                yield Moment(at, rule.id, f"clock:{clock.id}")


def starts_itself(rule: Rule) -> bool:
    """Tell whether a rule would be started by what it does, for a warning before it is saved."""
    trigger = rule.trigger
    for action in rule.actions:
        leads_to = {
            Do.ADD_TAG: When.LANE_CHANGED if action.is_lane else When.TAG_SET,
            Do.REMOVE_TAG: When.LANE_CHANGED if action.is_lane else When.TAG_TAKEN,
            Do.QUEUE: When.QUEUE_CHANGED,
            Do.PERSON: When.ASSIGNED,
            Do.RESOLVE: When.RESOLVED,
            **dict.fromkeys(SENDS, When.MESSAGE_OUT),
        }.get(action.do)
        if leads_to == trigger.when and (not trigger.ids or action.id in trigger.ids):
            return True
    return False


def seen(snapshot: Snapshot, event: Event, now: datetime) -> Seen:
    """Return what conditions look at."""
    return Seen(
        values={
            "status": snapshot.status,
            "queue": snapshot.queue_id,
            "person": snapshot.user_id,
            "priority": PRIORITIES.get(snapshot.priority),
            "connection": snapshot.connection_id,
            "leads": "bot" if snapshot.is_led else "people",
            "kind": "group" if snapshot.is_group else "contact",
            "media": event.media,
            "rate": event.rate,
        },
        sets={"tag": snapshot.tags},
        texts={
            "message": event.text,
            "name": snapshot.contact_name,
            "number": snapshot.contact_number,
            "email": snapshot.contact_email,
        },
        fields=snapshot.contact_fields,
        at=now.astimezone(snapshot.calendar.zone),
        is_open=snapshot.calendar.is_open(now),
    )


def names(rule: Rule) -> Collection[tuple[str, int]]:
    """Return what a rule names by id, each with its kind: queue, tag, person …"""
    kind = KINDS_OF_IDS.get(rule.trigger.when)
    found = {(kind, each) for each in rule.trigger.ids} if kind else set()
    if rule.condition is not None:
        found |= rule.condition.names()
    return found | names_of(rule.actions)


def names_of(actions: Iterable[Action]) -> set[tuple[str, int]]:
    """Return what actions name by id, each with its kind."""
    return {
        (KINDS_OF_ACTIONS[each.do], each.id)
        for each in actions
        if each.do in KINDS_OF_ACTIONS and each.id is not None
    }
