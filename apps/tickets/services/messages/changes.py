"""Reactions, edits and deletions of messages by users (rules/messages §6).

The row changes at once, and a delivery carries the change to the contact, after earlier deliveries.
When the provider refuses it for good, the row is restored to what the contact sees.
"""

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any, Self

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.common.errors import DomainError
from apps.common.reasons import NO_REASON, Reason
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection
from apps.connections.providers.base import Capabilities
from apps.tickets import events
from apps.tickets.models import (
    Ack,
    Delivery,
    DeliveryKind,
    MediaType,
    Message,
    MessageReaction,
    Ticket,
    TicketStatus,
)
from apps.tickets.queries.access import MessageNotFound, reads_whole_company
from apps.tickets.services.outbox import NoConnection, check_led, enqueue
from apps.tickets.services.outbox.statuses import locked_message
from apps.tickets.services.rights import check_may_write, locked_ticket
from apps.tickets.services.window import OutsideWindow, is_window_open

# WhatsApp's own limits, whoever connects the number.
EDIT_WINDOW = timedelta(minutes=15)
# developers.facebook.com/docs/whatsapp/cloud-api/messages/reaction-messages
REACTION_WINDOW = timedelta(days=30)
TEXTS = (MediaType.TEXT, MediaType.EXTENDED_TEXT)


class DeletionRefused(DomainError):
    """The message can't be taken back."""

    code = "ERR_DELETE_WAPP_MSG"
    message = "A API oficial do WhatsApp não permite apagar mensagens enviadas."


class EditRefused(DomainError):
    """The message's text can't be changed."""

    code = "ERR_EDIT_WAPP_MSG"
    message = "A API oficial do WhatsApp não permite editar mensagens enviadas."


class EditTooLate(DomainError):
    """WhatsApp takes changes of a text for a quarter of an hour."""

    status = 409
    code = "ERR_EDIT_TOO_LATE"
    message = "O WhatsApp só permite editar até 15 minutos depois do envio."


class ReactionRefused(DomainError):
    """The message can't be reacted to."""

    code = "ERR_REACT_WAPP_MSG"
    message = "Esta conexão não permite reagir a mensagens."


class MessageDeleted(DomainError):
    """Nothing more is done with a deleted message."""

    status = 409
    code = "ERR_MESSAGE_DELETED"
    message = "Esta mensagem foi apagada."


class MessageNotSent(DomainError):
    """The contact never got the message."""

    status = 409
    code = "ERR_MESSAGE_NOT_SENT"
    message = "Esta mensagem não chegou ao contato. Reenvie-a primeiro."


CODES: dict[str, str] = {
    DeliveryKind.REACT: ReactionRefused.code,
    DeliveryKind.EDIT: EditRefused.code,
    DeliveryKind.DELETE: DeletionRefused.code,
}


@dataclass(frozen=True, slots=True)
class ReactionChange:
    """A reaction before and after; empty for none. The payload of its delivery."""

    emoji: str
    before: str

    @classmethod
    def of(cls, payload: dict[str, Any]) -> Self:
        """Read the payload of a delivery; older ones lack what was before."""
        return cls(emoji=payload["emoji"], before=payload.get("before", ""))


@dataclass(frozen=True, slots=True)
class TextChange:
    """A message's text before and after. The payload of its delivery."""

    body: str
    before: str
    was_edited: bool

    @classmethod
    def of(cls, payload: dict[str, Any]) -> Self | None:
        """Read the payload of a delivery; None for one that lacks what was before."""
        if "before" not in payload:
            return None
        return cls(payload["body"], payload["before"], payload["was_edited"])


def react_to_message(*, message: Message, user: User, emoji: str) -> Message:
    """Put our side's emoji on a message, change it or, with an empty one, take it back.

    Raises ReactionRefused, MessageDeleted, MessageNotSent, OutsideWindow, LedElsewhere,
    NoConnection, TicketNotOpen and TicketNotReadable.
    """
    with transaction.atomic():
        ticket, message = _locked(message, user)
        connection, can = _connection_of(message)
        if not can.react:
            raise ReactionRefused
        if not message.external_id:
            raise MessageNotSent
        if message.created_at < timezone.now() - REACTION_WINDOW:
            raise ReactionRefused("O WhatsApp só permite reagir a mensagens dos últimos 30 dias.")
        if not is_window_open(ticket, connection):
            raise OutsideWindow
        check_led(user, ticket.owner, ticket.owner_at)
        own = MessageReaction.objects.filter(message=message, from_me=True)
        before = own.values_list("emoji", flat=True).first() or ""
        if before == emoji:
            return message
        if emoji:
            MessageReaction.objects.update_or_create(
                message=message, from_me=True, defaults={"emoji": emoji, "user": user.person}
            )
        else:
            own.delete()
        change = ReactionChange(emoji=emoji, before=before)
        enqueue(message, kind=DeliveryKind.REACT, payload=asdict(change))
        return _changed(message)


