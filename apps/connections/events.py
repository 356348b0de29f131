"""Realtime events of connections (rules/realtime §3)."""

from rest_framework import serializers

from apps.connections.models import Connection
from apps.connections.serializers import ConnectionSerializer, connection_row
from apps.realtime.emit import LiveEvent, emit

CONNECTION = LiveEvent(
    "whatsapp",
    update={"whatsapp": ConnectionSerializer()},
    delete={"whatsappId": serializers.IntegerField()},
)
SESSION = LiveEvent("whatsappSession", update={"session": ConnectionSerializer()})


def connection_updated(connection: Connection) -> None:
    """Tell the company that a connection was made or changed."""
    payload = {"whatsapp": connection_row(connection)}
    emit(CONNECTION, "update", payload, company_id=connection.company_id)


def connection_deleted(connection_id: int, company_id: int) -> None:
    """Tell the company that a connection is gone."""
    emit(CONNECTION, "delete", {"whatsappId": connection_id}, company_id=company_id)


def session_updated(connection: Connection) -> None:
    """Tell the company that a connection's status moved."""
    payload = {"session": connection_row(connection)}
    emit(SESSION, "update", payload, company_id=connection.company_id)
