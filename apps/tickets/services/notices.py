"""What the server itself writes: texts of the company, and notices when a ticket changes hands.

Specification 4 §3.5 and §3.6. Where a text can't go there is none, never an error.
"""

from django.utils import timezone

from apps.accounts.models import User
from apps.automation.clients.pieces import pieces
from apps.companies.queries import setting_of, zone_of
from apps.connections.models import Connection
from apps.tickets.models import Message, MessageSource, Ticket
from apps.tickets.services.window import is_window_open
from apps.tickets.variables import render, variables_for

# Older browsers begin their own greeting with the same words.
AUTOMATIC_HEADING = "*Mensagem Automática:*"


def greet_accepted(*, ticket: Ticket, user: User) -> None:
    """Greet the contact of an accepted ticket when `sendGreetingAccepted` is on."""
    _announce(
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
    _announce(ticket, "sendMsgTransfTicket", text)


def write_notice(ticket: Ticket, text: str) -> Message | None:
    """Write a text to the contact of a locked ticket as the server, its variables filled in.

    Nothing and None where it can't go: an empty text, a group, a closed window, no connection. A
    text too long for one message goes in several; returns the last.
    """
    from apps.tickets.services.messages import store_outgoing

    connection: Connection | None = ticket.connection
    if not text.strip() or ticket.is_group or connection is None:
        return None
    if not is_window_open(ticket, connection):
        return None
    written = None
    for part in pieces(filled_in(ticket, text)):
        written = store_outgoing(
            Message(body=part),
            ticket=ticket,
            connection=connection,
            user=None,
            source=MessageSource.BOT,
        )
    return written


def filled_in(ticket: Ticket, text: str) -> str:
    """Return a text of ours with its variables filled in for the ticket's contact, as of now."""
    now = timezone.now().astimezone(zone_of(ticket.company_id))
    return render(
        text, variables_for(name=ticket.contact.name, protocol=protocol_of(ticket), now=now)
    )


def _announce(ticket: Ticket, setting: str, text: str) -> None:
    """Write an automatic text, marked as one, when the company's setting is on."""
    if setting_of(ticket.company_id, setting) == "enabled":
        write_notice(ticket, f"{AUTOMATIC_HEADING}\n{text}")


def protocol_of(ticket: Ticket) -> str:
    """Return the ticket's protocol number: the day it was opened and its id, for ever the same."""
    return f"{ticket.created_at:%Y%m%d}{ticket.pk:06d}"
