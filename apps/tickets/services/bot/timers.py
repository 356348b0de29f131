"""Timers: changes of tickets that only passing time causes (rules/bot §7).

They move tickets to a queue, take tickets from a flow that does not answer, give a queue to tickets
with an unanswered menu or flow, and close tickets of silent contacts. The last one tells the
holders of tickets whose 24-hour window closes (rules/tickets §15). Each rule finds the tickets of
all companies with one statement. Each ticket is changed in a transaction of its own, after the
condition is checked again under the ticket's lock. Two workers therefore never act twice, and the
next run completes what a killed worker left.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.common.bulk import update_rows
from apps.common.leases import LeaseState
from apps.companies.models import CompanySetting
from apps.connections.models import Connection, ConnectionQueue, ProviderKind
from apps.connections.serializers.connection_changes import MOST_MINUTES
from apps.tickets import events
from apps.tickets.bot_states import BOT_FIELDS
from apps.tickets.models import (
    Ack,
    BotTurn,
    Message,
    MessageSource,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketStatus,
    TrackingCycle,
)
from apps.tickets.origins import Origin
from apps.tickets.owners import led_elsewhere
from apps.tickets.queries.inbox import CLOSING, WINDOW, closes_soon
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services.bot.leading import end_bot, enter_queue, show_waiting
from apps.tickets.services.outbox import tell_transferred, write_automatic_text
from apps.tickets.services.tickets.following import tell_of_change
from apps.tickets.services.tickets.tracking import track

logger = logging.getLogger(__name__)

# The next run handles the rest. Runs do not overlap.
MOST_AT_ONCE = 5000
LONGEST_RULE = 10.0
# After this time a ticket in a flow or with a model gets a queue, so that people see it. For a menu
# the connection's minutes count. In both cases its minutes to transfer take precedence.
LONGEST_FLOW = timedelta(hours=1)
# The connections' settings in minutes that the rules go by.
MINUTES = (
    "minutes_to_transfer",
    "integration_silence_minutes",
    "menu_silence_minutes",
    "ticket_expires_minutes",
)
Tickets = QuerySet[Ticket]


def run_timers(*, now: datetime | None = None, longest: float = LONGEST_RULE) -> int:
    """Run each rule for about `longest` seconds at most; returns the number of changed tickets.

    Never call it inside a transaction.
    """
    due = Cutoffs(now or timezone.now())
    changed = _each(overdue_waiting(due), _move, longest)
    changed += _each(left_unanswered(due), _take_from_flow, longest)
    changed += _each(left_waiting(due), show_waiting, longest)
    changed += _each(silent(due), _expire, longest)
    return changed + _each(closing(due), _tell_window, longest)


class Cutoffs:
    """The times before which tickets are due, from the settings in minutes of all connections.

    The few distinct values are read first, in one query. The database then compares columns with
    constants and can use its indexes.
    """

    def __init__(self, now: datetime) -> None:
        self.now = now
        kept = list(Connection.objects.order_by().values(*MINUTES, "provider").distinct())
        self.has_windows = any(each["provider"] == ProviderKind.OFFICIAL for each in kept)
        self._minutes = {
            name: sorted({each[name] for each in kept if 1 <= each[name] <= MOST_MINUTES})
            for name in MINUTES
        }

    def any(self, name: str, condition: Callable[[datetime], Q]) -> Q:
        """Return a condition that holds for tickets due by their own connection's minutes."""
        found = Q(pk__in=[])
        for minutes in self._minutes[name]:
            ids = Connection.objects.filter(**{name: minutes}).values("pk")
            found |= Q(connection__in=ids) & condition(self.now - timedelta(minutes=minutes))
        return found


def overdue_waiting(due: Cutoffs) -> Tickets:
    """Return pending tickets without a queue for longer than their connection allows."""
    waiting = Ticket.objects.filter(
        status=TicketStatus.PENDING,
        queue=None,
        user=None,
        is_group=False,
        connection__transfer_queue__isnull=False,
    )
    return waiting.filter(due.any("minutes_to_transfer", _waits_since))


