"""Sending: a message is a row at once, and a delivery that a worker carries out.

Both are written in one transaction; browsers and workers hear of them after commit
(specification 4 §6.2).
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.common.errors import DomainError
from apps.common.media import StoredMedia, check_media, delete_media, store_media
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.tickets import events
from apps.tickets.models import (
    Ack,
    Delivery,
    DeliveryKind,
    MediaState,
    MediaType,
    Message,
    MessageSource,
    Ticket,
)
from apps.tickets.services.notices import AUTOMATIC_HEADING
from apps.tickets.services.previews import preview_of
from apps.tickets.services.reading import mark_messages_read
from apps.tickets.services.rights import check_may_write, locked_ticket
from apps.tickets.services.window import OutsideWindow, is_window_open

# Meta's limit of an animated sticker; a larger WebP file is a picture, sent as a document.
MAX_STICKER_SIZE = 500 * 1024
PICTURES = frozenset({"image/jpeg", "image/png"})
VIDEOS = frozenset({"video/mp4", "video/3gpp"})
AUDIO = frozenset({"audio/aac", "audio/amr", "audio/mp4", "audio/mpeg", "audio/ogg"})
# WhatsApp shows no words beside these: they go before, as a message of their own.
WITHOUT_CAPTION = frozenset({MediaType.AUDIO, MediaType.STICKER})
MAX_CAPTION = 1024
# What browsers of this family call the file of their recorder.
RECORDING = "audio-record-site"
DUPLICATE_GREETING = timedelta(seconds=10)


class NoConnection(DomainError):
    """The ticket's connection was deleted."""

    code = "ERR_NO_DEF_WAPP_FOUND"
    message = "A conexão deste atendimento foi excluída. Transfira-o para outra conexão."


class DuplicateClientId(DomainError):
    """The client's id already belongs to another message."""

    status = 409
    code = "ERR_DUPLICATED_MESSAGE"
    message = "Este identificador já foi usado em outra mensagem."


class MessageNotFailed(DomainError):
    """Only a failed message is sent again."""

    status = 409
    code = "ERR_MESSAGE_NOT_FAILED"
    message = "Esta mensagem não falhou, por isso não precisa ser reenviada."


def send_text(
    *,
    ticket: Ticket,
    user: User,
    body: str,
    quoted: Message | None = None,
    source: str = MessageSource.AGENT,
    client_id: uuid.UUID | None = None,
) -> Message:
    """Write a text to the contact; returns its row, which waits for delivery.

    The same `client_id` again returns the stored row. Raises TicketNotReadable, TicketNotOpen,
    NoConnection, OutsideWindow, DuplicateClientId.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket.pk)
        known = already_sent(ticket, user, client_id)
        if known is not None:
            return known
        connection = writable_connection(ticket, user)
        greeting = _recent_greeting(ticket, body)
        if greeting is not None:
            return greeting
        message = Message(body=body, quoted=quoted, client_id=client_id)
        return store_outgoing(
            message, ticket=ticket, connection=connection, user=user, source=source
        )


def send_media(
    *,
    ticket: Ticket,
    user: User,
    files: "Sequence[UploadedFile[Any]]",
    captions: Sequence[str] = (),
    quoted: Message | None = None,
    source: str = MessageSource.AGENT,
    client_id: uuid.UUID | None = None,
) -> list[Message]:
    """Write files to the contact, each with the caption at its place; returns their rows.

    All files are checked before any is stored. Raises what `send_text` raises, MediaTooLarge and
    MediaTypeRefused.
    """
    ids = [
        uuid.uuid5(client_id, str(place)) if client_id and place else client_id
        for place in range(len(files))
    ]
    if already_sent(ticket, user, client_id) is None:
        writable_connection(ticket, user)  # refuse before hundreds of megabytes are read
    for file in files:
        start = file.read(16)
        file.seek(0)
        check_media(
            name=file.name or "", mime=file.content_type or "", size=file.size or 0, start=start
        )
    stored: list[StoredMedia] = []
    try:
        with transaction.atomic():
            ticket = locked_ticket(user=user, ticket_id=ticket.pk)
            known = [already_sent(ticket, user, each) for each in ids]
            if known[0] is not None:
                return [message for message in known if message is not None]
            connection = writable_connection(ticket, user)
            for file in files:
                stored.append(
                    store_media(
                        company_id=ticket.company_id,
                        content=file,
                        name=file.name or "",
                        mime=file.content_type or "",
                    )
                )
            messages = []
            for place, media in enumerate(stored):
                caption = captions[place] if place < len(captions) else ""
                message = media_message(media, caption)
                message.client_id = ids[place]
                message.quoted = quoted if place == 0 else None
                messages.append(
                    store_outgoing(
                        message,
                        ticket=ticket,
                        connection=connection,
                        user=user,
                        source=source,
                        payload={"voice": True} if is_voice(media) else {},
                    )
                )
            return messages
    except BaseException:
        for media in stored:
            delete_media(media.path)
        raise


def store_outgoing(
    message: Message,
    *,
    ticket: Ticket,
    connection: Connection,
    user: User | None,
    source: str,
    payload: dict[str, Any] | None = None,
    not_before: datetime | None = None,
) -> Message:
    """Store an unsaved message of ours on a locked ticket, queue its delivery and tell of it.

    The caller has checked who writes; `payload` is what the delivery says beside the message. It
    leaves at once, or `not_before` a moment, and what comes after it waits for it.
    Raises DuplicateClientId.
    """
    message.company_id = ticket.company_id
    message.connection = connection
    message.ticket = ticket
    message.contact_id = ticket.contact_id
    message.user = user
    message.from_me = True
    message.is_read = True
    message.source = source
    message.ack = Ack.PENDING
    message.remote_jid = ticket.contact.number[:100]
    try:
        with transaction.atomic():
            message.save(force_insert=True)
    except IntegrityError as error:
        raise DuplicateClientId from error
    enqueue(message, connection, payload=payload, not_before=not_before)
    # What was written long ago shows no one that its writer has read the ticket now.
    _move_ticket(ticket, message, None if source == MessageSource.SCHEDULE else user)
    events.message_created(message)
    return message


def resend(*, message: Message, user: User) -> Message:
    """Send a failed message again, as the same row; raises MessageNotFailed and what sending does.

    The provider's id and our own are those of the failed attempt and go: what is still reported of
    it counts no more.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=message.ticket_id)
        is_template = message.media_type == MediaType.TEMPLATE
        connection = writable_connection(ticket, user, at_any_hour=is_template)
        return send_again(message=message, ticket=ticket, connection=connection)


