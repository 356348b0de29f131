"""Keeps assignments, loads and ticks in step with tickets (rules/desk §3 and §4).

It is called in the transaction that changes the tickets, which are locked. Lock order: tickets,
then seats by user.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from apps.accounts.models import User, UserQueue
from apps.common.bulk import insert_row, update_rows
from apps.companies.queries import zone_of
from apps.desk.decisions.assignment import (
    GIVEN,
    NO_POLICY,
    Channel,
    OfflineAction,
    Policy,
    Presence,
    ReturnTo,
    Sticky,
    Why,
    leave_moment,
    points,
    release_moment,
    reservation,
    return_moment,
)
from apps.desk.decisions.following import KEEPS_PLACE, Cause, Seen, Word, heard, taken_in
from apps.desk.models import (
    Assignment,
    AssignmentLog,
    AssignmentPolicy,
    Seat,
    TickKind,
    Turn,
)
from apps.desk.queries.sla import waits_for_us
from apps.desk.services import ticks
from apps.desk.services.known import known
from apps.tickets.models import (
    BY_PEOPLE,
    MediaType,
    Message,
    Ticket,
    TicketStatus,
    TrackingCycle,
)
from apps.tickets.owners import is_led_elsewhere

LIVE = (TicketStatus.OPEN, TicketStatus.PENDING)
_STORED = (
    *("queue", "user", "channel", "points", "is_ready", "since", "priority"),
    *("prefers", "prefers_until", "returned_by", "returns", "aside", "given_at"),
    *("unanswered_since", "our_word_at", "is_apart"),
)
_COUNTS = ("load", "day", "given_count", "resolved_count", "returned_count")


_BY_HAND = Cause()
# Of a snoozed ticket that came back while its holder was away (rules/tickets §18).
_AWAY = Cause(Why.OFFLINE)
# Why tickets change hands in this transaction, and which person has them do so.
_cause: ContextVar[tuple[Cause, int | None] | None] = ContextVar("cause", default=None)


@contextmanager
def because(why: Why, *, actor: User | None = None, to: ReturnTo | None = None) -> Iterator[None]:
    """Log changes of hands inside the block with this cause."""
    person = actor.person if actor else None
    token = _cause.set((Cause(why, to), person.pk if person else None))
    try:
        yield
    finally:
        _cause.reset(token)


def follow_anew(tickets: Sequence[Ticket]) -> None:
    """Take in tickets that were not followed until now; what was before is not logged."""
    _Follower({each.pk: each for each in tickets}, [], is_anew=True).run()


def follow(tickets: Sequence[Ticket], messages: Sequence[Message]) -> None:
    """Take in what tickets have become, and their new messages."""
    changed = {each.pk: each for each in tickets if known.is_on(each.company_id)}
    if changed:
        _Follower(changed, messages).run()


def forget(ticket: Ticket) -> None:
    """Take in that a ticket is about to be deleted."""
    if known.is_on(ticket.company_id):
        _Follower({ticket.pk: ticket}, [], are_deleted=True).run()


@dataclass
class _Before:
    """What an assignment was: its stored values, and the moments that were planned."""

    stored: tuple[object, ...] = ()
    user_id: int | None = None
    points: int = 0
    channel: str = Channel.WHATSAPP
    ready_in: int | None = None
    return_at: datetime | None = None
    release_at: datetime | None = None
    given_at: datetime | None = None


@dataclass
class _Follower:
    tickets: dict[int, Ticket]
    messages: Sequence[Message]
    are_deleted: bool = False
    is_anew: bool = False
    now: datetime = field(default_factory=timezone.now)
    _loads: dict[int, int] = field(default_factory=dict)
    _counts: dict[int, dict[str, int]] = field(default_factory=dict)
    _seats: dict[int, Seat] = field(default_factory=dict)
    # Company and queue.
    _to_give: set[tuple[int, int]] = field(default_factory=set)

    def run(self) -> None:
        found = Assignment.objects.filter(pk__in=self.tickets).order_by("pk")
        rows = {row.pk: row for row in found.select_for_update(no_key=True)}
        self._policies = self._read_policies(rows.values())
        new: list[tuple[Assignment, _Before]] = []
        kept: list[tuple[Assignment, _Before]] = []
        gone: list[Assignment] = []
        for pk, ticket in sorted(self.tickets.items()):
            row = rows.get(pk)
            is_live = ticket.status in LIVE and not self.are_deleted
            if not is_live:
                if row is not None:
                    gone.append(row)
                continue
            if row is None:
                row, before = self._new_row(ticket), _Before()
                new.append((row, before))
            else:
                before = self._before(row)
                kept.append((row, before))
            self._take_in(row, ticket)
            if row.is_ready and before.ready_in != row.queue_id and not row.returned_by:
                self._prefer(row, ticket)
        live = [*new, *kept]
        if self.is_anew:
            # The rules may have changed since they were planned.
            ticks.cancel([TickKind.RETURN, TickKind.RELEASE], self.tickets)
        self._hear({row.pk: row for row, _ in live})
        self._lock_seats(live, gone)
        for row, before in live:
            self._weigh(row, before)
        Assignment.objects.bulk_create([row for row, _ in new])
        update_rows([row for row, before in kept if before.stored != _values(row)], _STORED)
        for row, before in live:
            self._settle(row, before)
        for company_id, queue_id in sorted(self._to_give):
            ticks.give(company_id, [queue_id])
        self._end(gone)
        self._store_seats()
        self._plan_leaves(live)

    def _read_policies(self, rows: Iterable[Assignment]) -> dict[int, Policy]:
        ids = {each.queue_id for each in self.tickets.values()}
        ids = (ids | {each.queue_id for each in rows}) - {None}
        found = AssignmentPolicy.objects.filter(queue__in=ids) if ids else ()
        return {each.queue_id: each.rules for each in found}

    def _policy(self, row: Assignment) -> Policy:
        return self._policies.get(row.queue_id or 0, NO_POLICY)

    def _before(self, row: Assignment) -> _Before:
        return _Before(
            _values(row),
            row.user_id,
            row.points,
            row.channel,
            row.queue_id if row.is_ready else None,
            *self._moments(row),
            row.given_at,
        )

    def _moments(self, row: Assignment) -> tuple[datetime | None, datetime | None]:
        if row.user_id is None:
            return None, None
        policy = self._policy(row)
        releases_at = release_moment(row.held, policy) if row.points else None
        return return_moment(row.held, policy), releases_at

    def _new_row(self, ticket: Ticket) -> Assignment:
        latest = ticket.latest_message
        is_ours = latest is not None and latest.from_me
        is_answered = (
            latest is not None
            and is_ours
            and (latest.source in BY_PEOPLE or not waits_for_us(ticket))
        )
        return Assignment(
            ticket=ticket,
            company_id=ticket.company_id,
            since=ticket.queued_at,
            opened_at=ticket.created_at,
            our_word_at=latest.created_at if latest is not None and is_ours else None,
            unanswered_since=None if is_answered else ticket.last_inbound_at,
        )

    def _prefer(self, row: Assignment, ticket: Ticket) -> None:
        """Note who served the contact last, where the queue asks for that person."""
        policy = self._policy(row)
        served = TrackingCycle.objects.filter(
            company=ticket.company_id,
            contact=ticket.contact_id,
            user__is_active=True,
            finished_at__gte=self.now - timedelta(days=policy.sticky_days),
        )
        if policy.sticky == Sticky.SAME_QUEUE:
            served = served.filter(queue=ticket.queue_id)
        last = served.order_by("-queued_at").values_list("user_id", "ticket_id").first()
        if (
            last is None
            or not UserQueue.objects.filter(user=last[0], queue=ticket.queue_id).exists()
        ):
            return
        present = Seat.objects.filter(user=last[0]).exclude(presence=Presence.OFFLINE)
        until = reservation(
            policy,
            since=self.now,
            is_reopened=last[1] == ticket.pk,
            is_away=not present.exists(),
        )
        if until is not None:
            row.prefers_id, row.prefers_until = last[0], until

    def _take_in(self, row: Assignment, ticket: Ticket) -> None:
        is_led = ticket.chatbot or ticket.use_integration or ticket.prompt_id is not None
        seen = Seen(
            queued_at=ticket.queued_at,
            queue_id=ticket.queue_id,
            user_id=ticket.user_id,
            is_pending=ticket.status == TicketStatus.PENDING,
            priority=ticket.priority,
            is_led=is_led or ticket.unanswered_campaign,
            is_apart=is_led_elsewhere(ticket) or ticket.snoozed_at is not None,
        )
        policy = self._policies.get(ticket.queue_id or 0, NO_POLICY)
        row.become(taken_in(row.value, seen, self._cause_of(ticket)[0], policy, self.now))

    def _cause_of(self, ticket: Ticket) -> tuple[Cause, int | None]:
        is_away = bool(ticket.woken) and ticket.user_id is None
        return _cause.get() or (_AWAY if is_away else _BY_HAND, None)

    def _hear(self, rows: dict[int, Assignment]) -> None:
        for message in self.messages:
            row = rows.get(message.ticket_id)
            if row is None:
                continue
            word = Word(
                is_ours=message.from_me,
                is_by_person=message.source in BY_PEOPLE,
                is_call=message.media_type == MediaType.CALL_LOG,
            )
            row.become(heard(row.value, word, self.now))

    def _lock_seats(
        self, live: Sequence[tuple[Assignment, _Before]], gone: Sequence[Assignment]
    ) -> None:
        """Lock the seats whose load changes, in one order, and make those that are missing."""
        concerned = [(row.user_id, row.company_id) for row in gone]
        for row, before in live:
            counts = self._points(row, 1) > 0
            is_other = row.channel != before.channel and counts
            if row.user_id != before.user_id or counts != (before.points > 0) or is_other:
                concerned += [(each, row.company_id) for each in (row.user_id, before.user_id)]
        companies = {pk: company_id for pk, company_id in concerned if pk is not None}
        if not companies:
            return
        for _ in range(2):
            seats = Seat.objects.filter(user__in=companies).order_by("user_id")
            self._seats = {seat.user_id: seat for seat in seats.select_for_update(no_key=True)}
            missing = companies.keys() - self._seats.keys()
            if not missing:
                return
            Seat.objects.bulk_create(
                [Seat(user_id=pk, company_id=companies[pk]) for pk in sorted(missing)],
                ignore_conflicts=True,
            )

    def _points(self, row: Assignment, weight: int) -> int:
        if row.user_id is None:
            return 0
        return points(row.held, weight, self._policy(row), self.now)

    def _weigh(self, row: Assignment, before: _Before) -> None:
        seat = self._seats.get(row.user_id or 0)
        if row.user_id is None:
            row.points = 0
        elif seat is not None:
            row.points = self._points(row, seat.weights[row.channel])
        self._add(before.user_id, -before.points)
        self._add(row.user_id, row.points)

    def _add(self, user_id: int | None, change: int) -> None:
        if user_id is not None and change:
            self._loads[user_id] = self._loads.get(user_id, 0) + change

    def _count(self, user_id: int | None, name: str) -> None:
        if user_id is not None:
            counts = self._counts.setdefault(user_id, {})
            counts[name] = counts.get(name, 0) + 1

    def _settle(self, row: Assignment, before: _Before) -> None:
        """Log a change of hands, and plan what is due later."""
        if row.user_id != before.user_id and not self.is_anew:
            self._log(row, before.user_id)
        # Without a message its tags may have changed, and with them the skills that it asks for.
        is_news = before.ready_in != row.queue_id or not self.messages
        if row.is_ready and row.queue_id is not None and is_news:
            self._to_give.add((row.company_id, row.queue_id))
        return_at, release_at = self._moments(row)
        for kind, at, planned in (
            (TickKind.RETURN, return_at, before.return_at),
            (TickKind.RELEASE, release_at, before.release_at),
        ):
            if at is not None and (at != planned or self.is_anew):
                ticks.plan(kind, at, company_id=row.company_id, ticket_id=row.pk)
            elif at is None and planned is not None and not self.is_anew:
                ticks.cancel([kind], [row.pk])

    def _plan_leaves(self, live: Sequence[tuple[Assignment, _Before]]) -> None:
        """Plan the return of what came to somebody who is offline."""
        came: dict[int, list[Assignment]] = {}
        for row, before in live:
            is_new = row.given_at != before.given_at or self.is_anew
            returns = self._policy(row).offline_action == OfflineAction.RETURN
            if row.user_id is not None and is_new and returns:
                came.setdefault(row.user_id, []).append(row)
        gone = Seat.objects.filter(user__in=came, presence=Presence.OFFLINE)
        for seat in gone if came else ():
            moments = [
                leave_moment(self._policy(row), row.held, seat.gone_at)
                for row in came[seat.user_id]
            ]
            if ahead := [each for each in moments if each is not None]:
                ids = {"company_id": seat.company_id, "user_id": seat.user_id}
                ticks.plan_sooner(TickKind.LEAVE, min(ahead), **ids)

    def _log(self, row: Assignment, from_id: int | None) -> None:
        (cause, actor_id), number = self._cause_of(self.tickets[row.pk]), None
        if row.user_id is not None:
            self._count(row.user_id, "given_count")
        elif cause.why in KEEPS_PLACE:
            self._count(from_id, "returned_count")
        turn = None
        if cause.why in GIVEN and row.user_id is not None and row.queue_id is not None:
            turn, _ = Turn.objects.get_or_create(queue_id=row.queue_id, user_id=row.user_id)
            number = turn.count + 1
        line = AssignmentLog(
            company_id=row.company_id,
            ticket_id=row.pk,
            queue_id=row.queue_id,
            from_user_id=from_id,
            to_user_id=row.user_id,
            why=cause.why,
            actor_id=actor_id,
            number=number,
            at=self.now,
        )
        insert_row(line)
        if turn is not None:
            turn.count, turn.last = turn.count + 1, line.pk
            turn.save(update_fields=["count", "last"])

    def _end(self, gone: Sequence[Assignment]) -> None:
        if not gone:
            return
        for row in gone:
            self._add(row.user_id, -row.points)
            if not (self.are_deleted or self.is_anew):
                self._count(row.user_id, "resolved_count")
        ids = [row.pk for row in gone]
        ticks.cancel([TickKind.RETURN, TickKind.RELEASE], ids)
        Assignment.objects.filter(pk__in=ids).delete()

    def _store_seats(self) -> None:
        changed: list[Seat] = []
        freed: dict[int, list[int]] = {}
        for user_id, seat in sorted(self._seats.items()):
            change, counts = self._loads.get(user_id, 0), self._counts.get(user_id, {})
            if not change and not counts:
                continue
            seat.load += change
            if counts:
                today = self.now.astimezone(zone_of(seat.company_id)).date()
                if seat.day != today:
                    seat.day = today
                    seat.given_count = seat.resolved_count = seat.returned_count = 0
                for name, count in counts.items():
                    setattr(seat, name, getattr(seat, name) + count)
            changed.append(seat)
            if change < 0 and seat.capacity:
                freed.setdefault(seat.company_id, []).append(user_id)
        update_rows(changed, _COUNTS)
        for company_id, user_ids in freed.items():
            ticks.give_for(company_id, user_ids)


def _values(row: Assignment) -> tuple[object, ...]:
    meta: Any = Assignment._meta
    return tuple(getattr(row, meta.get_field(name).attname) for name in _STORED)
