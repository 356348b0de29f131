"""Sending: stores a message and a delivery for a worker in one transaction.

Browsers and workers are notified after commit (rules/messages §3).
"""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import chain, repeat
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.common.bulk import insert_row, update_rows
from apps.common.compiled_queries import CompiledQuery, stored
from apps.common.errors import DomainError
from apps.common.media import stored_uploads
from apps.common.uploads import Offer, kept_uploads, offer_upload
from apps.common.wakeups import wake
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.tickets import events
from apps.tickets.models import (
    Ack,
    Delivery,
    DeliveryKind,
    DeliveryTurn,
    MediaType,
    Message,
    MessageSource,
    Ticket,
    TicketOwner,
)
from apps.tickets.owners import is_ours, owner_now
from apps.tickets.services.outbox.content import Content, Payload, Text, captioned, compose
from apps.tickets.services.outbox.pace import move_up, turn_of
from apps.tickets.services.outbox.reading import mark_messages_read
from apps.tickets.services.outbox.utility_texts import check_utility_text
from apps.tickets.services.rights import check_may_write, locked_ticket
from apps.tickets.services.window import OutsideWindow, is_window_open

# The greeting of older browsers begins with the same words as the server's.
AUTOMATIC_HEADING = "*Mensagem Automática:*"
DUPLICATE_GREETING = timedelta(seconds=10)

Draft = tuple[Message, Payload]


class NoConnection(DomainError):
    code = "ERR_NO_DEF_WAPP_FOUND"
    message = "A conexão deste atendimento foi excluída. Transfira-o para outra conexão."


