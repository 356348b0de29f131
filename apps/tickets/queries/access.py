"""Who may read a ticket (specification 4 §4.6)."""

from uuid import UUID

from django.db.models import BooleanField, Case, Exists, Q, QuerySet, Value, When

from apps.accounts.models import User, UserQueue
from apps.common.errors import NoPermission, NotFound
from apps.companies.models import CompanySetting
from apps.tickets.models import Message, Ticket


class TicketNotFound(NotFound):
    """No such ticket in the company."""

    code = "ERR_NO_TICKET_FOUND"
    message = "Atendimento não encontrado."


class TicketNotReadable(NoPermission):
    """The ticket is another queue's (specification 2 §8)."""

    message = "Acesso não permitido"


class MessageNotFound(NotFound):
    """No such message in the company."""

    message = "Mensagem não encontrada."


def reads_whole_company(user: User) -> bool:
    """Tell whether the user's role alone lets them read every ticket of the company."""
    return user.is_admin or user.is_super


def readable_by(user: User, prefix: str = "") -> Q:
    """Return the condition for tickets that the user may read; `prefix` leads to the ticket.

    The holder, the members of its queue, admins; everyone while `allowToSpyMessage` is enabled.
    """
    if reads_whole_company(user):
        return Q()
    spying = CompanySetting.objects.for_company(user.company_id).filter(
        key="allowToSpyMessage", value="enabled"
    )
    queues = UserQueue.objects.filter(user=user).values("queue_id")
    return (
        Q(**{f"{prefix}user_id": user.pk})
        | Q(**{f"{prefix}queue_id__in": queues})
        | Q(Exists(spying))
    )


def visible_to(user: User) -> "QuerySet[Ticket]":
    """Return the tickets that the user may read."""
    return Ticket.objects.for_company(user.company_id).filter(readable_by(user))


def readable_ticket(user: User, *, pk: int | None = None, uuid: UUID | None = None) -> Ticket:
    """Return a ticket that the user may read, in one query.

    Raises TicketNotFound for another company's, TicketNotReadable for another queue's.
    """
    wanted = {"pk": pk} if uuid is None else {"uuid": uuid}
    allowed = readable_by(user)
    may_read = (
        Case(When(allowed, then=Value(True)), default=Value(False), output_field=BooleanField())
        if allowed
        else Value(True, output_field=BooleanField())
    )
    ticket = (
        Ticket.objects.for_company(user.company_id)
        .annotate(may_read=may_read)
        .filter(**wanted)
        .first()
    )
    if ticket is None:
        raise TicketNotFound
    if not ticket.may_read:
        raise TicketNotReadable
    return ticket


def readable_message(user: User, message_id: int) -> Message:
    """Return a message of a ticket that the user may read.

    Raises MessageNotFound for another company's, TicketNotReadable for another queue's.
    """
    message = (
        Message.objects.for_company(user.company_id)
        .select_related("ticket", "connection")
        .filter(pk=message_id)
        .first()
    )
    if message is None:
        raise MessageNotFound
    readable_ticket(user, pk=message.ticket_id)
    return message


def quotable_message(ticket: Ticket, message_id: int) -> Message:
    """Return a message of the ticket's contact to answer to; raises MessageNotFound."""
    message = (
        Message.objects.for_company(ticket.company_id)
        .filter(pk=message_id, contact_id=ticket.contact_id)
        .first()
    )
    if message is None:
        raise MessageNotFound("A mensagem citada não existe nesta conversa.")
    return message