def send_again(*, message: Message, ticket: Ticket, connection: Connection) -> Message:
    """Queue a failed message of a locked ticket anew; who may is the caller's to check.

    Raises MessageNotFailed.
    """
    failed = Message.objects.filter(pk=message.pk, ack=Ack.ERROR, from_me=True)
    if not failed.update(
        ack=Ack.PENDING,
        error_code="",
        error_reason="",
        external_id=None,
        callback_id=uuid.uuid4(),
        connection=connection,
        updated_at=timezone.now(),
    ):
        raise MessageNotFailed
    message = Message.objects.select_related("ticket").get(pk=message.pk)
    last = message.deliveries.filter(kind=DeliveryKind.SEND).order_by("-id").first()
    enqueue(message, connection, payload=last.payload if last else None)
    _tell_changed(message, ticket)
    return message


def already_sent(ticket: Ticket, user: User, client_id: uuid.UUID | None) -> Message | None:
    """Return the stored message of a submission that came before; raises DuplicateClientId."""
    if client_id is None:
        return None
    known = Message.objects.filter(client_id=client_id).select_related("ticket").first()
    if known is not None and (known.ticket_id != ticket.pk or known.user_id != user.pk):
        raise DuplicateClientId
    return known


def writable_connection(ticket: Ticket, user: User, *, at_any_hour: bool = False) -> Connection:
    """Return the connection to write on; raises when the user, the ticket or the hour forbids.

    `at_any_hour` is for templates, which also go outside the 24-hour window.
    """
    check_may_write(user, ticket)
    connection = ticket.connection
    if connection is None:
        raise NoConnection
    if not at_any_hour and not is_window_open(ticket, connection):
        raise OutsideWindow
    return connection


def _recent_greeting(ticket: Ticket, body: str) -> Message | None:
    """Return the server's greeting that this text repeats (specification 4 §3.6)."""
    if not body.startswith(AUTOMATIC_HEADING):
        return None
    since = timezone.now() - DUPLICATE_GREETING
    return (
        Message.objects.filter(
            ticket=ticket,
            from_me=True,
            source=MessageSource.BOT,
            body__startswith=AUTOMATIC_HEADING,
            created_at__gte=since,
        )
        .order_by("-id")
        .first()
    )


def media_message(media: StoredMedia, caption: str) -> Message:
    """Return an unsaved message that carries a stored file."""
    return Message(
        # Older browsers show a file by its body.
        body=caption.strip() or media.name,
        media_type=media_type_of(media),
        media_state=MediaState.READY,
        media_path=media.path,
        media_name=media.name,
        media_mime=media.mime,
        media_size=media.size,
    )


def media_type_of(media: StoredMedia) -> str:
    """Return how WhatsApp takes a file: what it can't show in place goes as a document."""
    if media.mime in PICTURES:
        return MediaType.IMAGE
    if media.mime == "image/webp" and media.size <= MAX_STICKER_SIZE:
        return MediaType.STICKER
    if media.mime in VIDEOS:
        return MediaType.VIDEO
    return MediaType.AUDIO if media.mime.startswith("audio/") else MediaType.FILE


def is_voice(media: StoredMedia) -> bool:
    """Tell whether audio goes as a voice note: a recording, or a format WhatsApp does not take."""
    if not media.mime.startswith("audio/"):
        return False
    return media.mime not in AUDIO or media.name.startswith(RECORDING)


def enqueue(
    message: Message,
    connection: Connection,
    *,
    kind: DeliveryKind = DeliveryKind.SEND,
    payload: dict[str, Any] | None = None,
    not_before: datetime | None = None,
) -> None:
    """Queue what must be done for a message at the provider; call it in a transaction."""
    from apps.tickets.tasks import deliver

    now = timezone.now()
    Delivery.objects.create(
        company_id=message.company_id,
        connection=connection,
        contact_id=message.contact_id,
        message=message,
        kind=kind,
        payload=payload or {},
        next_attempt_at=not_before or now,
    )
    wake(deliver, after=(not_before - now).total_seconds() if not_before else 0.0)


def _move_ticket(ticket: Ticket, message: Message, user: User | None) -> None:
    ticket.last_message = preview_of(message.media_type, message.body, message.media_name)
    ticket.latest_message = message
    ticket.updated_at = timezone.now()
    fields = ["last_message", "latest_message", "updated_at"]
    unread_count = ticket.unread_count
    if user is not None and ticket.user_id == user.pk and unread_count:
        ticket.unread_count = 0
        fields.append("unread_count")
    ticket.save(update_fields=fields)
    if "unread_count" in fields:
        mark_messages_read(ticket, unread_count)
        events.unread_reset(ticket)


def _tell_changed(message: Message, ticket: Ticket) -> None:
    events.message_updated(message)
    if ticket.latest_message_id == message.pk:
        events.ticket_updated(ticket)
