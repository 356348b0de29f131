"""Rows of what has just been received, made from memory.

Receiving is the hottest path there is: the rows of `ticket_row` and `message_row`, read back from
the database, were more than half of its cost. A test keeps both equal.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from apps.common.media import media_url
from apps.tickets.models import Message, Ticket
from apps.tickets.serializers.messages import _SHARED, _row, message_rows
from apps.tickets.serializers.tickets import _OWN, _tags_of

# Columns of the row itself, read in one call; those of its neighbours, which it may not have.
_MESSAGE_COLUMNS = tuple(column for column in _SHARED.values() if "__" not in column)
_message_values = attrgetter(*_MESSAGE_COLUMNS)
_TICKET_COLUMNS = {wire: column for wire, column in _OWN.items() if "__" not in column}
_ticket_values = attrgetter(*_TICKET_COLUMNS.values())
_LATEST = {
    wire: column.removeprefix("latest_message__")
    for wire, column in _OWN.items()
    if column.startswith("latest_message__")
}


def received_message_rows(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the rows of messages stored in this transaction; only quoting ones are read back."""
    quoting = [message.pk for message in messages if message.quoted_id is not None]
    stored = Message.objects.filter(pk__in=quoting)
    read = {row["id"]: row for row in message_rows(stored)} if quoting else {}
    return [read.get(message.pk) or _received_row(message) for message in messages]


def _received_row(message: Message) -> dict[str, Any]:
    values = dict(zip(_MESSAGE_COLUMNS, _message_values(message), strict=True))
    values["participant__name"] = message.participant.name if message.participant else None
    contact = message.contact
    shown = {
        "id": contact.pk,
        "name": contact.name,
        "number": contact.number,
        "profilePicUrl": media_url(contact.picture_path),
    }
    return _row(message.pk, values, "", shown)


def received_ticket_rows(tickets: Sequence[Ticket]) -> dict[int, dict[str, Any]]:
    """Return by id the rows of tickets that this transaction holds locked, their latest message
    in memory, in one query for all tags.
    """
    tags = _tags_of([ticket.pk for ticket in tickets])
    return {ticket.pk: {**_ticket_row(ticket), "tags": tags[ticket.pk]} for ticket in tickets}


def _ticket_row(ticket: Ticket) -> dict[str, Any]:
    contact, queue = ticket.contact, ticket.queue
    user, connection, latest = ticket.user, ticket.connection, ticket.latest_message
    return {
        **dict(zip(_TICKET_COLUMNS, _ticket_values(ticket), strict=True)),
        **{wire: getattr(latest, column, None) for wire, column in _LATEST.items()},
        "contact": {
            "id": contact.pk,
            "name": contact.name,
            "number": contact.number,
            "email": contact.email,
            "profilePicUrl": media_url(contact.picture_path),
            "isGroup": contact.is_group,
        },
        "queue": {"id": queue.pk, "name": queue.name, "color": queue.color} if queue else None,
        "user": {"id": user.pk, "name": user.name} if user else None,
        "whatsapp": (
            {
                "id": connection.pk,
                "name": connection.name,
                "provider": connection.provider,
                "status": connection.status,
            }
            if connection
            else None
        ),
    }
