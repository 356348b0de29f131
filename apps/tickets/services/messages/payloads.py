"""What programs are told about conversations and their messages (docs/webhooks.md)."""

from typing import Any

from apps.automation.services.webhook_events import contact_part, wire_time
from apps.common.media import media_url
from apps.tickets.models import Message, Ticket
from apps.tickets.services.messages.variables import protocol_of


def conversation_part(ticket: Ticket) -> dict[str, Any]:
    """Return connection, ticket and contact; reads its neighbours, and the contact's extra info."""
    connection = ticket.connection
    return {
        "connection": {
            "id": connection.pk,
            "name": connection.name,
            "number": connection.number,
            "provider": connection.provider,
        }
        if connection is not None
        else {"id": None, "name": "", "number": "", "provider": ""},
        "ticket": {
            "id": ticket.pk,
            "uuid": str(ticket.uuid),
            "protocol": protocol_of(ticket),
            "status": ticket.status,
            "queueId": ticket.queue_id,
            "queue": ticket.queue.name if ticket.queue else None,
            "createdAt": wire_time(ticket.created_at),
        },
        "contact": contact_part(ticket.contact),
    }


def message_part(message: Message) -> dict[str, Any]:
    """Return a message, its file by an address that is good for hours."""
    return {
        "id": message.pk,
        "externalId": message.external_id,
        "type": message.media_type,
        "body": message.body,
        "mediaUrl": media_url(message.media_path, message.media_name) or None,
        "mediaName": message.media_name or None,
        "mediaType": message.media_mime or None,
        "quotedId": message.quoted_id,
        "sentAt": wire_time(message.sent_at or message.created_at),
    }
