"""Forwards a message to other contacts: each gets a new message in its own ticket."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.common.errors import DomainError, NoPermission
from apps.common.media import StoredMedia, fresh_files, open_media, store_media
from apps.connections.models import Connection
from apps.connections.providers.content import CardPhone, ContactCard, Location
from apps.contacts.models import Contact
from apps.contacts.services import ContactNotFound
from apps.tickets.models import (
    Ack,
    MediaState,
    MediaType,
    Message,
    MessageSource,
    Ticket,
    TicketStatus,
)
from apps.tickets.owners import known_owner
from apps.tickets.queries.access import contacts_for
from apps.tickets.services.messages.addressing import ticket_for_sending
from apps.tickets.services.messages.changes import MessageDeleted, MessageNotSent
from apps.tickets.services.outbox import (
    Cards,
    Content,
    Media,
    NoConnection,
    Place,
    Text,
    already_sent,
    check_led,
    media_of,
    writable_connection,
    write_message,
)
from apps.tickets.services.rights import (
    TicketNotOpen,
    check_allowed,
    check_may_write,
    locked_ticket,
)
from apps.tickets.services.tickets.opening import check_number, open_ticket
from apps.tickets.services.tickets.updates import LIVE, OtherOpenTicket, other_open_ticket
from apps.tickets.services.window import OutsideWindow, contacts_in_window

# Messages that nobody wrote (calls), and those whose content is unknown.
UNFORWARDABLE = frozenset({MediaType.UNKNOWN, MediaType.CALL_LOG})
TEXTS = frozenset(
    {
        MediaType.TEXT,
        MediaType.EXTENDED_TEXT,
        MediaType.TEMPLATE,
        MediaType.INTERACTIVE_LIST,
    }
)


class MediaNotReady(DomainError):
    """The file has not been downloaded yet, or its download failed."""

    status = 409
    code = "ERR_MEDIA_NOT_READY"
    message = "O arquivo desta mensagem ainda não foi baixado. Tente de novo em instantes."


class ForwardRefused(DomainError):
    code = "ERR_FORWARD_WAPP_MSG"
    message = "Este tipo de mensagem não pode ser encaminhado."


@dataclass
class Forwarded:
    """The new messages, and for each refused contact its id, name and error."""

    messages: list[Message] = field(default_factory=list)
    refused: list[tuple[int, str, DomainError]] = field(default_factory=list)


def forward_message(
    *,
    message: Message,
    user: User,
    contact_ids: Sequence[int],
    client_id: uuid.UUID | None = None,
) -> Forwarded:
    """Send a message again to contacts, to each in a transaction of its own.

    The new message goes into the caller's open ticket with the contact on the source's connection,
    else into another open ticket that the caller may write to, else into a new one in the source
    ticket's queue. A program opens none: it writes where the messages API does. Raises
    MessageDeleted, MessageNotSent, MediaNotReady, ForwardRefused, and ContactNotFound when none of
    the contacts exists. An error of a single contact is in the result. A repeated `client_id` sends
    nothing twice. A conversation that another responder leads is refused, because nobody is asked
    here whether to take it over (rules/tickets §14).
    """
    _check_forwardable(message)
    ids = list(dict.fromkeys(contact_ids))
    contacts = contacts_for(user).in_bulk(ids)
    if not contacts:
        raise ContactNotFound(fields={"contactIds": [ContactNotFound.message]})
    result = Forwarded()
    for contact_id in ids:
        contact = contacts.get(contact_id)
        try:
            if contact is None:
                raise ContactNotFound("Este contato foi excluído.")
            each = uuid.uuid5(client_id, str(contact_id)) if client_id else None
            result.messages.append(_forward_to(contact, message, user, each))
        except DomainError as error:
            result.refused.append((contact_id, contact.name if contact else "", error))
    return result


def forward_refusals(
    *, message: Message, user: User, contact_ids: Sequence[int]
) -> list[tuple[int, str, DomainError]]:
    """Return which contacts could not get the message now, each with name and error.

    Nothing is written, and WhatsApp is not asked. Raises what `forward_message` raises for the
    message itself.
    """
    _check_forwardable(message)
    contacts = contacts_for(user).in_bulk(list(contact_ids))
    refused: list[tuple[int, str, DomainError]] = []
    for contact in contacts.values():
        try:
            _check_reachable(contact, message, user)
        except DomainError as error:
            refused.append((contact.pk, contact.name, error))
    return refused


def _check_reachable(contact: Contact, source: Message, user: User) -> None:
    ticket = _writable_ticket(contact, source, user)
    if ticket is not None:
        writable_connection(ticket, user)
        check_led(user, ticket.owner, ticket.owner_at)
        return
    if user.person is not None:
        check_allowed(user, [Permission.TAKE])
    connection = _connection_to(contact, source)
    owner = known_owner(
        company_id=contact.company_id, contact_id=contact.pk, connection_id=connection.pk
    )
    check_led(user, **owner)


def _check_forwardable(message: Message) -> None:
    if message.is_deleted:
        raise MessageDeleted
    if message.media_type in UNFORWARDABLE or message.body == "unknown":
        raise ForwardRefused
    if message.from_me and message.ack == Ack.ERROR:
        raise MessageNotSent
    if message.media_state == MediaState.EXPIRED:
        raise MediaNotReady("O arquivo desta mensagem não é mais guardado.")
    if message.media_state == MediaState.FAILED:
        raise MediaNotReady("O arquivo desta mensagem não pôde ser baixado.")
    if message.media_state == MediaState.FETCHING:
        raise MediaNotReady


def _forward_to(
    contact: Contact, source: Message, user: User, client_id: uuid.UUID | None
) -> Message:
    known = _known(user, contact, client_id)
    if known is not None:
        return known
    with fresh_files() as copies:
        # The file is copied before the transaction, because copying a long video would keep it
        # open.
        if source.media_path:
            copies.append(_copied_media(source))
        with transaction.atomic():
            ticket = _ticket_for(contact, source, user)
            known = already_sent(ticket, user, client_id)
            if known is not None:
                return known
            message = write_message(
                _content(source, *copies),
                ticket=ticket,
                user=user,
                source=MessageSource.AGENT,
                client_id=client_id,
                is_forwarded=True,
            )
        copies.clear()
    return message


def _known(user: User, contact: Contact, client_id: uuid.UUID | None) -> Message | None:
    if client_id is None:
        return None
    return Message.objects.filter(client_id=client_id, user=user.person, contact=contact).first()


def _ticket_for(contact: Contact, source: Message, user: User) -> Ticket:
    """Return the ticket to write in, locked; raises a DomainError that says why there is none."""
    found = _writable_ticket(contact, source, user)
    if found is None and user.person is None:
        connection = _connection_to(contact, source)
        ticket = ticket_for_sending(contact=contact, connection=connection)
        check_led(user, ticket.owner, ticket.owner_at)
        return ticket
    opened = found or open_ticket(
        user=user,
        contact_id=contact.pk,
        queue_id=source.ticket.queue_id,
        connection_id=source.ticket.connection_id,
    )
    ticket = locked_ticket(user=user, ticket_id=opened.pk)
    writable_connection(ticket, user)
    check_led(user, ticket.owner, ticket.owner_at)
    return ticket


def _connection_to(contact: Contact, source: Message) -> Connection:
    """Return the source's connection; raises unless the contact can be written to there now."""
    check_number(contact)
    connection = source.ticket.connection
    if connection is None:
        raise NoConnection
    if not contacts_in_window([contact.pk], connection):
        raise OutsideWindow
    return connection


