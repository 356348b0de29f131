"""Priorities of tickets (rules/tickets §17)."""

from django.db import transaction

from apps.accounts.models import User
from apps.tickets import events
from apps.tickets.models import Ticket, TicketActivity, TicketActivityKind, TicketPriority
from apps.tickets.services.rights import check_may_act, check_may_handle, locked_ticket
from apps.tickets.services.tickets.following import tell_of_change


def set_priority(*, user: User, ticket_id: int, priority: TicketPriority) -> Ticket:
    """Give a ticket a priority; the present one again changes nothing.

    Raises TicketNotFound, TicketNotReadable and NoPermission.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket_id)
        check_may_act(user, ticket)
        check_may_handle(user, ticket)
        if ticket.priority == priority:
            return ticket
        change_priority(ticket, priority, user=user)
        return ticket


def change_priority(
    ticket: Ticket, priority: TicketPriority, *, user: User | None = None, by: str = ""
) -> None:
    """Give a locked ticket another priority; `by` says what did it, if no user."""
    ticket.priority = priority
    Ticket.objects.filter(pk=ticket.pk).update(priority=priority)
    whose = {"actor": user.name} if user else {"by": by}
    activity = TicketActivity.objects.create(
        ticket=ticket,
        kind=TicketActivityKind.PRIORITIZED,
        actor=user.person if user else None,
        detail={**whose, "priority": priority.name.lower()},
    )
    events.ticket_updated(ticket, activity=activity)
    tell_of_change(ticket, activity)
