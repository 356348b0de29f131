"""The 24-hour window in which an official number may send free text (rules/messages §4)."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from apps.common.errors import DomainError
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import Connection
from apps.tickets.models import Ticket
from apps.tickets.queries.inbox import WINDOW


class OutsideWindow(DomainError):
    """The contact has not written within 24 hours."""

    status = 409
    code = "ERR_OUTSIDE_24H_WINDOW"
    message = (
        "O contato não escreve há mais de 24 horas. Envie um modelo aprovado para retomar a"
        " conversa."
    )


def latest_inbound_at(*, company_id: int, contact_id: int, connection_id: int) -> datetime | None:
    """Return when the contact last wrote to the connection, on any ticket."""
    found: datetime | None = (
        Ticket.objects.for_company(company_id)
        .filter(contact_id=contact_id, connection_id=connection_id)
        .aggregate(latest=Max("last_inbound_at"))["latest"]
    )
    return found


def is_window_open(ticket: Ticket, connection: Connection) -> bool:
    """Tell whether free text may be sent; always True if the provider has no window."""
    if not capabilities_of_kind(connection.provider).session_window:
        return True
    since = timezone.now() - WINDOW
    if ticket.last_inbound_at is not None and ticket.last_inbound_at > since:
        return True
    latest = latest_inbound_at(
        company_id=ticket.company_id,
        contact_id=ticket.contact_id,
        connection_id=connection.pk,
    )
    return latest is not None and latest > since


def contacts_in_window(contacts: Collection[int], connection: Connection) -> set[int]:
    """Return the contacts to whom free text may be sent: `is_window_open` for many."""
    if not capabilities_of_kind(connection.provider).session_window:
        return set(contacts)
    tickets = Ticket.objects.for_company(connection.company_id).filter(
        contact__in=contacts,
        connection=connection,
        last_inbound_at__gt=timezone.now() - WINDOW,
    )
    return set(tickets.values_list("contact_id", flat=True))
