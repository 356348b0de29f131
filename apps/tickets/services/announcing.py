"""Queues outgoing webhooks about tickets and messages (docs/webhooks.md, rules/automation §11).

Each event is stored in the transaction of its cause. Companies without webhooks cost no extra
query.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import prefetch_related_objects
from django.utils import timezone

from apps.automation.models import WebhookEvent
from apps.automation.services.webhook_events import (
    Occurrence,
    announce,
    complete_message,
    contact_part,
    known,
    wire_time,
)
from apps.common.media import media_url
from apps.tickets.models import MediaState, Message, MessageSource, Ticket

# How long an event waits for its message's file; a bot turn waits equally long.
FILE_PATIENCE = timedelta(seconds=60)
_NEIGHBOURS = ("connection", "queue", "user", "contact__extra_info")


def messages_created(messages: Sequence[Message]) -> None:
    """Announce new messages, received or from our side.

    The event of a message whose file is still being fetched waits for the file; see `file_settled`.
    """
    heard = [each for each in messages if known.hears(each.company_id, _event_of(each))]
    _complete(heard)
    patience = timezone.now() + FILE_PATIENCE
    announce(
        [
            _of_message(
                _event_of(each),
                each,
                waits_until=patience if each.media_state == MediaState.FETCHING else None,
            )
            for each in heard
        ]
    )


def messages_acked(messages: Sequence[Message], before: Mapping[int, int]) -> None:
    """Announce changed acks of our messages; `before` maps message ids to the earlier acks.

    The messages of other responders were not announced.
    """
    event = WebhookEvent.MESSAGE_ACKED
    heard = [
        each
        for each in messages
        if each.ack != before[each.pk]
        and each.source != MessageSource.OTHER
        and known.hears(each.company_id, event)
    ]
    _complete(heard)
    announce([_of_message(event, each) for each in heard])


def file_settled(message: Message) -> None:
    """Release the event of a message that waited for its file, once that is fetched or failed."""
    if known.hears(message.company_id, _event_of(message)):
        complete_message(
            contact_id=message.contact_id, message_id=message.pk, told=_message(message)
        )


def tickets_opened(tickets: Sequence[Ticket]) -> None:
    """Announce tickets whose cycle begins: new and reopened ones."""
    _of_tickets(WebhookEvent.TICKET_OPENED, tickets)


def ticket_closed(ticket: Ticket, *, at: datetime, reason: str = "") -> None:
    """Announce the end of a cycle; `reason` is of the company's list (rules/tickets §19)."""
    more = {"closedAt": wire_time(at), "closingReason": reason or None}
    _of_tickets(WebhookEvent.TICKET_CLOSED, [ticket], **more)


def ticket_rated(ticket: Ticket, *, rate: int, user_id: int | None) -> None:
    """Announce a contact's rating, 1 to 3, for the user who attended."""
    _of_tickets(WebhookEvent.TICKET_RATED, [ticket], rating={"rate": rate, "userId": user_id})


def _of_tickets(event: WebhookEvent, tickets: Sequence[Ticket], **more: Any) -> None:
    heard = [each for each in tickets if known.hears(each.company_id, event)]
    prefetch_related_objects(heard, *_NEIGHBOURS)
    announce(
        [
            Occurrence(event, each.company_id, each.contact_id, {**_conversation(each), **more})
            for each in heard
        ]
    )


def _event_of(message: Message) -> WebhookEvent:
    return WebhookEvent.MESSAGE_SENT if message.from_me else WebhookEvent.MESSAGE_RECEIVED


def _of_message(
    event: WebhookEvent, message: Message, *, waits_until: datetime | None = None
) -> Occurrence:
    told = {**_conversation(message.ticket), "message": _message(message)}
    return Occurrence(event, message.company_id, message.contact_id, told, waits_until=waits_until)


def _complete(messages: Sequence[Message]) -> None:
    """Prefetch the relations of payloads, in a constant number of queries."""
    prefetch_related_objects(messages, *(f"ticket__{name}" for name in _NEIGHBOURS))


def conversation_part(ticket: Ticket) -> dict[str, Any]:
    """Return connection, ticket and contact; reads related rows, also the contact's extra info."""
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
            "protocol": ticket.protocol,
            "status": ticket.status,
            "queueId": ticket.queue_id,
            "queue": ticket.queue.name if ticket.queue else None,
            "createdAt": wire_time(ticket.created_at),
        },
        "contact": contact_part(ticket.contact),
    }


def message_part(message: Message) -> dict[str, Any]:
    """Return a message; the address of its file stays valid for some hours."""
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


def _conversation(ticket: Ticket) -> dict[str, Any]:
    told = conversation_part(ticket)
    user = ticket.user
    told["ticket"]["user"] = {"id": user.pk, "name": user.name} if user else None
    return told


def _message(message: Message) -> dict[str, Any]:
    return {
        **message_part(message),
        "fromMe": message.from_me,
        "source": message.source,
        "ack": message.ack,
        "error": {"code": message.error_code, "reason": message.reason_code}
        if message.error_code or message.reason_code
        else None,
    }
