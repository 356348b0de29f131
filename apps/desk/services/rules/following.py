"""Notes what happens to tickets for which there are rules (rules/desk §13).

It is called in the transaction that changes the tickets, which are locked, and writes rows that a
worker takes up at once: what a rule does is a transaction of its own. Lock order: tickets, their
rows here, their ticks.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any

from django.utils import timezone

from apps.common.bulk import update_rows
from apps.common.wakeups import wake
from apps.desk.decisions.following import Word
from apps.desk.decisions.rules import TIMES, Event, Rule, Snapshot, When, changes, moments
from apps.desk.decisions.words import after_word, event_of_word
from apps.desk.models import RuleTick, RuleTicket, RuleTickKind
from apps.desk.queries.rules import (
    LIVE,
    NO_TAGS,
    Tags,
    media_word,
    rules_on,
    snapshots_for_moments,
    tags_of,
    words_of,
)
from apps.desk.services import ticks
from apps.desk.services.known import RULES, known
from apps.tickets.models import BY_PEOPLE, MediaType, Message, Ticket

_STORED = (
    *("queue_id", "user_id", "status", "tags", "lane_id"),
    *("our_word_at", "unanswered_since", "seen_until"),
)
# While a rule runs: what it does to its ticket is known, and starts what comes next there.
_running: ContextVar[bool] = ContextVar("running", default=False)


@contextmanager
def running() -> Iterator[None]:
    """Take in what tickets become inside the block without starting rules by it."""
    token = _running.set(True)
    try:
        yield
    finally:
        _running.reset(token)


def follow(tickets: Sequence[Ticket], messages: Sequence[Message]) -> None:
    """Take in what tickets have become, and their new messages."""
    by_company: defaultdict[int, list[Ticket]] = defaultdict(list)
    for ticket in tickets:
        if known.is_on(ticket.company_id, RULES):
            by_company[ticket.company_id].append(ticket)
    for company_id, of_company in by_company.items():
        rules = rules_on(company_id)
        if rules:
            _Follower(company_id, rules).take_in(of_company, messages)


def follow_anew(company_id: int, tickets: Sequence[Ticket]) -> None:
    """Take in tickets as they are, without starting rules by what has changed until now."""
    rules = rules_on(company_id)
    with running():
        _Follower(company_id, rules).take_in(tickets, ())


def note_rated(ticket: Ticket, rate: int) -> None:
    """Note that a contact has rated a closed ticket."""
    if known.is_on(ticket.company_id, RULES):
        _note([(ticket, Event(When.RATED, timezone.now(), rate=rate), None)], ticket.company_id)


def note_overdue(tickets: Iterable[Ticket]) -> None:
    """Note that invoices of tickets' contacts are overdue."""
    for ticket in tickets:
        event = Event(When.INVOICE_OVERDUE, timezone.now())
        _note([(ticket, event, None)], ticket.company_id)


def plan_moments(tickets: Iterable[Ticket]) -> None:
    """Have the nearest moment of each ticket be due, or none.

    Also called when clocks of tickets have changed; without rules of TIMES it reads little.
    """
    by_company: defaultdict[int, list[Ticket]] = defaultdict(list)
    for ticket in tickets:
        if known.is_on(ticket.company_id, RULES):
            by_company[ticket.company_id].append(ticket)
    for company_id, of_company in by_company.items():
        rules = rules_on(company_id)
        if any(rule.trigger.when in TIMES for rule in rules):
            rows = RuleTicket.objects.in_bulk([each.pk for each in of_company])
            _plan_all(company_id, [(each, rows.get(each.pk)) for each in of_company], rules)


def _plan_all(
    company_id: int, tickets: Sequence[tuple[Ticket, RuleTicket | None]], rules: Sequence[Rule]
) -> None:
    timed = [rule for rule in rules if rule.trigger.when in TIMES]
    if not timed or not tickets:
        return
    nearest = {
        each.id: ahead[0].at if (ahead := moments(timed, each)) else None
        for each in snapshots_for_moments(tickets, timed)
    }
    planned = {pk: at for pk, at in nearest.items() if at is not None}
    ticks.plan_tickets(RuleTickKind.TIME, planned, company_id=company_id)
    ticks.cancel([RuleTickKind.TIME], nearest.keys() - planned.keys())