class LedElsewhere(DomainError):
    """What asks nobody first takes no conversation over: a program's message, a forward, a
    reaction.
    """

    status = 409
    code = "ERR_LED_ELSEWHERE"
    message = "Outro agente conduz esta conversa. Assuma a conversa antes de escrever."


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
    category: str = "",
) -> Message:
    """Write a text to the contact; returns its row, which waits for delivery.

    The same `client_id` again returns the stored row. With a `category` it is for a closed window.
    Raises TicketNotReadable, TicketNotOpen, NoConnection, OutsideWindow, DuplicateClientId; with a
    category what `check_utility_text` raises.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket.pk)
        known = already_sent(ticket, user, client_id)
        if known is not None:
            return known
        ticket.connection = stored(Connection, [ticket.connection_id]).get(
            ticket.connection_id or 0
        )
        ticket.contact = stored(Contact, [ticket.contact_id])[ticket.contact_id]
        connection = writable_connection(ticket, user, at_any_hour=category != "")
        if category:
            check_utility_text(ticket, connection, user)
        greeting = _recent_greeting(ticket, body)
        if greeting is not None:
            return greeting
        return write_message(
            Text(body, category),
            ticket=ticket,
            user=user,
            source=source,
            quoted=quoted,
            client_id=client_id,
        )


def send_media(
    *,
    ticket: Ticket,
    user: User,
    files: "Sequence[UploadedFile[Any]]" = (),
    uploads: Sequence[str] = (),
    captions: Sequence[str] = (),
    quoted: Message | None = None,
    source: str = MessageSource.AGENT,
    client_id: uuid.UUID | None = None,
) -> list[Message]:
    """Write files to the contact, each with the caption at its place; returns the rows.

    `uploads` are tokens of files that the user has brought to the store, in place of `files`. A
    text that WhatsApp would not show under its file goes before it as a message of its own. All
    files are checked before any is stored. Raises what `send_text` raises, MediaTooLarge,
    MediaTypeRefused, and for uploads UploadsNotOffered and UploadMissing.
    """
    ids = [
        uuid.uuid5(client_id, str(place)) if client_id and place else client_id
        for place in range(len(files or uploads))
    ]
    if known := _all_sent(ticket, user, ids):
        return known
    writable_connection(ticket, user)  # refuse before hundreds of megabytes are read
    keeping = (
        kept_uploads(company_id=ticket.company_id, user_id=user.pk, tokens=uploads)
        if uploads
        else stored_uploads(company_id=ticket.company_id, uploads=files)
    )
    with keeping as stored:
        with transaction.atomic():
            ticket = locked_ticket(user=user, ticket_id=ticket.pk)
            if known := _all_sent(ticket, user, ids):
                return known
            writable_connection(ticket, user)
            messages: list[Message] = []
            for file, caption, each_id in zip(
                stored, chain(captions, repeat("")), ids, strict=False
            ):
                text = caption.strip()
                # Older browsers give a file's name where it has no caption.
                for content in captioned(file, "" if text == file.name else text):
                    message = write_message(
                        content,
                        ticket=ticket,
                        user=user,
                        source=source,
                        quoted=None if messages else quoted,
                        client_id=None if isinstance(content, Text) else each_id,
                    )
                    messages.append(message)
        stored.clear()
    return messages


def offer_file(*, ticket: Ticket, user: User, name: str, mime: str, size: int) -> Offer:
    """Return where the user's browser may bring a file for `send_media`; nothing is stored yet.

    Raises what `send_text` raises, UploadsNotOffered, MediaTooLarge and MediaTypeRefused.
    """
    writable_connection(ticket, user)
    return offer_upload(
        company_id=ticket.company_id, user_id=user.pk, name=name, mime=mime, size=size
    )


def write_message(
    content: Content,
    *,
    ticket: Ticket,
    user: User | None,
    source: str,
    origin: str = "",
    quoted: Message | None = None,
    client_id: uuid.UUID | None = None,
    is_forwarded: bool = False,
    not_before: datetime | None = None,
) -> Message:
    """Write a message to the contact of a locked ticket, queue its delivery and tell of it.

    The caller has checked who writes, and when, and that the ticket has a connection. It leaves at
    once, or `not_before` a moment, and what comes after it waits for it. Raises DuplicateClientId,
    after which the transaction must end.
    """
    message, payload = draft(content, ticket=ticket, user=user, source=source, origin=origin)
    message.quoted = quoted
    message.client_id = client_id
    if is_forwarded:
        message.data = {**(message.data or {}), "forwarded": True}
    message.fold_text()
    try:
        insert_row(message)
    except IntegrityError as error:
        if client_id is None:
            raise
        raise DuplicateClientId from error
    enqueue(message, kind=DeliveryKind.SEND, payload=payload, not_before=not_before)
    # A message from long ago does not show that its writer has read the ticket now.
    _move_ticket(ticket, message, None if source == MessageSource.SCHEDULE else user)
    events.message_created(message)
    return message


def draft(
    content: Content, *, ticket: Ticket, user: User | None, source: str, origin: str = ""
) -> Draft:
    """Return an unsaved message to a ticket's contact and its delivery's payload."""
    message, payload = compose(content)
    message.company_id = ticket.company_id
    message.connection_id = ticket.connection_id
    message.ticket = ticket
    message.contact = ticket.contact
    message.user = user.person if user else None
    message.from_me = True
    message.is_read = True
    is_program = user is not None and user.person is None
    message.source = MessageSource.API if is_program and source == MessageSource.AGENT else source
    message.origin = origin
    message.ack = Ack.PENDING
    message.remote_jid = ticket.contact.number
    return message, payload


def store_drafts(drafts: Sequence[Draft], *, leaves_until: datetime | None = None) -> list[Message]:
    """Store drafts of many tickets in two statements, in order; return the messages.

    A delivery that is due after `leaves_until` asks the `late_delivery` hook for its new time. Sets
    the latest message of each ticket; the caller stores the tickets, emits the events and wakes the
    workers.
    """
    if not drafts:
        return []
    messages = [message for message, _ in drafts]
    for message in messages:
        message.fold_text()
    Message.objects.bulk_create(messages)
    Delivery.objects.bulk_create(
        _delivery(message, DeliveryKind.SEND, payload, leaves_until) for message, payload in drafts
    )
    for message in messages:
        message.ticket.latest_message = message
    return messages


def write_drafts(drafts: Sequence[Draft], *, leaves_until: datetime | None = None) -> list[Message]:
    """Write drafts of many locked tickets:

    `write_message` in few statements. The tickets must be the locked instances, with their
    relations loaded.
    """
    messages = store_drafts(drafts, leaves_until=leaves_until)
    tickets: dict[int, Ticket] = {}
    for message in messages:
        ticket = tickets.setdefault(message.ticket_id, message.ticket)
        ticket.last_message = message.preview
        ticket.updated_at = timezone.now()
    update_rows(list(tickets.values()), ["last_message", "latest_message", "updated_at"])
    events.messages_received(messages, [])
    wake("tickets.deliver")
    return messages


def resend(*, message: Message, user: User) -> Message:
    """Send a failed message again, as the same row; raises MessageNotFailed and the errors of
    sending.

    The provider's id and our own belong to the failed attempt and are cleared, so that its late
    statuses count no more.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=message.ticket_id)
        is_utility_text = message.is_utility_text
        at_any_hour = is_utility_text or message.media_type == MediaType.TEMPLATE
        connection = writable_connection(ticket, user, at_any_hour=at_any_hour)
        if is_utility_text and is_window_open(ticket, connection):
            Message.objects.filter(pk=message.pk, ack=Ack.ERROR).update(data=None)
        elif is_utility_text:
            check_utility_text(ticket, connection, user)
        return send_again(message=message, ticket=ticket, connection=connection)


