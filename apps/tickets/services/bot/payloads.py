"""Message data for integrations, prompts and webhooks (rules/automation §3, docs/webhooks.md)."""

import uuid
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from apps.automation.clients.base import File, Line, Person, Turn
from apps.automation.models import IntegrationSession, IntegrationType
from apps.common.errors import NotFound
from apps.common.media import read_media
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.beta.reading import shown_raw
from apps.connections.providers.official.webhook import notification_of
from apps.contacts.models import Contact
from apps.tickets.models import BotTurn, MediaState, MediaType, Message, Ticket, TurnKind
from apps.tickets.services.announcing import conversation_part, message_part

PAYLOAD_VERSION = 1
MESSAGE_RECEIVED = "message.received"
# Upper limit for the message count that a prompt may ask for.
MAX_EARLIER = 100
MAX_FILE = 20 * 1024 * 1024
# Integrations that get the file itself. The others get its address in the payload.
TAKES_FILES = frozenset({IntegrationType.DIALOGFLOW, IntegrationType.TYPEBOT})
WITHOUT_WORDS = (
    MediaType.CALL_LOG,
    MediaType.CONTACT_CARD,
    MediaType.LOCATION,
    MediaType.STICKER,
    MediaType.UNKNOWN,
)
# Namespace of the UUIDs that identify contacts to integrations. A contact's UUID is stable and does
# not reveal its id.
CONTACTS = uuid.UUID("0d4f4b1e-8c0b-4c39-9a55-6f1e2f4f7b0a")


def turns_with_relations() -> "QuerySet[BotTurn]":
    """Return turns with the related rows that their payloads need."""
    return BotTurn.objects.select_related(
        "message",
        "integration",
        "prompt",
        "ticket__contact",
        "ticket__connection",
        "ticket__queue",
        "ticket__company",
    ).prefetch_related("ticket__contact__extra_info")


def turn_of(row: BotTurn) -> Turn:
    """Return the turn with all data for clients; `row` is from `turns_with_relations`."""
    ticket, message = row.ticket, row.message
    connection = ticket.connection
    session = IntegrationSession.objects.filter(
        ticket=ticket, integration=row.integration_id
    ).first()
    is_file_body = bool(message.media_name) and message.body == message.media_name
    return Turn(
        event_id=row.event_id,
        text="" if is_file_body else message.body,
        media_type=message.media_type,
        contact=_person(ticket.contact),
        now=timezone.now(),
        file=_file_of(row),
        choice_id=str(row.payload.get("choice_id") or ""),
        earlier=_earlier(row),
        session=session.data if session is not None else {},
        session_used_at=session.last_used_at if session is not None else None,
        native_menus=(
            connection is not None and capabilities_of_kind(connection.provider).native_menus
        ),
        webhook_payload=webhook_payload_of(ticket, message, row.payload),
    )


def webhook_payload_of(ticket: Ticket, message: Message, payload: dict[str, Any]) -> dict[str, Any]:
    """Return the webhook payload of a received message; it holds only JSON values."""
    return {
        "version": PAYLOAD_VERSION,
        "event": MESSAGE_RECEIVED,
        "company": {"id": ticket.company_id, "name": ticket.company.name},
        **conversation_part(ticket),
        "message": {
            **message_part(message),
            "choiceId": str(payload.get("choice_id") or "") or None,
        },
        "raw": _raw(ticket.connection, payload),
    }


def _raw(connection: Connection | None, payload: dict[str, Any]) -> Any:
    """Return the provider's raw message; Meta's as a notification in Meta's own format.

    A notification from Meta may carry many messages; the returned one carries only this one. The
    raw data of a QR session are unsealed, without the media keys.
    """
    raw = payload.get("raw")
    if not raw:
        return None
    if connection is not None and connection.provider == ProviderKind.OFFICIAL:
        # Turns stored before the envelope was kept have none.
        return notification_of(raw, payload.get("envelope") or _own_envelope(connection))
    return shown_raw(raw) if "sealed" in raw else raw


def _own_envelope(connection: Connection) -> dict[str, Any]:
    return {
        "waba_id": connection.waba_id,
        "metadata": {
            "display_phone_number": connection.number,
            "phone_number_id": connection.phone_number_id,
        },
    }


def _person(contact: Contact) -> Person:
    return Person(
        uuid=str(uuid.uuid5(CONTACTS, str(contact.pk))),
        name=contact.name,
        number=contact.number,
        email=contact.email,
        extra={each.name: each.value for each in contact.extra_info.all()},
    )


def _file_of(row: BotTurn) -> File | None:
    message = row.message
    takes = row.prompt_id is not None or (
        row.integration is not None and row.integration.type in TAKES_FILES
    )
    if not takes or message.media_state != MediaState.READY or not message.media_path:
        return None
    if (message.media_size or 0) > MAX_FILE:
        return None
    try:
        content = read_media(message.media_path)
    except NotFound:
        return None
    return File(content=content, mime=message.media_mime, name=message.media_name)


def _earlier(row: BotTurn) -> tuple[Line, ...]:
    """Return the earlier messages, oldest first.

    Later messages of the contact have turns of their own.
    """
    if row.kind != TurnKind.PROMPT or row.prompt is None:
        return ()
    limit = min(row.prompt.max_messages, MAX_EARLIER)
    said = (
        Message.objects.filter(
            contact_id=row.ticket.contact_id, connection_id=row.ticket.connection_id or 0
        )
        .exclude(pk=row.message_id)
        .exclude(from_me=False, pk__gt=row.message_id)
        .exclude(is_deleted=True)
        .exclude(body="")
        .exclude(body=F("media_name"))
        .exclude(media_type__in=WITHOUT_WORDS)
        .order_by("-pk")
        .values_list("from_me", "body")[:limit]
    )
    return tuple(
        Line(from_contact=not from_me, text=body) for from_me, body in reversed(list(said))
    )
