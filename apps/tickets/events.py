"""Realtime events of tickets and messages (specification 4 §11).

Payloads carry what REST answers carry. They go to those who may read the ticket: its chat room,
the lists of its status and the notifications.
"""

from collections.abc import Iterable
from typing import Any

from apps.realtime.emit import emit
from apps.tickets.models import Message, Ticket, TicketEvent
from apps.tickets.rooms import left_audiences, status_rooms, ticket_rooms
from apps.tickets.serializers import event_row, message_row, ticket_row
from apps.tickets.serializers.received import received_message_row, received_ticket_row


def message_created(message: Message) -> None:
    """Tell of a new message, with its ticket and contact as they are now."""
    _tell_created(message.ticket, message_row(message), ticket_row(message.ticket))


def message_received(message: Message) -> None:
    """Tell of a message as `message_created` does, from memory: the ticket is locked and whole."""
    ticket = message.ticket
    _tell_created(ticket, received_message_row(message), received_ticket_row(ticket))


def _tell_created(ticket: Ticket, message: dict[str, Any], row: dict[str, Any]) -> None:
    payload = {"action": "create", "message": message, "ticket": row, "contact": row["contact"]}
    emit("appMessage", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def message_updated(message: Message) -> None:
    """Tell of a step of a message: its tick, its file, an edit, a deletion, a reaction."""
    payload = {"action": "update", "message": message_row(message)}
    ticket = message.ticket
    emit("appMessage", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def ticket_updated(
    ticket: Ticket,
    *,
    old_status: str | None = None,
    audiences_before: Iterable[str] | None = None,
    event: TicketEvent | None = None,
) -> None:
    """Tell of a ticket's new state, and take it from the lists that it left.

    `old_status` is the one before a change; `audiences_before` are what `ticket_audiences` gave
    before a change of queue or holder, so that those who lose it are told. The removal comes
    first: a socket that is in an old and in a new room ends with the ticket in its list. It never
    goes to the chat room, where it would throw the attendant out.
    """
    if old_status is not None and old_status != ticket.status:
        removed_from = status_rooms(ticket, old_status, audiences=audiences_before)
    elif audiences_before is not None:
        left = left_audiences(ticket, audiences_before)
        removed_from = status_rooms(ticket, ticket.status, audiences=left)
    else:
        removed_from = []
    if removed_from:
        removal = {
            "action": "delete",
            "ticketId": ticket.pk,
            "oldStatus": old_status or ticket.status,
        }
        emit("ticket", removal, company_id=ticket.company_id, rooms=removed_from)
    payload: dict[str, Any] = {"action": "update", "ticket": ticket_row(ticket)}
    if event is not None:
        payload["event"] = event_row(event)
    emit("ticket", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def ticket_deleted(ticket: Ticket) -> None:
    """Tell everyone who sees the ticket that it is gone."""
    payload = {"action": "delete", "ticketId": ticket.pk}
    emit("ticket", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def unread_reset(ticket: Ticket) -> None:
    """Tell that the holder has read the ticket."""
    payload = {"action": "updateUnread", "ticketId": ticket.pk}
    emit("ticket", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))