def send_again(*, message: Message, ticket: Ticket, connection: Connection) -> Message:
    """Queue a failed message of a locked ticket again; the caller has checked the rights.

    Raises MessageNotFailed.
    """
    failed = Message.objects.filter(pk=message.pk, ack=Ack.ERROR, from_me=True)
    failed = failed.exclude(source=MessageSource.OTHER)
    if not failed.update(
        ack=Ack.PENDING,
        error_code="",
        error_reason="",
        reason_code="",
        reason_detail="",
        external_id=None,
        callback_id=uuid.uuid4(),
        connection=connection,
        updated_at=timezone.now(),
    ):
        raise MessageNotFailed
    message = Message.objects.select_related("ticket").get(pk=message.pk)
    last = message.deliveries.filter(kind=DeliveryKind.SEND).order_by("-id").first()
    payload = last.payload if last else {}
    if not message.is_utility_text:
        payload.pop("category", None)
    enqueue(message, kind=DeliveryKind.SEND, payload=payload)
    events.messages_and_tickets_updated([message])
    return message


_SUBMITTED = CompiledQuery(
    lambda client_uuid: Message.objects.filter(client_id=client_uuid).order_by().values_list("pk")
)


def already_sent(ticket: Ticket, user: User, client_id: uuid.UUID | None) -> Message | None:
    """Return the stored message of an earlier identical submission; raises DuplicateClientId."""
    if client_id is None:
        return None
    rows = _SUBMITTED.rows(client_uuid=client_id)
    if not rows:
        return None
    known = Message.objects.get(pk=rows[0][0])
    if known.ticket_id != ticket.pk or known.user_id != (user.pk or None):
        raise DuplicateClientId
    return known


def _all_sent(ticket: Ticket, user: User, ids: Sequence[uuid.UUID | None]) -> list[Message]:
    """Return the messages of an earlier identical submission of several; empty for a new one."""
    if already_sent(ticket, user, ids[0]) is None:
        return []
    known = [already_sent(ticket, user, each) for each in ids]
    return [message for message in known if message is not None]


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
    if not at_any_hour and user.person is None and not is_ours(ticket):
        raise LedElsewhere
    return connection


def check_led(user: User, owner: str, owner_at: datetime | None) -> None:
    """Raise LedElsewhere where another responder leads, for a program also where nobody does.

    For what asks nobody before it takes a conversation over.
    """
    now = owner_now(owner, owner_at)
    if now == TicketOwner.OTHER or (user.person is None and now != TicketOwner.US):
        raise LedElsewhere


def _recent_greeting(ticket: Ticket, body: str) -> Message | None:
    """Return the server's greeting that this text repeats (rules/bot §8)."""
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


def enqueue(
    message: Message,
    *,
    kind: DeliveryKind,
    payload: Payload | None = None,
    not_before: datetime | None = None,
) -> None:
    """Queue what must be done for a message at the provider; call it in a transaction."""
    now = timezone.now()
    delivery = _delivery(message, kind, payload or {})
    delivery.next_attempt_at = not_before or now
    insert_row(delivery)
    if kind == DeliveryKind.SEND and delivery.turn == DeliveryTurn.PERSON:
        move_up(delivery)
    wake("tickets.deliver", after=(not_before - now).total_seconds() if not_before else 0.0)


def _delivery(
    message: Message, kind: DeliveryKind, payload: Payload, leaves_until: datetime | None = None
) -> Delivery:
    return Delivery(
        company_id=message.company_id,
        connection_id=message.connection_id or 0,
        contact_id=message.contact_id,
        message=message,
        kind=kind,
        turn=turn_of(message, kind, timezone.now()),
        payload=payload,
        leaves_until=leaves_until,
    )


def _move_ticket(ticket: Ticket, message: Message, user: User | None) -> None:
    ticket.last_message = message.preview
    ticket.latest_message = message
    ticket.updated_at = timezone.now()
    fields = ["last_message", "latest_message", "updated_at"]
    unread_count = ticket.unread_count
    is_holder = user is not None and ticket.user_id == user.pk
    if is_holder and ticket.is_handed_over:
        ticket.is_handed_over, ticket.handed_over_by = False, None
        fields += ["is_handed_over", "handed_over_by"]
    if is_holder and ticket.woken:
        ticket.woken = ""
        fields.append("woken")
    if is_holder and unread_count:
        ticket.unread_count = 0
        fields.append("unread_count")
    update_rows([ticket], fields)
    if "unread_count" in fields:
        mark_messages_read(ticket, unread_count)
        events.unread_reset(ticket)
