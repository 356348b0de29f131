"""Checks of whether a number is on WhatsApp, by a connected QR session (rules/contacts §1)."""

import logging
from collections.abc import Sequence

from apps.common.errors import DomainError
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import KnownNumber
from apps.connections.services import provider_for

logger = logging.getLogger(__name__)


class NumberNotOnWhatsApp(DomainError):
    """The number has no WhatsApp account."""

    code = "ERR_WAPP_INVALID_CONTACT"
    message = "Este número não está no WhatsApp. Confira o código do país e o DDD."


def ask_whatsapp(
    *, company_id: int, numbers: Sequence[str], connection: Connection | None = None
) -> dict[str, KnownNumber | None] | None:
    """Return the number and LID of each number at WhatsApp, None for numbers without an account.

    It asks the given connection, else any connected QR session of the company. Returns None if
    there is none or it does not answer. It waits for the network: never call it inside a
    transaction.
    """
    sessions = Connection.objects.for_company(company_id).filter(
        provider=ProviderKind.BETA, status=ConnectionStatus.CONNECTED
    )
    if connection is not None:
        sessions = sessions.filter(pk=connection.pk)
    session = sessions.order_by("-is_default", "pk").first()
    if session is None:
        return None
    try:
        return provider_for(session).check_numbers(numbers)
    except ProviderError as error:
        logger.info("A number was not checked: %s", error.code)
        return None


def require_on_whatsapp(
    *, company_id: int, number: str, field: str, connection: Connection | None = None
) -> KnownNumber | None:
    """Return the number and LID of a number at WhatsApp; raises NumberNotOnWhatsApp for the field.

    Returns None, which accepts the number, if no session can be asked. Otherwise as `ask_whatsapp`.
    """
    if not number.isdecimal():
        return None
    answer = ask_whatsapp(company_id=company_id, numbers=[number], connection=connection)
    if answer is None:
        return None
    known = answer[number]
    if known is None:
        raise NumberNotOnWhatsApp(fields={field: [NumberNotOnWhatsApp.message]})
    return known
