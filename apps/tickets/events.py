"""Realtime events of tickets and messages (rules/realtime §4).

Payloads carry what REST answers carry. They go to those who may read the ticket: its chat room,
the lists of its status and the notifications. What a message, a tick or the unread count alone did
to a ticket stays out of its chat room: older browsers join that room anew at each update of the
ticket, and miss what arrives meanwhile.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from apps.common.registry import Hook
from apps.realtime.emit import LiveEvent, emit
from apps.tickets.models import Message, Ticket, TicketActivity, TicketStatus
from apps.tickets.rooms import (
    left_audiences,
    list_rooms,
    status_rooms,
    ticket_audiences,
    ticket_rooms,
)
from apps.tickets.serializers import (
    activity_row,
    message_row,
    message_rows_of,
    ticket_row,
    ticket_rows_of,
)
from apps.tickets.serializers.messages import MessageSerializer
from apps.tickets.serializers.received import received_message_rows, received_ticket_rows
from apps.tickets.serializers.tickets import (
    TicketActivitySerializer,
    TicketContactSerializer,
    TicketSerializer,
)

# Called with messages that were just stored and told, but for those of a number's past.
new_messages: Hook[[Sequence[Message]]] = Hook()
TICKET = LiveEvent(
    "ticket",
    # With the activity that it was, if it was one.
    update={"ticket": TicketSerializer(), "event": TicketActivitySerializer(required=False)},
    # Deleted for good, or gone from the lists of its old status.
    delete={
        "ticketId": serializers.IntegerField(),
        "oldStatus": serializers.ChoiceField(choices=TicketStatus.choices, required=False),
    },
    updateUnread={"ticketId": serializers.IntegerField()},
)
MESSAGE = LiveEvent(
    "appMessage",
    create={
        "message": MessageSerializer(),
        "ticket": TicketSerializer(),
        "contact": TicketContactSerializer(),
    },
    update={"message": MessageSerializer()},
)


@dataclass(frozen=True)
class OpenedTicket:
    """A ticket that a message made (`old_status` is empty), reopened, or had moved or tagged.

    Of these last ones `old_status` is the status it still has.
    """

    ticket: Ticket
    old_status: str = ""
    audiences_before: Sequence[str] = ()
    activity: TicketActivity | None = None
    has_other_tags: bool = False

    @property
    def is_changed(self) -> bool:
        """Tell whether status, queue, holder or tags changed: the end of the bot alone is none."""
        if self.has_other_tags:
            return True
        return self.old_status != self.ticket.status or set(self.audiences_before) != set(
            ticket_audiences(self.ticket)
        )


def message_created(message: Message) -> None:
    """Tell of a new message, with its ticket and contact as they are now."""
    _tell_created(message.ticket, message_row(message), ticket_row(message.ticket))
    new_messages([message])


def messages_received(
    messages: Sequence[Message], opened: Sequence[OpenedTicket], *, are_past: bool = False
) -> None:
    """Tell of messages that were stored together, and first of the tickets they changed.

    As `message_created` and `ticket_updated` do, but from memory: the tickets are locked, and told
    as they are after the last of the messages. `are_past`: said before the number was connected.
    """
    tickets = {each.ticket.pk: each.ticket for each in opened}
    tickets |= {message.ticket_id: message.ticket for message in messages}
    rows = received_ticket_rows(list(tickets.values()))
    for each in opened:
        _tell_updated(
            each.ticket,
            rows[each.ticket.pk],
            old_status=each.old_status or None,
            audiences_before=each.audiences_before if each.old_status else None,
            activity=each.activity,
            is_changed=each.is_changed,
        )
    for message, row in zip(messages, received_message_rows(messages), strict=True):
        _tell_created(message.ticket, row, rows[message.ticket_id])
    if not are_past:
        new_messages(messages)


def _tell_created(ticket: Ticket, message: dict[str, Any], row: dict[str, Any]) -> None:
    payload = {"message": message, "ticket": row, "contact": row["contact"]}
    emit(MESSAGE, "create", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def message_updated(message: Message) -> None:
    """Tell of a step of a message: its tick, its file, an edit, a deletion, a reaction."""
    messages_updated([message])


def messages_updated(messages: Sequence[Message]) -> None:
    """Tell of steps of messages; see `message_updated`."""
    rows = {row["id"]: row for row in message_rows_of([message.pk for message in messages])}
    for message in messages:
        ticket = message.ticket
        payload = {"message": rows[message.pk]}
        emit(MESSAGE, "update", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def messages_and_tickets_updated(messages: Sequence[Message]) -> None:
    """Tell of steps of messages, and of the tickets whose rows show one of them."""
    messages_updated(messages)
    tickets = [each.ticket for each in messages if each.ticket.latest_message_id == each.pk]
    rows = {row["id"]: row for row in ticket_rows_of([ticket.pk for ticket in tickets])}
    for ticket in tickets:
        _tell_updated(ticket, rows[ticket.pk], is_changed=False)


def ticket_updated(
    ticket: Ticket,
    *,
    old_status: str | None = None,
    audiences_before: Iterable[str] | None = None,
    activity: TicketActivity | None = None,
    is_changed: bool = True,
) -> None:
    """Tell of a ticket's new state, and take it from the lists that it left.

    `is_changed`: its status, user, queue, connection, tags or contact is another than before. What
    changed otherwise is for the lists and the notifications alone.

    `old_status` is the one before a change; `audiences_before` are what `ticket_audiences` gave
    before a change of queue or holder, so that those who lose it are told. The removal comes
    first: a socket that is in an old and in a new room ends with the ticket in its list. It never
    goes to the chat room, where it would throw the attendant out.
    """
    _tell_updated(
        ticket,
        ticket_row(ticket),
        old_status=old_status,
        audiences_before=audiences_before,
        activity=activity,
        is_changed=is_changed,
    )


def _tell_updated(
    ticket: Ticket,
    row: dict[str, Any],
    *,
    old_status: str | None = None,
    audiences_before: Iterable[str] | None = None,
    activity: TicketActivity | None = None,
    is_changed: bool,
) -> None:
    if old_status is not None and old_status != ticket.status:
        removed_from = status_rooms(ticket, old_status, audiences=audiences_before)
    elif audiences_before is not None:
        left = left_audiences(ticket, audiences_before)
        removed_from = status_rooms(ticket, ticket.status, audiences=left)
    else:
        removed_from = []
    if removed_from:
        removal = {"ticketId": ticket.pk, "oldStatus": old_status or ticket.status}
        emit(TICKET, "delete", removal, company_id=ticket.company_id, rooms=removed_from)
    payload: dict[str, Any] = {"ticket": row}
    if activity is not None:
        payload["event"] = activity_row(activity)
    rooms = ticket_rooms(ticket) if is_changed else list_rooms(ticket)
    emit(TICKET, "update", payload, company_id=ticket.company_id, rooms=rooms)


def ticket_deleted(ticket: Ticket) -> None:
    """Tell everyone who sees the ticket that it is gone."""
    payload = {"ticketId": ticket.pk}
    emit(TICKET, "delete", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))


def unread_reset(ticket: Ticket) -> None:
    """Tell that the holder has read the ticket."""
    payload = {"ticketId": ticket.pk}
    emit(TICKET, "updateUnread", payload, company_id=ticket.company_id, rooms=ticket_rooms(ticket))
