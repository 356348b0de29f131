"""The rooms that browsers join: conversations, lists by status, notifications."""

from uuid import UUID

from django.db.models import Q

from apps.accounts.models import User
from apps.realtime.sockets import joins
from apps.tickets.models import Ticket, TicketStatus
from apps.tickets.rooms import (
    audiences_of,
    chat_room,
    notification_room,
    status_room,
    ticket_audiences,
)

MAX_ID = 2**63 - 1


@joins("joinChatBox", leave="leaveChatBox")
def chat_rooms(viewer: User, ticket: str) -> list[str]:
    """Return a conversation's rooms if the viewer may read it, by id or uuid (rules/tickets §6)."""
    if ticket.isascii() and ticket.isdigit():
        is_asked_for = Q(pk=min(int(ticket), MAX_ID))
    else:
        try:
            is_asked_for = Q(uuid=UUID(ticket))
        except ValueError:  # older browsers join "undefined" before they know the ticket
            return []
    found = Ticket.objects.for_company(viewer.company_id).filter(is_asked_for).first()
    if found is None:
        return []
    own = audiences_of(viewer)
    if not set(own) & set(ticket_audiences(found)):
        return []
    return [chat_room(found.pk, audience) for audience in own]


@joins("joinTickets", leave="leaveTickets")
def list_rooms(viewer: User, status: str) -> list[str]:
    if status not in TicketStatus.values:
        return []
    return [status_room(viewer.company_id, status, each) for each in audiences_of(viewer)]


@joins("joinNotification")
def notification_rooms(viewer: User, _: str) -> list[str]:
    return [notification_room(viewer.company_id, each) for each in audiences_of(viewer)]
