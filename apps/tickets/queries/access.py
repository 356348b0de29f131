"""Who may read a ticket (rules/tickets §6)."""

from enum import StrEnum
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Case, Exists, Q, QuerySet, Value, When
from django.db.models.expressions import RawSQL

from apps.accounts.models import User, UserQueue
from apps.accounts.permissions import Permission
from apps.accounts.queries import users_who_may
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.errors import NoPermission, NotFound
from apps.common.serializers import MAX_ID
from apps.companies.models import CompanySetting
from apps.companies.queries import setting_of
from apps.contacts.models import Contact
from apps.tickets.models import Message, Ticket

_COLUMNS = columns_of(Ticket)


class TicketNotFound(NotFound):
    """No such ticket in the company."""

    code = "ERR_NO_TICKET_FOUND"
    message = "Atendimento não encontrado."


class TicketNotReadable(NoPermission):
    """The ticket is another queue's (rules/tickets §6)."""

    message = "Acesso não permitido"


class MessageNotFound(NotFound):
    """No such message in the company."""

    message = "Mensagem não encontrada."


class Sight(StrEnum):
    """Which tickets a role lets its users read; compiled queries have one form for each."""

    ALL = "all"
    # What they hold and what is in their queues; with `allowToSpyMessage` everything.
    QUEUES = "queues"
    # What they hold.
    OWN = "own"


def sight_of(user: User) -> Sight:
    if user.may(Permission.SEE_ALL):
        return Sight.ALL
    return Sight.QUEUES if user.may(Permission.SEE_QUEUES) else Sight.OWN


def reads_whole_company(user: User) -> bool:
    """Tell whether the user's role alone lets them read and act on every ticket."""
    return user.may(Permission.SEE_ALL)


def readable_by(user: User, prefix: str = "") -> Q:
    """Return the condition for tickets that the user may read; `prefix` leads to the ticket."""
    return readable_as(sight_of(user), user.pk, user.company_id, prefix)


def readable_as(
    sight: Sight, user_id: int | RawSQL, company_id: int | RawSQL, prefix: str = ""
) -> Q:
    """Return `readable_by` of a user with this sight."""
    if sight == Sight.ALL:
        return Q()
    if sight == Sight.OWN:
        return Q(**{f"{prefix}user_id": user_id})
    spying = CompanySetting.objects.filter(
        company_id=company_id, key="allowToSpyMessage", value="enabled"
    )
    queues = UserQueue.objects.filter(user_id=user_id).values("queue_id")
    return (
        Q(**{f"{prefix}user_id": user_id})
        | Q(**{f"{prefix}queue_id__in": queues})
        | Q(Exists(spying))
    )


def visible_to(user: User) -> "QuerySet[Ticket]":
    """Return the tickets that the user may read."""
    return Ticket.objects.for_company(user.company_id).filter(readable_by(user))


def readers_of(ticket: Ticket) -> "QuerySet[User]":
    """Return the active users who may read the ticket (rules/tickets §6)."""
    company_id = ticket.company_id
    users = User.objects.for_company(company_id).filter(is_active=True)
    of_queues = users_who_may(company_id, Permission.SEE_QUEUES)
    if setting_of(company_id, "allowToSpyMessage") != "enabled":
        members = UserQueue.objects.filter(queue=ticket.queue_id).values("user_id")
        of_queues = of_queues.filter(pk__in=members)
    found: QuerySet[User] = users.filter(
        Q(pk=ticket.user_id)
        | Q(pk__in=of_queues.values("pk"))
        | Q(pk__in=users_who_may(company_id, Permission.SEE_ALL).values("pk"))
    )
    return found


def contacts_for(user: User) -> "QuerySet[Contact]":
    """Return the contacts that the user may choose to write to.

    Without `contacts:see` they are those of the tickets that the user may read.
    """
    contacts: QuerySet[Contact] = Contact.objects.for_company(user.company_id)
    if user.may(Permission.SEE_CONTACTS):
        return contacts
    return contacts.filter(pk__in=visible_to(user).order_by().values("contact_id"))


@lru_cache(maxsize=len(Sight))
def _ticket_by_id(sight: Sight) -> CompiledQuery:
    def build(ticket_id: RawSQL, company_id: RawSQL, user_id: RawSQL) -> "QuerySet[Ticket, Any]":
        allowed = readable_as(sight, user_id, company_id)
        tickets = Ticket.objects.filter(pk=ticket_id, company_id=company_id).order_by()
        return tickets.annotate(may_read=_truth(allowed)).values_list(*_COLUMNS, "may_read")

    return CompiledQuery(build)


def _truth(condition: Q) -> Case | Value:
    if not condition:
        return Value(True, output_field=BooleanField())
    return Case(When(condition, then=Value(True)), default=Value(False))


def readable_ticket(user: User, *, pk: int | None = None, uuid: UUID | None = None) -> Ticket:
    """Return a ticket that the user may read, in one query; by uuid in two.

    Raises TicketNotFound for another company's, TicketNotReadable for another queue's.
    """
    if uuid is not None:
        pk = (
            Ticket.objects.for_company(user.company_id)
            .filter(uuid=uuid)
            .values_list("pk", flat=True)
            .first()
        )
    if pk is None or pk > MAX_ID:
        raise TicketNotFound
    query = _ticket_by_id(sight_of(user))
    rows = query.rows(ticket_id=pk, company_id=user.company_id, user_id=user.pk)
    if not rows:
        raise TicketNotFound
    if not rows[0][-1]:
        raise TicketNotReadable
    return instance_of(Ticket, _COLUMNS, rows[0])


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


def quotable_message(user: User, ticket: Ticket, message_id: int) -> Message:
    """Return a message of the ticket's contact to answer to; raises MessageNotFound.

    The answer shows it, so it must be one that the user may read.
    """
    message = (
        Message.objects.for_company(ticket.company_id)
        .filter(readable_by(user, "ticket__"), pk=message_id, contact_id=ticket.contact_id)
        .first()
    )
    if message is None:
        raise MessageNotFound("A mensagem citada não existe nesta conversa.")
    return message
