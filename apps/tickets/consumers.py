"""The rooms that browsers join, conversations, lists by status, notifications, and who views a
conversation.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from apps.accounts.models import User
from apps.realtime.sockets import joins
from apps.realtime.visits import watches
from apps.tickets import events
from apps.tickets.models import Ticket, TicketStatus
from apps.tickets.rooms import (
    audiences_of,
    chat_room,
    notification_room,
    status_room,
    ticket_audiences,
    ticket_of_chat_room,
)

MAX_ID = 2**63 - 1
# More are not named.
MOST_VIEWERS = 20


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


@watches(ticket_of_chat_room)
def viewers_changed(ticket_id: int, user_ids: Sequence[int], at: int) -> None:
    """Tell those who have a conversation open who else has it open."""
    ticket = Ticket.objects.filter(pk=ticket_id).first()
    if ticket is not None:
        viewers = User.objects.for_company(ticket.company_id).filter(pk__in=user_ids)
        events.viewers_changed(ticket, viewers.order_by("name", "pk")[:MOST_VIEWERS], at)