class _Follower:
    def __init__(self, company_id: int, rules: Sequence[Rule]) -> None:
        self._company_id, self._rules = company_id, rules
        self._wanted = {rule.trigger.when for rule in rules}
        self._now = timezone.now()

    def take_in(self, tickets: Sequence[Ticket], messages: Sequence[Message]) -> None:
        by_id = {each.pk: each for each in tickets}
        found = RuleTicket.objects.filter(pk__in=by_id).order_by("pk")
        rows = {row.pk: row for row in found.select_for_update(no_key=True)}
        # Also where no rule asks for them: one that is saved later goes by what changes since.
        tags = tags_of(by_id)
        words: defaultdict[int, list[Message]] = defaultdict(list)
        for message in messages:
            if message.ticket_id in by_id:
                words[message.ticket_id].append(message)
        happened: list[tuple[Ticket, Event, Message | None]] = []
        new: list[RuleTicket] = []
        kept: list[RuleTicket] = []
        for pk, ticket in sorted(by_id.items()):
            row, said, at = rows.get(pk), words[pk], self._now
            if ticket.status not in LIVE and row is None:
                continue
            if row is None:
                row = self._new_row(ticket, said)
                # It kept them from before, or was made with them.
                _write_tags(row, tags)
                new.append(row)
                # What it has at the first look, it may have had since it was opened.
                at = ticket.queued_at
                happened.append((ticket, Event(When.OPENED, at), None))
            else:
                kept.append(row)
            before = _snapshot(row)
            _write(row, ticket, tags)
            happened += [(ticket, each, None) for each in changes(before, _snapshot(row), at)]
            for message in said:
                word = _word_of(message)
                if event := event_of_word(word, self._now):
                    happened.append((ticket, event, message))
                row.our_word_at, row.unanswered_since = after_word(
                    word, message.created_at, row.unanswered_since
                )
        self._store(by_id, new, kept)
        if not _running.get():
            _note(happened, self._company_id, self._wanted)
        _plan_all(self._company_id, [(by_id[row.pk], row) for row in (*new, *kept)], self._rules)

    def _new_row(self, ticket: Ticket, said: Sequence[Message]) -> RuleTicket:
        row = RuleTicket(ticket=ticket, company_id=self._company_id, status="pending")
        if not said:
            words_of(row, ticket)
        return row

    def _store(
        self, tickets: Mapping[int, Ticket], new: Sequence[RuleTicket], kept: Sequence[RuleTicket]
    ) -> None:
        RuleTicket.objects.bulk_create(
            [row for row in new if tickets[row.pk].status in LIVE], ignore_conflicts=True
        )
        update_rows([row for row in kept if row.status in LIVE], _STORED)
        gone = [row.pk for row in kept if row.status not in LIVE]
        if gone:
            ticks.cancel([RuleTickKind.TIME], gone)
            RuleTicket.objects.filter(pk__in=gone).delete()


def _snapshot(row: RuleTicket) -> Snapshot:
    return Snapshot(
        id=row.pk,
        status=row.status,
        queue_id=row.queue_id,
        user_id=row.user_id,
        tags=frozenset(row.tags),
        lane_id=row.lane_id,
    )


def _write(row: RuleTicket, ticket: Ticket, tags: Mapping[int, Tags]) -> None:
    row.status, row.queue_id, row.user_id = ticket.status, ticket.queue_id, ticket.user_id
    _write_tags(row, tags)


def _write_tags(row: RuleTicket, tags: Mapping[int, Tags]) -> None:
    found = tags.get(row.pk, NO_TAGS)
    row.tags, row.lane_id = sorted(found.ids), found.lane_id


def _word_of(message: Message) -> Word:
    return Word(
        is_ours=message.from_me,
        is_by_person=message.source in BY_PEOPLE,
        is_call=message.media_type == MediaType.CALL_LOG,
    )


def _note(
    happened: Iterable[tuple[Ticket, Event, Message | None]],
    company_id: int,
    wanted: Iterable[When] | None = None,
) -> None:
    """Write what happened for the worker; `wanted` are the events for which there are rules."""
    kinds = None if wanted is None else frozenset(wanted)
    rows = [
        RuleTick(
            company_id=company_id,
            kind=RuleTickKind.EVENT,
            ticket_id=ticket.pk,
            payload=_payload(event, message),
        )
        for ticket, event, message in happened
        if kinds is None or event.when in kinds
    ]
    if rows:
        RuleTick.objects.bulk_create(rows)
        wake("desk.rules")


def _payload(event: Event, message: Message | None) -> dict[str, Any]:
    """Return an event as its row has it: a message by its id, so its text is stored once."""
    payload: dict[str, Any] = {"when": event.when, "at": event.at.isoformat()}
    if event.id is not None:
        payload["id"] = event.id
    if event.rate is not None:
        payload["rate"] = event.rate
    if message is not None:
        payload["message"] = message.pk
    return payload


def event_of(payload: Mapping[str, Any], message: Message | None) -> Event:
    """Return the event of a row."""
    return Event(
        when=When(payload["when"]),
        at=datetime.fromisoformat(payload["at"]),
        id=payload.get("id"),
        message_id=payload.get("message"),
        rate=payload.get("rate"),
        text=message.body if message else "",
        media=media_word(message.media_type) if message else "",
    )
