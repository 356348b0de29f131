"""Who may act on a ticket (rules/tickets §5)."""

from collections.abc import Iterable

from apps.accounts.models import User, UserQueue
from apps.accounts.permissions import Permission
from apps.common import log_ids
from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.errors import DomainError, NoPermission
from apps.common.serializers import MAX_ID
from apps.tickets.models import Ticket, TicketStatus
from apps.tickets.queries.access import TicketNotFound, TicketNotReadable, reads_whole_company


class TicketNotOpen(DomainError):
    """This change needs an open ticket; the ticket is pending or closed."""

    status = 409
    code = "ERR_TICKET_NOT_OPEN"
    message = "Este atendimento não está aberto. Aceite-o ou reabra-o primeiro."


_COLUMNS = columns_of(Ticket)
_LOCKED = CompiledQuery(
    lambda ticket_id, company_id: (
        Ticket.objects.filter(pk=ticket_id, company_id=company_id)
        .order_by()
        .select_for_update(no_key=True)
        .values_list(*_COLUMNS)
    )
)


def locked_ticket(*, user: User, ticket_id: int) -> Ticket:
    """Return a ticket of the user's company, locked until commit; raises TicketNotFound.

    The lock decides who comes first when two people accept at once. The query has no joins: after
    waiting for a lock, PostgreSQL would combine the new row with outdated rows of the joined
    tables. Call it in a transaction.
    """
    if ticket_id > MAX_ID:
        raise TicketNotFound
    for values in _LOCKED.rows(ticket_id=ticket_id, company_id=user.company_id):
        log_ids.note(ticket=ticket_id)
        return instance_of(Ticket, _COLUMNS, values)
    raise TicketNotFound


def is_holder(user: User, ticket: Ticket) -> bool:
    """Tell whether the ticket is open and the user holds it."""
    return ticket.status == TicketStatus.OPEN and ticket.user_id == user.pk


def works_in(user: User, queue_id: int | None) -> bool:
    """Tell whether the user may hold tickets of the queue; who sees all may in any, and in none."""
    if reads_whole_company(user):
        return True
    return queue_id is not None and UserQueue.objects.filter(user=user, queue=queue_id).exists()


def check_may_act(user: User, ticket: Ticket) -> None:
    """Raise TicketNotReadable unless the user holds the ticket or works in its queue.

    Whose role shows only the own tickets acts on no other one.
    """
    if is_holder(user, ticket):
        return
    if ticket.user_id != user.pk and not user.may(Permission.SEE_QUEUES):
        raise TicketNotReadable
    if not works_in(user, ticket.queue_id):
        raise TicketNotReadable


def check_allowed(user: User, needed: Iterable[Permission]) -> None:
    """Raise NoPermission, which names them, unless the user's role grants all of these."""
    lacking = sorted(str(each) for each in set(needed) - user.granted)
    if lacking:
        raise NoPermission(extra={"permissions": lacking})


def check_leads(user: User, ticket: Ticket) -> None:
    """Raise TicketNotReadable unless the user holds the ticket or is an admin."""
    if not is_holder(user, ticket) and not reads_whole_company(user):
        raise TicketNotReadable("Só quem está atendendo ou um administrador pode fazer isso.")


def check_may_handle(user: User, ticket: Ticket) -> None:
    """Raise NoPermission unless the user has the ticket or may take one: to see all is not to act
    in all.
    """
    if ticket.user_id != user.pk:
        check_allowed(user, [Permission.TAKE])


def check_may_write(user: User, ticket: Ticket) -> None:
    """Raise unless the ticket is open and the user is its holder or an admin."""
    if reads_whole_company(user):
        check_may_handle(user, ticket)
    elif ticket.user_id != user.pk:
        check_may_act(user, ticket)
        if ticket.status == TicketStatus.OPEN:
            check_leads(user, ticket)
    if ticket.status != TicketStatus.OPEN:
        raise TicketNotOpen