def _waits_since(at: datetime) -> Q:
    """Return the condition of tickets that have been waiting since `at` or earlier.

    It uses the tracking cycle, because each new message of the contact changes `updated_at`.
    """
    cycles = TrackingCycle.objects.filter(ticket=OuterRef("pk"), finished_at=None)
    return Q(Exists(cycles.filter(queued_at__lte=at)))


def left_unanswered(due: Cutoffs) -> Tickets:
    """Return tickets whose integration or prompt took a message and has not answered in time."""
    led = Ticket.objects.filter(
        Q(use_integration=True) | Q(prompt__isnull=False),
        status=TicketStatus.PENDING,
        user=None,
        is_group=False,
    )
    # The bot's own notices (for example the audio alert) and scheduled messages are no answers.
    answers = Message.objects.filter(
        ~Q(source__in=[MessageSource.BOT, MessageSource.SCHEDULE, MessageSource.CAMPAIGN]),
        ticket=OuterRef("ticket"),
        from_me=True,
        pk__gt=OuterRef("message"),
    )
    # Turns of earlier cycles do not count.
    cycle = TrackingCycle.objects.filter(
        ticket=OuterRef("ticket"), finished_at=None, queued_at__lte=OuterRef("created_at")
    )
    taken = BotTurn.objects.filter(
        Exists(cycle),
        ~Exists(answers),
        ticket=OuterRef("pk"),
        state=LeaseState.DONE,
        # A message that the contact deleted needs no answer.
        message__is_deleted=False,
    )
    answered_by = due.any(
        "integration_silence_minutes", lambda at: Q(Exists(taken.filter(finished_at__lte=at)))
    )
    return led.filter(answered_by)


def left_waiting(due: Cutoffs) -> Tickets:
    """Return tickets that have been at the menu of queues or in a flow for too long.

    New messages of the contact do not restart the time. Tickets that the connection's own minutes
    move are left out, and those for which there is no queue.
    """
    moved = Q(connection__transfer_queue__isnull=False, connection__minutes_to_transfer__gt=0)
    some_queue = Q(connection__transfer_queue__isnull=False) | Q(
        Exists(ConnectionQueue.objects.filter(connection=OuterRef("connection")))
    )
    # The connection's integration or prompt may name a queue for this.
    flows_queue = Q(connection__integration__fallback_queue__isnull=False)
    models_queue = Q(connection__prompt__queue__isnull=False)
    in_flow = Q(use_integration=True) | Q(prompt__isnull=False)
    return Ticket.objects.filter(
        some_queue
        | flows_queue & Q(company__plan__use_integrations=True)
        | models_queue & Q(company__plan__use_open_ai=True),
        ~moved,
        in_flow & _waits_since(due.now - LONGEST_FLOW)
        | ~in_flow & due.any("menu_silence_minutes", _waits_since),
        # This repeats the index condition, so that the partial index is used.
        Q(status__in=[TicketStatus.OPEN, TicketStatus.PENDING]),
        status=TicketStatus.PENDING,
        queue=None,
        user=None,
        is_group=False,
        chatbot=True,
    )


def silent(due: Cutoffs) -> Tickets:
    """Return tickets whose contact has not answered our last message in time.

    The message must have been sent, and not by another responder of the number. Tickets in a queue
    count only if the queue has `expire_chat`; pending tickets count only if the company's
    `closePending` is on. Snoozed ones wait for the contact on purpose.
    """
    closes_pending = CompanySetting.objects.filter(
        company=OuterRef("company"), key="closePending", value="enabled"
    )
    live = Ticket.objects.filter(
        # This repeats the index condition, so that the partial index is used.
        Q(status__in=[TicketStatus.OPEN, TicketStatus.PENDING]),
        Q(status=TicketStatus.OPEN) | Q(Exists(closes_pending), status=TicketStatus.PENDING),
        Q(queue=None) | Q(queue__expire_chat=True),
        is_group=False,
        snoozed_at=None,
        latest_message__from_me=True,
        latest_message__ack__gte=Ack.SENT,
    ).exclude(latest_message__source=MessageSource.OTHER)
    # `updated_at` is the time of the last message, or of a later accept or transfer.
    return live.filter(due.any("ticket_expires_minutes", lambda at: Q(updated_at__lte=at)))