def edit_message(*, message: Message, user: User, body: str) -> Message:
    """Change the text of a sent message; only its author and admins may do so.

    Raises EditRefused, EditTooLate, MessageDeleted, MessageNotSent, NoConnection, TicketNotOpen
    and TicketNotReadable.
    """
    with transaction.atomic():
        _, message = _locked(message, user)
        if not message.from_me or not (message.user_id == user.pk or reads_whole_company(user)):
            raise EditRefused("Só quem escreveu a mensagem pode editá-la.")
        if message.media_type not in TEXTS:
            raise EditRefused("Só mensagens de texto podem ser editadas.")
        _, can = _connection_of(message)
        if not can.edit:
            raise EditRefused
        if message.ack == Ack.ERROR:
            raise MessageNotSent
        if message.created_at < timezone.now() - EDIT_WINDOW:
            raise EditTooLate
        if message.body == body:
            return message
        change = TextChange(body=body, before=message.body, was_edited=message.is_edited)
        message.body, message.is_edited = body, True
        enqueue(message, kind=DeliveryKind.EDIT, payload=asdict(change))
        _show_in_list(message)
        return _changed(message, "body", "is_edited")


def delete_message(*, message: Message, user: User) -> Message:
    """Take a sent message back at the contact's; the row stays, marked.

    Raises DeletionRefused where the provider can't, NoConnection, TicketNotOpen and
    TicketNotReadable.
    """
    with transaction.atomic():
        _, message = _locked(message, user, may_be_deleted=True)
        if not message.from_me:
            raise DeletionRefused("Só mensagens enviadas pela empresa podem ser apagadas.")
        _, can = _connection_of(message)
        if not can.delete:
            raise DeletionRefused
        if message.is_deleted:
            return message
        message.is_deleted = True
        enqueue(message, kind=DeliveryKind.DELETE)
        return _changed(message, "is_deleted")


def undo_change(delivery: Delivery, sentence: str, reason: Reason = NO_REASON) -> None:
    """Restore a message to what the contact sees after the provider refused a change.

    Call it in a transaction. A later change stays.
    """
    message = locked_message(delivery.message_id)
    if message is None or delivery.kind not in CODES:
        return
    fields = ["error_code", "error_reason", "reason_code", "reason_detail"]
    if delivery.kind == DeliveryKind.REACT and not _undo_reaction(
        message, ReactionChange.of(delivery.payload)
    ):
        return
    if delivery.kind == DeliveryKind.EDIT:
        change = TextChange.of(delivery.payload)
        if change is None or message.body != change.body:
            return
        message.body, message.is_edited = change.before, change.was_edited
        fields += ["body", "is_edited"]
    if delivery.kind == DeliveryKind.DELETE:
        if not message.is_deleted:
            return
        message.is_deleted = False
        fields.append("is_deleted")
    message.error_code = CODES[delivery.kind]
    message.error_reason = sentence[:500]
    message.reason_code, message.reason_detail = reason.code, reason.detail
    _show_in_list(message)
    _changed(message, *fields)


def _undo_reaction(message: Message, change: ReactionChange) -> bool:
    own = MessageReaction.objects.filter(message=message, from_me=True)
    if (own.values_list("emoji", flat=True).first() or "") != change.emoji:
        return False
    if change.before:
        MessageReaction.objects.update_or_create(
            message=message, from_me=True, defaults={"emoji": change.before}
        )
    else:
        own.delete()
    return True


def _locked(
    message: Message, user: User, *, may_be_deleted: bool = False
) -> tuple[Ticket, Message]:
    """Return the contact's open ticket and the message, both locked.

    A conversation spans the contact's tickets, so the message may belong to a closed one. Raises
    TicketNotOpen, TicketNotReadable, MessageNotFound, MessageDeleted.
    """
    ticket = locked_ticket(user=user, ticket_id=message.ticket_id)
    if ticket.status != TicketStatus.OPEN and ticket.connection_id is not None:
        now_open = (
            Ticket.objects.for_company(user.company_id)
            .filter(
                contact_id=ticket.contact_id,
                connection_id=ticket.connection_id,
                status=TicketStatus.OPEN,
            )
            .values_list("pk", flat=True)
            .first()
        )
        if now_open is not None:
            ticket = locked_ticket(user=user, ticket_id=now_open)
    check_may_write(user, ticket)
    locked = locked_message(message.pk)
    if locked is None:
        raise MessageNotFound
    if locked.is_deleted and not may_be_deleted:
        raise MessageDeleted
    return ticket, locked


def _connection_of(message: Message) -> tuple[Connection, Capabilities]:
    connection = message.connection
    if connection is None:
        raise NoConnection
    return connection, capabilities_of_kind(connection.provider)


def _changed(message: Message, *fields: str) -> Message:
    """Save the message and emit its event.

    Reactions move the time as well: browsers drop older versions of a message.
    """
    if "error_code" not in fields and message.error_code in CODES.values():
        message.error_code = message.error_reason = ""
        message.reason_code = message.reason_detail = ""
        fields = (*fields, "error_code", "error_reason", "reason_code", "reason_detail")
    message.save(update_fields=[*fields, "updated_at"])
    events.messages_and_tickets_updated([message])
    return message


def _show_in_list(message: Message) -> None:
    tickets = Ticket.objects.filter(pk=message.ticket_id, latest_message=message)
    tickets.update(last_message=message.preview)
