"""Gives a waiting ticket to a person who did not take it by hand."""

from django.utils import timezone

from apps.accounts.models import User
from apps.common.bulk import update_rows
from apps.tickets import events
from apps.tickets.bot_states import BOT_FIELDS
from apps.tickets.models import Ticket, TicketActivity, TicketActivityKind, TicketStatus
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services.tickets.bot_hooks import bot_ends
from apps.tickets.services.tickets.following import tell_of_change
from apps.tickets.services.tickets.tracking import track

_ASSIGNED = ("user", "status", "is_handed_over", "handed_over_by", "woken", "updated_at")


def assign_ticket(ticket: Ticket, user: User, *, by: str | None = None) -> None:
    """Open a locked ticket for a user, mark it as handed over, and emit the events.

    `by` says in the activity what gave it. The caller has checked that the user may hold it.
    """
    now = timezone.now()
    old_status, audiences = ticket.status, ticket_audiences(ticket)
    ticket.user, ticket.status, ticket.updated_at = user, TicketStatus.OPEN, now
    ticket.is_handed_over, ticket.handed_over_by, ticket.woken = True, None, ""
    bot_ends(ticket)
    update_rows([ticket], (*_ASSIGNED, *BOT_FIELDS))
    track(ticket, old_status=old_status, at=now)
    activity = TicketActivity.objects.create(
        ticket=ticket,
        kind=TicketActivityKind.TRANSFERRED,
        detail={
            "user": user.name,
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