def _writable_ticket(contact: Contact, source: Message, user: User) -> Ticket | None:
    """Return the open ticket to write in; None if there is none.

    Raises a DomainError if another person's ticket is in a person's way.
    """
    live = list(
        Ticket.objects.for_company(user.company_id)
        .filter(contact=contact, status__in=LIVE)
        .order_by("pk")
    )
    writable = [ticket for ticket in live if _may_write(user, ticket)]
    writable.sort(
        key=lambda ticket: (
            ticket.connection_id != source.ticket.connection_id,
            ticket.user_id != user.pk,
        )
    )
    if writable:
        return writable[0]
    there = [ticket for ticket in live if ticket.connection_id == source.ticket.connection_id]
    if there and user.person is not None:
        raise _taken(user, there[0])
    return None


def _may_write(user: User, ticket: Ticket) -> bool:
    try:
        check_may_write(user, ticket)
    except (TicketNotOpen, NoPermission):
        return False
    return True


def _taken(user: User, ticket: Ticket) -> DomainError:
    if ticket.status == TicketStatus.PENDING:
        return TicketNotOpen(
            "Este contato está aguardando atendimento. Aceite-o antes de escrever."
        )
    holder = ticket.user.name if ticket.user else "Outra pessoa"
    refusal: OtherOpenTicket = other_open_ticket(user, ticket)
    refusal.sentence = f"{holder} está atendendo este contato."
    return refusal


def _copied_media(source: Message) -> StoredMedia:
    with open_media(source.media_path) as file:
        copy = store_media(
            company_id=source.company_id,
            content=file,  # type: ignore[arg-type]
            name=source.media_name,
            mime=source.media_mime,
        )
    return replace(copy, name=source.media_name)


def _content(source: Message, copy: StoredMedia | None = None) -> Content:
    if copy is not None:
        # A template belongs to its provider. A forwarded one becomes its file with its text.
        is_template = source.media_type == MediaType.TEMPLATE
        media_type = media_of(copy).media_type if is_template else source.media_type
        return Media(copy, source.body, media_type, seconds=source.media_seconds)
    data = source.data if isinstance(source.data, dict) else {}
    if source.media_type == MediaType.LOCATION and (location := _location(data)):
        return Place(location, source.body, data)
    if source.media_type == MediaType.CONTACT_CARD and data.get("contacts"):
        cards = tuple(_card(card) for card in data["contacts"])
        return Cards(cards, source.body, data)
    if source.media_type not in TEXTS or not source.body.strip():
        raise ForwardRefused
    return Text(source.body)


def _location(data: dict[str, Any]) -> Location | None:
    try:
        latitude, longitude = float(data["latitude"]), float(data["longitude"])
    except (KeyError, TypeError, ValueError):
        return None
    words = {key: str(data[key]) for key in ("name", "address") if data.get(key)}
    return Location(latitude, longitude, **words)


def _card(card: dict[str, Any]) -> ContactCard:
    name = card.get("name")
    phones = card.get("phones")
    return ContactCard(
        name=str(name.get("formatted_name", "")) if isinstance(name, dict) else str(name or ""),
        phones=tuple(
            CardPhone(
                phone=str(phone.get("phone") or ""),
                wa_id=str(phone.get("wa_id") or ""),
                type=str(phone.get("type") or "CELL"),
            )
            for phone in (phones if isinstance(phones, list) else [])
            if isinstance(phone, dict)
        ),
    )
