"""Rooms of tickets, named so that an event reaches only users who may read the ticket.

Every room is split by audience: `queue-{id}` (the queue's members), `user-{id}` (the holder) and
`all` (those whose role shows all tickets, and those who see queues while `allowToSpyMessage` is
enabled). A ticket with neither queue nor holder is only for `all` (rules/tickets §6,
rules/realtime §2). A socket joins the rooms of its
user's audiences. An event names the ticket's audiences at that moment. A user who may no longer
read a ticket therefore gets no more events in the open conversation, without having to be removed
from a room.
"""

from collections.abc import Iterable

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.companies.queries import setting_of
from apps.tickets.models import Ticket

ALL = "all"


def chat_room(ticket_id: int, audience: str) -> str:
    """Return the room of one audience of an open conversation."""
    return f"ticket:{ticket_id}:{audience}"


def ticket_of_chat_room(room: str) -> int | None:
    """Return the ticket of a conversation's room; None for every other room."""
    kind, _, rest = room.partition(":")
    return int(rest.partition(":")[0]) if kind == "ticket" else None


def ticket_audiences(ticket: Ticket) -> list[str]:
    """Return the audiences that may read the ticket now."""
    audiences = [ALL]
    if ticket.queue_id is not None:
        audiences.append(f"queue-{ticket.queue_id}")
    if ticket.user_id is not None:
        audiences.append(f"user-{ticket.user_id}")
    return audiences


def audiences_of(user: User) -> list[str]:
    """Return the audiences that the user belongs to (at most three queries)."""
    if user.may(Permission.SEE_ALL):
        return [ALL]
    if not user.may(Permission.SEE_QUEUES):
        return [f"user-{user.pk}"]
    if setting_of(user.company_id, "allowToSpyMessage") == "enabled":
        return [ALL]
    queue_ids = user.queues.order_by("pk").values_list("pk", flat=True)
    return [f"user-{user.pk}", *(f"queue-{queue_id}" for queue_id in queue_ids)]


def status_room(company_id: int, status: str, audience: str) -> str:
    return f"tickets:{company_id}:{status}:{audience}"


def notification_room(company_id: int, audience: str) -> str:
    return f"notification:{company_id}:{audience}"


def status_rooms(
    ticket: Ticket, status: str, *, audiences: Iterable[str] | None = None
) -> list[str]:
    """Return the rooms that list the ticket under `status`.

    `audiences` are those before a change, from `ticket_audiences`, for the removal from lists that
    the ticket left. By default they are the ticket's current audiences.
    """
    chosen = ticket_audiences(ticket) if audiences is None else audiences
    return [status_room(ticket.company_id, status, audience) for audience in chosen]


def chat_rooms(ticket: Ticket) -> list[str]:
    """Return the rooms of those who have the conversation open and may read it."""
    return [chat_room(ticket.pk, audience) for audience in ticket_audiences(ticket)]


def notification_rooms(ticket: Ticket) -> list[str]:
    """Return the notification rooms of those who may read the ticket."""
    return [notification_room(ticket.company_id, each) for each in ticket_audiences(ticket)]


def ticket_rooms(ticket: Ticket) -> list[str]:
    """Return all rooms for events of the ticket: chat, list and notifications."""
    return [*chat_rooms(ticket), *list_rooms(ticket)]


def list_rooms(ticket: Ticket) -> list[str]:
    """Return the rooms of the ticket's list and of the notifications, without the chat room."""
    return [*status_rooms(ticket, ticket.status), *notification_rooms(ticket)]


def left_audiences(ticket: Ticket, before: Iterable[str]) -> list[str]:
    """Return the audiences of `before` that may no longer read the ticket.

    Emit the removal to them before the update to the others, so that a user in both keeps the
    ticket in the list.
    """
    now = set(ticket_audiences(ticket))
    return [audience for audience in before if audience not in now]
