"""Taking a conversation from another responder of the number, and giving it back.

See rules/tickets §14. Meta decides; what it refuses is told in its words and changes nothing.
"""

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.common.bulk import update_rows
from apps.common.errors import DomainError
from apps.connections.models import Connection, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.services import official_provider_for
from apps.tickets import events
from apps.tickets.models import (
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketOwner,
    TicketStatus,
)
from apps.tickets.owners import OWNER_FIELDS, move_owner, owner_now
from apps.tickets.services.outbox import NoConnection
from apps.tickets.services.rights import check_leads, check_may_act, locked_ticket

# How long a person waits for Meta.
ANSWER_SECONDS = 8.0
TAKE, RELEASE, PASS = "take", "release", "pass"
# Who leads afterwards.
OWNERS = {TAKE: TicketOwner.US, RELEASE: TicketOwner.IDLE, PASS: TicketOwner.OTHER}


class NoThreadControl(DomainError):
    """Only conversations of official numbers have other responders."""

    status = 409
    code = "ERR_NO_THREAD_CONTROL"
    message = "Só conversas de números da API oficial têm outro agente."


class ThreadControlRefused(DomainError):
    """Meta refused, or did not answer; the sentence says which."""

    status = 424
    code = "ERR_THREAD_CONTROL_REFUSED"
    message = "A Meta não deixou mudar quem conduz a conversa."


def control_thread(*, user: User, ticket_id: int, action: str) -> Ticket:
    """Take a conversation, release it or pass it on; returns the ticket.

    What is so already is not asked for again. Waits for Meta: never call it inside a transaction.
    Raises TicketNotFound, TicketNotReadable, NoConnection, NoThreadControl, ThreadControlRefused.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket_id)
        check_may_act(user, ticket)
        if ticket.status == TicketStatus.OPEN and ticket.user_id is not None:
            check_leads(user, ticket)
        connection = ticket.connection
        if connection is None:
            raise NoConnection
        if connection.provider != ProviderKind.OFFICIAL or ticket.is_group:
            raise NoThreadControl
        to = ticket.contact.address(is_official=True)
    if not _is_to_do(ticket, action):
        return ticket
    # What happens while Meta answers is later than this.
    began_at = timezone.now()
    _ask(connection, to, action)
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket_id)
        if _is_to_do(ticket, action) and move_owner(ticket, OWNERS[action], began_at):
            update_rows([ticket], OWNER_FIELDS)
            took = action == TAKE
            activity = TicketActivity.objects.create(
                ticket=ticket,
                kind=TicketActivityKind.TOOK_CONTROL if took else TicketActivityKind.GAVE_CONTROL,
                actor=user.person,
                detail={"actor": user.name},
            )
            events.ticket_updated(ticket, activity=activity)
    return ticket


def _is_to_do(ticket: Ticket, action: str) -> bool:
    """Tell whether the conversation is not yet as wanted; what is not ours can't be given away."""
    is_ours = owner_now(ticket.owner, ticket.owner_at) == TicketOwner.US
    return is_ours != (action == TAKE)


def _ask(connection: Connection, to: str, action: str) -> None:
    try:
        provider = official_provider_for(connection, read_seconds=ANSWER_SECONDS)
        provider.control_thread(to, action)
    except ProviderError as error:
        raise ThreadControlRefused(error.message, extra=error.reason.on_wire()) from error
