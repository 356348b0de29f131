"""Automatic texts: those of the company, and notices of transfers.

See rules/tickets §12 and rules/bot §8. A text that cannot be sent is left out, without an error.
"""

from apps.accounts.models import User
from apps.companies.queries import setting_of
from apps.connections.models import Connection
from apps.tickets.models import Message, MessageSource, Ticket
from apps.tickets.origins import Origin
from apps.tickets.owners import is_ours
from apps.tickets.services.outbox.content import texts_of
from apps.tickets.services.outbox.outgoing import AUTOMATIC_HEADING, write_message
from apps.tickets.services.outbox.variables import filled_in
from apps.tickets.services.window import is_window_open


def greet_accepted(*, ticket: Ticket, user: User) -> None:
    """Greet the contact of an accepted ticket when `sendGreetingAccepted` is on."""
    _announce(
        ticket,
        "sendGreetingAccepted",
        Origin.ACCEPTED,
        "{{ms}} {{firstName}}, aqui é " + user.name + ". Vou continuar o seu atendimento.",
    )


def tell_transferred(*, ticket: Ticket, queue_name: str | None, user_name: str | None) -> None:
    """Tell the contact about the new queue, user or both when `sendMsgTransfTicket` is on."""
    if queue_name and user_name:
        where = f"a fila *{queue_name}*, com *{user_name}*"
    elif queue_name:
        where = f"a fila *{queue_name}*"
    elif user_name:
        where = f"*{user_name}*"
    else:
        return
    text = f"Seu atendimento foi transferido para {where}. Em instantes continuamos por aqui."
    _announce(ticket, "sendMsgTransfTicket", Origin.TRANSFERRED, text)


def write_automatic_text(ticket: Ticket, text: str, origin: Origin) -> Message | None:
    """Write an automatic text to the contact of a locked ticket, with its variables filled in.

    Returns the message, the last one if the text needs several. Returns None without sending for an
    empty text, a group, a conversation that is not ours, a closed window, or without a connection.
    """
    if not text.strip() or ticket.is_group or not is_ours(ticket):
        return None
    connection: Connection | None = ticket.connection
    if connection is None or not is_window_open(ticket, connection):
        return None
    written = None
    for part in texts_of(filled_in(ticket, text)):
        written = write_message(
            part, ticket=ticket, user=None, source=MessageSource.BOT, origin=origin
        )
    return written


def _announce(ticket: Ticket, setting: str, origin: Origin, text: str) -> None:
    """Write an automatic text, marked as one, when the company's setting is on."""
    if setting_of(ticket.company_id, setting) == "enabled":
        write_automatic_text(ticket, f"{AUTOMATIC_HEADING}\n{text}", origin)