def closing(due: Cutoffs) -> Tickets:
    """Return held tickets whose window closes within the hour, whose contact waits, and whose
    holder was not told of this window.
    """
    if not due.has_windows:
        return Ticket.objects.none()
    return Ticket.objects.filter(
        Q(window_told_at=None) | Q(window_told_at__lt=F("last_inbound_at")),
        closes_soon(due.now - WINDOW, due.now - WINDOW + CLOSING),
        status=TicketStatus.OPEN,
        user__isnull=False,
        is_group=False,
    )


def _each(due: Tickets, change: Callable[[Ticket], None], longest: float) -> int:
    # Without an order: with one, the database may walk all tickets in that order to find the few.
    # Another responder's conversations wait for nothing of ours.
    due = due.exclude(led_elsewhere(timezone.now()))
    ids = list(due.order_by().values_list("pk", flat=True)[:MOST_AT_ONCE])
    until, changed = time.monotonic() + longest, 0
    for pk in ids:
        changed += _change(due, pk, change)
        if time.monotonic() >= until:
            break
    return changed


def _change(due: Tickets, pk: int, change: Callable[[Ticket], None]) -> bool:
    try:
        with transaction.atomic():
            # Skip a ticket that somebody else has locked. The next run checks it again.
            locked = Ticket.objects.select_for_update(no_key=True, skip_locked=True)
            ticket = locked.filter(pk=pk).first()
            if ticket is None or not due.filter(pk=pk).exists():
                return False
            change(ticket)
    except Exception:
        logger.exception("A timer of ticket %s failed", pk)
        return False
    return True


def _move(ticket: Ticket) -> None:
    queue = ticket.connection.transfer_queue if ticket.connection else None
    if queue is not None:
        tell_transferred(ticket=ticket, queue_name=queue.name, user_name=None)
        enter_queue(ticket, queue, by="timer")


def _take_from_flow(ticket: Ticket) -> None:
    end_bot(ticket, "silent")


def _tell_window(ticket: Ticket) -> None:
    if ticket.last_inbound_at is not None:
        ticket.window_told_at = timezone.now()
        update_rows([ticket], ["window_told_at"])
        events.window_closes(ticket, ticket.last_inbound_at + WINDOW)


def _expire(ticket: Ticket) -> None:
    connection = ticket.connection
    if connection is None:
        return
    write_automatic_text(ticket, connection.inactive_message, Origin.INACTIVE)
    now = timezone.now()
    old_status, audiences = ticket.status, ticket_audiences(ticket)
    end_bot(ticket, "")
    ticket.status = TicketStatus.CLOSED
    ticket.closed_at = ticket.updated_at = now
    ticket.is_handed_over, ticket.handed_over_by = False, None
    changed = ("status", "is_handed_over", "handed_over_by", "closed_at", "updated_at")
    update_rows([ticket], (*changed, *BOT_FIELDS))
    track(ticket, old_status=old_status, at=now)
    activity = TicketActivity.objects.create(
        ticket=ticket,
        kind=TicketActivityKind.EXPIRED,
        detail={
            "queue": ticket.queue.name if ticket.queue else None,
            "connection": connection.name,
        },
        created_at=now,
    )
    events.ticket_updated(
        ticket, old_status=old_status, audiences_before=audiences, activity=activity
    )
    tell_of_change(ticket, activity)
