"""Realtime events of connections (specification 4 §11)."""

from apps.connections.models import Connection
from apps.connections.serializers import connection_row
from apps.realtime.emit import emit


def connection_updated(connection: Connection) -> None:
    """Tell the company that a connection was made or changed."""
    payload = {"action": "update", "whatsapp": connection_row(connection)}
    emit("whatsapp", payload, company_id=connection.company_id)


def connection_deleted(connection_id: int, company_id: int) -> None:
    """Tell the company that a connection is gone."""
    payload = {"action": "delete", "whatsappId": connection_id}
    emit("whatsapp", payload, company_id=company_id)


def session_updated(connection: Connection) -> None:
    """Tell the company that a connection's status moved."""
    payload = {"action": "update", "session": connection_row(connection)}
    emit("whatsappSession", payload, company_id=connection.company_id)
