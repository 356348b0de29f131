"""Priorities of tickets (rules/tickets §17)."""

from django.db import transaction

from apps.accounts.models import User
from apps.tickets import events
from apps.tickets.models import Ticket, TicketActivity, TicketActivityKind, TicketPriority
from apps.tickets.services.rights import check_may_act, locked_ticket


def set_priority(*, user: User, ticket_id: int, priority: TicketPriority) -> Ticket:
    """Give a ticket a priority; the present one again changes nothing.

    Raises TicketNotFound and TicketNotReadable.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket_id)
        check_may_act(user, ticket)
        if ticket.priority == priority:
            return ticket
        ticket.priority = priority
        Ticket.objects.filter(pk=ticket.pk).update(priority=priority)
        activity = TicketActivity.objects.create(
            ticket=ticket,
            kind=TicketActivityKind.PRIORITIZED,
            actor=user.person,
            detail={"actor": user.name, "priority": priority.name.lower()},
        )
        events.ticket_updated(ticket, activity=activity)
        return ticket
