"""Opens a ticket by hand: the new-ticket dialog (rules/tickets §4)."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.common.errors import DomainError, InvalidInput
from apps.common.renderers import to_json
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.contacts.models import Contact
from apps.contacts.services import ContactNotFound, learn_names, require_on_whatsapp
from apps.queues.models import Queue
from apps.tickets import events
from apps.tickets.bot_states import BotState
from apps.tickets.models import Ticket, TicketStatus
from apps.tickets.owners import known_owner
from apps.tickets.queries.access import contacts_for, reads_whole_company
from apps.tickets.services.rights import check_allowed, works_in
from apps.tickets.services.tickets.tracking import track
from apps.tickets.services.tickets.transitions import HolderMissing
from apps.tickets.services.tickets.updates import (
    ConnectionNotFound,
    OtherOpenTicket,
    QueueNotFound,
    UserNotFound,
    live_ticket_of,
    other_open_ticket,
)
from apps.tickets.services.window import latest_inbound_at


class NoDefaultConnection(DomainError):
    code = "ERR_NO_DEF_WAPP_FOUND"
    message = "Nenhuma conexão está disponível. Conecte um número ou escolha um como padrão."


def open_ticket(
    *,
    user: User,
    contact_id: int,
    status: str = TicketStatus.OPEN,
    queue_id: int | None = None,
    connection_id: int | None = None,
    user_id: int | None = None,
) -> Ticket:
    """Open a ticket with a contact, held by the caller or the named user, or pending.

    The connection is the named one, else the user's default, the company's default, or any
    connected one. Raises NotFound for foreign ids, InvalidInput, NoDefaultConnection,
    NumberNotOnWhatsApp, HolderMissing, and OtherOpenTicket, whose `error` is the ticket as JSON
    text, for older browsers. This may ask WhatsApp about the number, so never call it inside a
    transaction.
    """
    check_allowed(user, [Permission.TAKE])
    contact = contacts_for(user).filter(pk=contact_id).first()
    if contact is None:
        raise ContactNotFound(fields={"contactId": [ContactNotFound.message]})
    check_number(contact)
    _check_queue(user, queue_id)
    holder = _holder(user, user_id, queue_id) if status == TicketStatus.OPEN else None
    connection = _connection(user, connection_id)
    contact = _checked_contact(contact, connection)
    try:
        with transaction.atomic():
            ticket = _create(contact, connection, queue_id, holder, status, opened_by=user)
            events.ticket_updated(ticket)
            return ticket
    except IntegrityError:
        other = live_ticket_of(
            company_id=user.company_id, contact_id=contact_id, connection_id=connection.pk
        )
        if other is None:
            raise
        raise _with_json_error(other_open_ticket(user, other)) from None


def check_number(contact: Contact) -> None:
    """Raise InvalidInput if the contact has no number."""
    if not contact.number:
        sentence = "Este contato não tem número. Informe um antes de abrir o atendimento."
        raise InvalidInput(sentence, fields={"contactId": [sentence]}, rule="no_number")


def _checked_contact(contact: Contact, connection: Connection) -> Contact:
    """Return the contact; a QR session checks the number if the contact never wrote."""
    if contact.is_group or connection.provider != ProviderKind.BETA:
        return contact
    wrote = Ticket.objects.for_company(contact.company_id).filter(
        contact=contact, connection=connection, last_inbound_at__isnull=False
    )
    if wrote.exists():
        return contact
    known = require_on_whatsapp(
        company_id=contact.company_id,
        number=contact.number,
        field="contactId",
        connection=connection,
    )
    return learn_names(contact, known)


def _create(
    contact: Contact,
    connection: Connection,
    queue_id: int | None,
    holder: User | None,
    status: str,
    *,
    opened_by: User,
) -> Ticket:
    now = timezone.now()
    is_handed_over = holder != opened_by
    ticket = Ticket.objects.create(
        company_id=contact.company_id,
        contact=contact,
        connection=connection,
        queue_id=queue_id,
        user=holder,
        status=status,
        is_handed_over=is_handed_over,
        handed_over_by=opened_by.person if is_handed_over else None,
        is_group=contact.is_group,
        # A person opened the ticket, so the bot stays off, even after the ticket is returned.
        bot_state=BotState(ended=True).as_json(),
        last_inbound_at=latest_inbound_at(
            company_id=contact.company_id, contact_id=contact.pk, connection_id=connection.pk
        ),
        created_at=now,
        updated_at=now,
        queued_at=now,
        **known_owner(
            company_id=contact.company_id, contact_id=contact.pk, connection_id=connection.pk
        ),
    )
    track(ticket, old_status="", at=now)
    return ticket


def _with_json_error(refusal: OtherOpenTicket) -> OtherOpenTicket:
    refusal.error = to_json(refusal.extra["ticket"]).decode()
    return refusal


def _check_queue(user: User, queue_id: int | None) -> None:
    if queue_id is None:
        if reads_whole_company(user):
            return
        sentence = "Selecione uma fila"
        raise InvalidInput(sentence, fields={"queueId": [sentence]}, rule="required")
    if not Queue.objects.for_company(user.company_id).filter(pk=queue_id).exists():
        raise QueueNotFound(fields={"queueId": [QueueNotFound.message]})
    if not works_in(user, queue_id):
        sentence = "Você não atende nesta fila."
        raise InvalidInput(sentence, fields={"queueId": [sentence]}, rule="not_your_queue")


def _holder(user: User, user_id: int | None, queue_id: int | None) -> User:
    if user_id is None and user.person is None:
        raise HolderMissing
    if user_id is None or user_id == user.pk:
        return user
    check_allowed(user, [Permission.ASSIGN])
    holder: User | None = User.objects.for_company(user.company_id).filter(pk=user_id).first()
    if holder is None:
        raise UserNotFound(fields={"userId": [UserNotFound.message]})
    if not holder.is_active or not works_in(holder, queue_id):
        sentence = "Este usuário não atende na fila escolhida."
        raise InvalidInput(sentence, fields={"userId": [sentence]}, rule="not_in_queue")
    return holder


def _connection(user: User, connection_id: int | None) -> Connection:
    connections = Connection.objects.for_company(user.company_id)
    if connection_id is not None:
        named = connections.filter(pk=connection_id).first()
        if named is None:
            raise ConnectionNotFound(fields={"whatsappId": [ConnectionNotFound.message]})
        return named
    found = (
        (user.connection_id and connections.filter(pk=user.connection_id).first())
        or connections.filter(is_default=True).first()
        or connections.filter(status=ConnectionStatus.CONNECTED).order_by("pk").first()
    )
    if found is None:
        raise NoDefaultConnection
    return found
