"""Events of a connection are handled before the connection is deleted (rules/connections §6)."""

import time

from apps.common.errors import DomainError
from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from apps.inbound.services.processing import process_of

PATIENCE_SECONDS = 10.0
PAUSE_SECONDS = 0.1
BATCH = 50


class EventsWaiting(DomainError):
    """Stored messages of the connection are in no conversation yet."""

    status = 409
    code = "ERR_CONNECTION_BUSY"
    message = "Ainda há mensagens chegando por esta conexão. Tente de novo em alguns instantes."


def handle_waiting(connection: Connection) -> None:
    """Handle the pending events of a connection, while workers may do the same; raises
    EventsWaiting.

    A phone history that is still arriving is deleted with the connection. Never call it inside a
    transaction.
    """
    until = time.monotonic() + PATIENCE_SECONDS
    while _is_waiting(connection):
        if time.monotonic() > until:
            raise EventsWaiting
        if not process_of(connection, limit=BATCH):
            time.sleep(PAUSE_SECONDS)


def refuse_waiting(connection: Connection) -> None:
    """Raise EventsWaiting if events arrived meanwhile; the caller holds the lock of the
    connection's row.
    """
    if _is_waiting(connection):
        raise EventsWaiting


def _is_waiting(connection: Connection) -> bool:
    waiting = InboundEvent.objects.filter(connection=connection).exclude(kind="history")
    return waiting.unfinished().exists()
