"""Rows of what has just been received, made from memory.

Receiving is the hottest path there is: the rows of `ticket_row` and `message_row`, read back from
the database, were more than half of its cost. A test keeps both equal.
"""

from typing import Any

from apps.common.media import media_url
from apps.tickets.models import Message, Ticket
from apps.tickets.serializers.messages import _SHARED, _row, message_row
from apps.tickets.serializers.tickets import _OWN, _tags_of


def received_message_row(message: Message) -> dict[str, Any]:
    """Return the row of a message that was stored in this transaction, mostly without a query."""
    if message.quoted_id is not None:
        return message_row(message)
    values = {column: _read(message, column) for column in _SHARED.values()}
    contact = message.contact
    shown = {
        "id": contact.pk,
        "name": contact.name,
        "number": contact.number,
        "profilePicUrl": media_url(contact.picture_path),
    }
    return _row(message.pk, values, "", shown)


def received_ticket_row(ticket: Ticket) -> dict[str, Any]:
    """Return the row of a ticket that this transaction holds locked, in one query for its tags."""
    contact, queue = ticket.contact, ticket.queue
    user, connection = ticket.user, ticket.connection
    return {
        **{wire: _read(ticket, path) for wire, path in _OWN.items()},
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
        "tags": _tags_of([ticket.pk])[ticket.pk],
    }


def _read(row: Any, path: str) -> Any:
    for name in path.split("__"):
        row = getattr(row, name) if row is not None else None
    return row
