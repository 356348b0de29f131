"""What the server itself writes when a ticket changes hands (specification 4 §3.6)."""

from django.utils import timezone

from apps.accounts.models import User
from apps.companies.queries import settings_of, zone_of
from apps.connections.models import Connection
from apps.tickets.models import Message, MessageSource, Ticket
from apps.tickets.services.window import is_window_open
from apps.tickets.variables import render, variables_for

# Older browsers begin their own greeting with the same words.
AUTOMATIC_HEADING = "*Mensagem Automática:*"


def greet_accepted(*, ticket: Ticket, user: User) -> None:
    """Greet the contact of an accepted ticket when `sendGreetingAccepted` is on."""
    _write(
        ticket,
        "sendGreetingAccepted",
        "{{ms}} {{firstName}}, aqui é " + user.name + ". Vou continuar o seu atendimento.",
    )


def tell_transferred(*, ticket: Ticket, queue_name: str | None, user_name: str | None) -> None:
    """Tell the contact the new queue, user or both when `sendMsgTransfTicket` is on."""
    if queue_name and user_name:
        where = f"a fila *{queue_name}*, com *{user_name}*"
    elif queue_name:
        where = f"a fila *{queue_name}*"
    elif user_name:
        where = f"*{user_name}*"
    else:
        return
    text = f"Seu atendimento foi transferido para {where}. Em instantes continuamos por aqui."
    _write(ticket, "sendMsgTransfTicket", text)


def _write(ticket: Ticket, setting: str, text: str) -> None:
    """Write a notice as the server; a group, a closed window or a lost connection gets none."""
    from apps.tickets.services.messages import store_outgoing

    connection: Connection | None = ticket.connection
    if ticket.is_group or connection is None:
        return
    if settings_of(ticket.company_id)[setting] != "enabled":
        return
    if not is_window_open(ticket, connection):
        return
    now = timezone.now().astimezone(zone_of(ticket.company_id))
    values = variables_for(name=ticket.contact.name, protocol=protocol_of(ticket), now=now)
    body = f"{AUTOMATIC_HEADING}\n{render(text, values)}"
    store_outgoing(
        Message(body=body),
        ticket=ticket,
        connection=connection,
        user=None,
        source=MessageSource.BOT,
    )


def protocol_of(ticket: Ticket) -> str:
    """Return the ticket's protocol number: the day it was opened and its id, for ever the same."""
    return f"{ticket.created_at:%Y%m%d}{ticket.pk:06d}"
