"""When … if … then …: which rules an event starts, and what they make of a ticket (rules/desk §12).

Every function takes values and returns values. `play` runs an event's rules and what these start in
turn; a service gives it a `carry_out` that does each run for good, a rehearsal gives it none.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from apps.common.search import fold
from apps.desk.decisions.conditions import Seen
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.rule_values import (
    DEEPEST,
    KINDS_OF_ACTIONS,
    KINDS_OF_IDS,
    LEAVES,
    MOST_RUNS,
    PRIORITIES,
    RUNS_WITHIN,
    SENDS,
    TIMES,
    Action,
    CarryOut,
    Do,
    Event,
    Moment,
    Played,
    Refusal,
    Refused,
    Rule,
    Run,
    Snapshot,
    Trigger,
    When,
)
from apps.desk.decisions.sla import Step, moment_of

__all__ = [
    "DEEPEST",
    "KINDS_OF_ACTIONS",
    "KINDS_OF_IDS",
    "LEAVES",
    "MOST_RUNS",
    "PRIORITIES",
    "RUNS_WITHIN",
    "SENDS",
    "TIMES",
    "Action",
    "CarryOut",
    "Do",
    "Event",
    "Moment",
    "Played",
    "Refusal",
    "Refused",
    "Rule",
    "Run",
    "Snapshot",
    "Trigger",
    "When",
    "applied",
    "caused",
    "changes",
    "due",
    "moments",
    "names",
    "names_of",
    "play",
    "refusal_of",
    "seen",
    "starts",
    "starts_itself",
]

# What a resolved ticket has no more.
_OF_LIVE = frozenset({Do.QUEUE, Do.PERSON, Do.SNOOZE, Do.RESOLVE, Do.PRIORITY})


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
    # A snooze may be until another moment.
    return action.do in (LEAVES - {Do.RESOLVE}) | {Do.NOTE, Do.SNOOZE}


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
            if snapshot.opened_at is not None and at < snapshot.opened_at:
                # As of a contact who has never written.
                return
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
