"""What happens to tickets by time alone (rules/bot §7): moved to a queue, taken from a flow that
fell silent, shown where menu or flow are left unanswered, closed as silent.

Each rule finds its tickets with one statement for all companies, and changes each in a small
transaction of its own, once more looked at under its lock: two workers do a thing once, and what a
killed one left is found by the next.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.common.leases import LeaseState
from apps.companies.models import CompanySetting
from apps.connections.models import Connection, ConnectionQueue
from apps.connections.serializers.connections import MOST_MINUTES
from apps.tickets import events
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
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services.bot.leading import end_bot, enter_queue, show_waiting
from apps.tickets.services.outbox import tell_transferred, write_automatic_text
from apps.tickets.services.tickets.tracking import track

logger = logging.getLogger(__name__)

# The rest is the next run's, which never meets this one.
MOST_AT_ONCE = 5000
LONGEST_RULE = 10.0
# Who has chosen no queue by then is shown to people; the connection's own minutes go before.
LONGEST_CHOICE = timedelta(hours=1)
Tickets = QuerySet[Ticket]


def run_timers(*, now: datetime | None = None, longest: float = LONGEST_RULE) -> int:
    """Do what is due, each rule for `longest` seconds; returns how many tickets were changed.

    Never call it inside a transaction.
    """
    moment = now or timezone.now()
    changed = _each(overdue_waiting(moment), _move, longest)
    changed += _each(left_unanswered(moment), _take_from_flow, longest)
    changed += _each(left_waiting(moment), show_waiting, longest)
    return changed + _each(silent(moment), _expire, longest)


def overdue_waiting(now: datetime) -> Tickets:
    """Return pending tickets without a queue for longer than their connection allows."""
    waiting = Ticket.objects.filter(
        status=TicketStatus.PENDING,
        queue=None,
        user=None,
        is_group=False,
        connection__transfer_queue__isnull=False,
    )
    due = _Cutoffs("minutes_to_transfer", now)
    return waiting.filter(due.any(_waits_since))


def _waits_since(at: datetime) -> Q:
    """Return the condition of tickets that wait since a moment or longer.

    A contact who goes on writing moves `updated_at`, not the beginning of the wait.
    """
    cycles = TrackingCycle.objects.filter(ticket=OuterRef("pk"), finished_at=None)
    return Q(Exists(cycles.filter(queued_at__lte=at)))


def left_unanswered(now: datetime) -> Tickets:
    """Return tickets whose flow, or model, took a message and has said nothing for too long."""
    led = Ticket.objects.filter(
        Q(use_integration=True) | Q(prompt__isnull=False),
        status=TicketStatus.PENDING,
        user=None,
        is_group=False,
    )
    # The bot's own notices, as that about sounds, and what was scheduled are not the flow's words.
    answers = Message.objects.filter(
        ~Q(source__in=[MessageSource.BOT, MessageSource.SCHEDULE, MessageSource.CAMPAIGN]),
        ticket=OuterRef("ticket"),
        from_me=True,
        pk__gt=OuterRef("message"),
    )
    # What an earlier cycle left unanswered is over.
    cycle = TrackingCycle.objects.filter(
        ticket=OuterRef("ticket"), finished_at=None, queued_at__lte=OuterRef("created_at")
    )
    taken = BotTurn.objects.filter(
        Exists(cycle),
        ~Exists(answers),
        ticket=OuterRef("pk"),
        state=LeaseState.DONE,
        # What was taken back in time was answered by nobody.
        message__is_deleted=False,
    )
    due = _Cutoffs("integration_silence_minutes", now)
    return led.filter(due.any(lambda at: Q(Exists(taken.filter(finished_at__lte=at)))))


def left_waiting(now: datetime) -> Tickets:
    """Return tickets that stand too long at the menu of queues or in a flow, whatever is written.

    Not those that the connection's own minutes move, and where there is no queue to give.
    """
    moved = Q(connection__transfer_queue__isnull=False, connection__minutes_to_transfer__gt=0)
    some_queue = Q(connection__transfer_queue__isnull=False) | Q(
        Exists(ConnectionQueue.objects.filter(connection=OuterRef("connection")))
    )
    # What leads the connection's conversations may have a queue of its own.
    flows_queue = Q(connection__integration__fallback_queue__isnull=False)
    models_queue = Q(connection__prompt__queue__isnull=False)
    return Ticket.objects.filter(
        some_queue
        | flows_queue & Q(company__plan__use_integrations=True)
        | models_queue & Q(company__plan__use_open_ai=True),
        ~moved,
        _waits_since(now - LONGEST_CHOICE),
        # Said twice: this one in the words of the index.
        Q(status__in=[TicketStatus.OPEN, TicketStatus.PENDING]),
        status=TicketStatus.PENDING,
        queue=None,
        user=None,
        is_group=False,
        chatbot=True,
    )


def silent(now: datetime) -> Tickets:
    """Return tickets whose contact has not answered our side's last word for too long.

    A word that did not go out yet, or could not, is none. Tickets of a queue only when it has
    `expire_chat`; pending ones only where the company's `closePending` is on.
    """
    closes_pending = CompanySetting.objects.filter(
        company=OuterRef("company"), key="closePending", value="enabled"
    )
    live = Ticket.objects.filter(
        # Said twice: this one in the words of the index.
        Q(status__in=[TicketStatus.OPEN, TicketStatus.PENDING]),
        Q(status=TicketStatus.OPEN) | Q(Exists(closes_pending), status=TicketStatus.PENDING),
        Q(queue=None) | Q(queue__expire_chat=True),
        is_group=False,
        latest_message__from_me=True,
        latest_message__ack__gte=Ack.SENT,
    )
    # `updated_at` is the last message's time, or that of an accept or a transfer after it.
    due = _Cutoffs("ticket_expires_minutes", now)
    return live.filter(due.any(lambda at: Q(updated_at__lte=at)))


class _Cutoffs:
    """The moments before which tickets are due, by the minutes that their connections say."""

    def __init__(self, minutes: str, now: datetime) -> None:
        self._minutes = minutes
        self._now = now

    def any(self, condition: Callable[[datetime], Q]) -> Q:
        """Return the condition of every connection's own moment; no connection: no ticket.

        The few different numbers of minutes are read first, so that the database compares columns
        with constants and can use its indexes.
        """
        connections = Connection.objects.filter(**{f"{self._minutes}__range": (1, MOST_MINUTES)})
        found = Q(pk__in=[])
        values = (
            connections.order_by(self._minutes).values_list(self._minutes, flat=True).distinct()
        )
        for minutes in values:
            ids = connections.filter(**{self._minutes: minutes}).values("pk")
            at = self._now - timedelta(minutes=minutes)
            found |= Q(connection__in=ids) & condition(at)
        return found


def _each(due: Tickets, change: Callable[[Ticket], None], longest: float) -> int:
    # Without an order, which could have the database walk all tickets by it to find the few.
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
            # Whoever holds the lock is acting on the ticket: the next run looks again.
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


def _expire(ticket: Ticket) -> None:
    connection = ticket.connection
    if connection is None:
        return
    write_automatic_text(ticket, connection.inactive_message)
    now = timezone.now()
    old_status, audiences = ticket.status, ticket_audiences(ticket)
    end_bot(ticket, "")
    ticket.status = TicketStatus.CLOSED
    ticket.closed_at = ticket.updated_at = now
    ticket.save(update_fields=["status", "closed_at", "updated_at"])
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
