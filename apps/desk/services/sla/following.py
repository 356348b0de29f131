"""Keeps clocks in step with tickets (rules/desk §8).

It is called in the transaction that changes the tickets, which are locked. Lock order: tickets,
their clocks, their ticks.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from apps.common.bulk import update_rows
from apps.desk import events
from apps.desk.decisions.hours import Calendar
from apps.desk.decisions.sla import (
    ANSWERS,
    Clock,
    Heard,
    Kind,
    Step,
    Target,
    TicketNow,
    counted,
    moved,
    nearest,
    planned,
    step,
    targets_of,
    waits_after,
)
from apps.desk.models import SlaClock, SlaFiring, TickKind
from apps.desk.queries.sla import (
    Calendars,
    has_answered,
    steps_of,
    tags_of,
    times_of,
    waits_for_us,
)
from apps.desk.services import ticks
from apps.desk.services.known import SLA, known
from apps.desk.services.rules.following import plan_moments
from apps.tickets.models import BY_PEOPLE, Message, Ticket, TicketStatus
from apps.tickets.owners import is_led_elsewhere

LIVE = (TicketStatus.OPEN, TicketStatus.PENDING)
_STORED = (
    *("policy", "queue", "user", "minutes", "runs_from", "left_seconds", "due_at", "warns_at"),
    *("paused_at", "paused_seconds", "met_at", "missed_at", "judged_at", "ended_at"),
)
_OF_TICKET = ("sla_due_at", "sla_warns_at")
# What is ahead of a ticket's clocks: when, which clock, and its step, or None for the deadline.
Ahead = tuple[datetime, Clock, Step | None]


def follow(tickets: Sequence[Ticket], messages: Sequence[Message]) -> None:
    """Take in what tickets have become, and their new messages."""
    concerned = [each for each in tickets if known.is_on(each.company_id, SLA)]
    if concerned:
        Follower(concerned, messages).run()


def count_anew(tickets: Sequence[Ticket]) -> None:
    """Take in tickets for which other hours hold."""
    Follower(tickets, counts_anew=True).run()


@dataclass
class Follower:
    """Takes in tickets of which something has changed.

    `plans` has what is ahead be due even where no clock has changed.
    """

    tickets: Sequence[Ticket]
    messages: Sequence[Message] = ()
    counts_anew: bool = False
    plans: bool = False
    now: datetime = field(default_factory=timezone.now)
    calendars: Calendars = field(default_factory=Calendars)

    def run(self) -> None:
        self._planned: list[Ticket] = []
        times = {pk: times_of(pk) for pk in {each.company_id for each in self.tickets}}
        by_id = {each.pk: each for each in self.tickets}
        found = SlaClock.objects.filter(ticket__in=by_id, ended_at=None).order_by("ticket_id", "pk")
        rows: defaultdict[int, list[SlaClock]] = defaultdict(list)
        for row in found.select_for_update(no_key=True):
            rows[row.ticket_id].append(row)
        has_tags = any(each.tag_id is not None for policies in times.values() for each in policies)
        tags = tags_of(by_id) if has_tags else {}
        heard = self._heard()
        for pk, ticket in sorted(by_id.items()):
            targets = targets_of(
                times[ticket.company_id],
                queue_id=ticket.queue_id,
                tag_ids=tags.get(pk, ()),
                priority=ticket.priority,
            )
            self._take_in(ticket, rows.get(pk, []), targets, heard.get(pk, [Heard.NOTHING]))
        plan_moments(self._planned)

    def _heard(self) -> Mapping[int, list[Heard]]:
        heard: defaultdict[int, list[Heard]] = defaultdict(list)
        for message in self.messages:
            if not message.from_me:
                heard[message.ticket_id].append(Heard.CONTACT)
            elif message.source in BY_PEOPLE:
                heard[message.ticket_id].append(Heard.PERSON)
            else:
                heard[message.ticket_id].append(Heard.NOTHING)
        return heard

    def _take_in(
        self,
        ticket: Ticket,
        rows: Sequence[SlaClock],
        targets: Mapping[Kind, Target],
        heard: Sequence[Heard],
    ) -> None:
        is_live = ticket.status in LIVE
        if not rows and not (targets and is_live):
            self._show(ticket, ())
            return
        by_kind = {Kind(row.kind): row for row in rows}
        calendar = self.calendars.of(ticket)
        going: Mapping[Kind, Clock] = {
            kind: self._value(row, ticket, calendar) for kind, row in by_kind.items()
        }
        if self.counts_anew:
            going = {kind: counted(clock, calendar) for kind, clock in going.items()}
        waits = any(kind in going for kind in ANSWERS)
        if is_live and not waits and heard[0] == Heard.NOTHING:
            waits = waits_for_us(ticket)
        is_led = ticket.chatbot or ticket.use_integration or ticket.prompt_id is not None
        is_ours = not (is_led or is_led_elsewhere(ticket))
        has_first: bool | None = None
        ended: list[Clock] = []
        for each in heard:
            waits = waits_after(waits, each)
            if each == Heard.PERSON:
                has_first = True
            has_answer = any(kind in going for kind in ANSWERS)
            if waits and is_live and has_first is None and not has_answer:
                has_first = has_answered(ticket)
            seen = TicketNow(
                is_live=is_live,
                is_ours=is_ours,
                is_snoozed=ticket.snoozed_at is not None,
                waits_for_us=waits,
                has_first=bool(has_first),
                targets=targets,
            )
            outcome = step(going, seen, each, calendar, self.now)
            going = outcome.going
            ended += outcome.ended
        clocks = [*ended, *going.values()]
        is_changed = self._store(ticket, by_kind, clocks)
        self._show(ticket, going.values())
        if is_changed or self.plans:
            self._plan(ticket, calendar)

    def _value(self, row: SlaClock, ticket: Ticket, calendar: Calendar) -> Clock:
        """Return a stored clock, by the hours of the queue in which the ticket is now."""
        if not _has_moved(row, ticket):
            return row.value
        was = self.calendars.of_queue(ticket.company_id, row.queue_id)
        return moved(row.value, was, calendar, self.now)

    def _store(
        self,
        ticket: Ticket,
        rows: Mapping[Kind, SlaClock],
        clocks: Iterable[Clock],
    ) -> bool:
        """Store what clocks have become; return whether anything has changed."""
        by_id = {row.pk: row for row in rows.values()}
        changed: list[SlaClock] = []
        made: list[SlaClock] = []
        for clock in clocks:
            row = by_id.get(clock.id or 0)
            if row is None:
                row = SlaClock(
                    company_id=ticket.company_id,
                    ticket=ticket,
                    kind=clock.kind,
                    started_at=clock.started_at,
                )
                made.append(row)
            elif row.value != clock or _has_moved(row, ticket):
                changed.append(row)
            else:
                continue
            _write(row, clock, ticket)
        # Those that end first: of one kind one is open at most.
        update_rows(changed, _STORED)
        for row in made:
            row.save(force_insert=True)
        return bool(changed or made)

    def _show(self, ticket: Ticket, going: Iterable[Clock]) -> None:
        """Keep the nearest deadline on the ticket, and tell browsers that show it."""
        clock = nearest(going)
        due_at, warns_at = (clock.due_at, clock.warns_at) if clock else (None, None)
        if (ticket.sla_due_at, ticket.sla_warns_at) == (due_at, warns_at):
            return
        ticket.sla_due_at, ticket.sla_warns_at = due_at, warns_at
        update_rows([ticket], _OF_TICKET)
        if ticket.told is not None:
            # The answer of the call was made before.
            ticket.told |= {"slaDueAt": due_at, "slaWarnsAt": warns_at}
        events.deadline_changed(ticket)

    def _plan(self, ticket: Ticket, calendar: Calendar) -> None:
        ahead = self.ahead_of(ticket, calendar)
        if ahead:
            ticks.plan(TickKind.SLA, ahead[0][0], company_id=ticket.company_id, ticket_id=ticket.pk)
        else:
            ticks.cancel([TickKind.SLA], [ticket.pk])
        self._planned.append(ticket)

    def ahead_of(self, ticket: Ticket, calendar: Calendar | None = None) -> list[Ahead]:
        """Return what is ahead of a ticket's clocks, in order."""
        rows = SlaClock.objects.filter(ticket=ticket, ended_at=None).order_by("pk")
        clocks = [row.value for row in rows]
        if not clocks:
            return []
        steps = steps_of(clock.policy_id for clock in clocks if clock.policy_id is not None)
        fired = SlaFiring.objects.filter(clock__in=[clock.id for clock in clocks])
        done = {
            (clock_id, step_id or 0) for clock_id, step_id in fired.values_list("clock", "step")
        }
        return planned(clocks, steps, done, calendar or self.calendars.of(ticket))


def _has_moved(row: SlaClock, ticket: Ticket) -> bool:
    """Tell whether the ticket of a clock that is not judged yet is in another queue by now."""
    return row.judged_at is None and row.queue_id != ticket.queue_id


def _write(row: SlaClock, clock: Clock, ticket: Ticket) -> None:
    """Have a row be a clock's; who has the ticket is kept from when it was judged."""
    row.policy_id, row.minutes = clock.policy_id, clock.minutes
    row.runs_from, row.left_seconds = clock.runs_from, clock.left.total_seconds()
    row.due_at, row.warns_at = clock.due_at, clock.warns_at
    row.paused_at, row.paused_seconds = clock.paused_at, clock.paused_seconds
    row.met_at, row.missed_at, row.ended_at = clock.met_at, clock.missed_at, clock.ended_at
    if row.judged_at is None:
        row.queue_id, row.user_id = ticket.queue_id, ticket.user_id
        row.judged_at = clock.met_at or clock.missed_at
