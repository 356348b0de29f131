"""Gives a ticket to a person who did not take it by hand, or to another queue."""

from collections.abc import Sequence

from django.utils import timezone

from apps.accounts.models import User
from apps.common.bulk import update_rows
from apps.queues.models import Queue
from apps.tickets import events
from apps.tickets.bot_states import BOT_FIELDS
from apps.tickets.models import Ticket, TicketActivity, TicketActivityKind, TicketStatus
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services.tickets.bot_hooks import bot_ends
from apps.tickets.services.tickets.following import tell_of_change
from apps.tickets.services.tickets.tracking import track

# `BOT_FIELDS` have the queue.
_ASSIGNED = ("user", "status", "is_handed_over", "handed_over_by", "woken", "updated_at")


def assign_ticket(ticket: Ticket, user: User, *, by: str | None = None) -> None:
    """Open a locked ticket for a user, mark it as handed over, and emit the events.

    `by` says in the activity what gave it. The caller has checked that the user may hold it.
    """
    old_status, audiences = ticket.status, ticket_audiences(ticket)
    ticket.user, ticket.status = user, TicketStatus.OPEN
    _store(ticket, old_status, audiences, by)


def move_to_queue(ticket: Ticket, queue: Queue, *, by: str | None = None) -> None:
    """Have a locked live ticket wait in another queue, without a holder, and emit the events."""
    old_status, audiences = ticket.status, ticket_audiences(ticket)
    ticket.queue, ticket.user, ticket.status = queue, None, TicketStatus.PENDING
    _store(ticket, old_status, audiences, by)


def _store(ticket: Ticket, old_status: str, audiences: Sequence[str], by: str | None) -> None:
    now = timezone.now()
    ticket.updated_at = now
    ticket.is_handed_over, ticket.handed_over_by, ticket.woken = True, None, ""
    bot_ends(ticket)
    update_rows([ticket], (*_ASSIGNED, *BOT_FIELDS))
    track(ticket, old_status=old_status, at=now)
    activity = TicketActivity.objects.create(
        ticket=ticket,
        kind=TicketActivityKind.TRANSFERRED,
        detail={
            "user": ticket.user.name if ticket.user else None,
            "queue": ticket.queue.name if ticket.queue else None,
            "connection": ticket.connection.name if ticket.connection else None,
            **({"by": by} if by else {}),
        },
        created_at=now,
    )
    events.ticket_updated(
        ticket, old_status=old_status, audiences_before=audiences, activity=activity
    )
    tell_of_change(ticket, activity)
