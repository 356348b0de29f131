"""Utility texts: what a person writes outside the 24-hour window without a template.

The rules are rules/messages §12; what an account may: rules/connections §17.
"""

from collections.abc import Sequence

from apps.accounts.models import User
from apps.common.errors import DomainError
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection, DirectSend
from apps.connections.queries import direct_send_of
from apps.connections.services import note_direct_send
from apps.tickets.models import Ack, Message, Ticket
from apps.tickets.services.window import is_window_open


class NoUtilityTexts(DomainError):
    """The connection, or who writes, has no utility texts."""

    status = 409
    code = "ERR_NO_UTILITY_TEXTS"
    message = (
        "Mensagens de utilidade sem modelo são só para pessoas da equipe, em conversas de um número"
        " da API oficial."
    )


class WindowOpen(DomainError):
    """A text with a category is for a closed window."""

    status = 409
    code = "ERR_WINDOW_OPEN"
    message = "O contato escreveu há menos de 24 horas. Envie a mensagem sem categoria."


class UtilityTextsRefused(DomainError):
    """Meta refuses the account's utility texts for now."""

    status = 409
    code = "ERR_UTILITY_TEXTS_REFUSED"
    message = (
        "A Meta não aceita por enquanto mensagens de utilidade sem modelo desta conta. Use um"
        " modelo."
    )


def check_utility_text(ticket: Ticket, connection: Connection, user: User) -> None:
    """Raise unless a utility text may be tried: NoUtilityTexts, WindowOpen, UtilityTextsRefused."""
    has_window = capabilities_of_kind(connection.provider).session_window
    if not has_window or ticket.is_group or user.person is None:
        raise NoUtilityTexts
    if is_window_open(ticket, connection):
        raise WindowOpen
    if direct_send_of(connection) == DirectSend.MAY_NOT:
        raise UtilityTextsRefused


def note_answers(messages: Sequence[Message]) -> None:
    """Keep what Meta's answers to utility texts tell of their accounts."""
    for message in messages:
        if message.is_utility_text and message.connection_id is not None:
            reason_code = message.reason_code or message.error_code
            is_refused = message.ack == Ack.ERROR
            if not is_refused:
                note_direct_send(message.connection_id, reason_code="")
            elif reason_code:
                note_direct_send(message.connection_id, reason_code=reason_code)
