"""Realtime events of connections (rules/realtime §3)."""

from rest_framework import serializers

from apps.common.serializers import row_of
from apps.connections.models import Connection
from apps.connections.serializers.connections import ConnectionSerializer
from apps.connections.serializers.templates import TemplateChange, TemplateChangeSerializer
from apps.realtime.emit import LiveEvent, emit

CONNECTION = LiveEvent(
    "whatsapp",
    update={"whatsapp": ConnectionSerializer()},
    delete={"whatsappId": serializers.IntegerField()},
)
SESSION = LiveEvent("whatsappSession", update={"session": ConnectionSerializer()})
TEMPLATE = LiveEvent("template", update={"template": TemplateChangeSerializer()})


def connection_updated(connection: Connection) -> None:
    """Tell the company that a connection was made or changed."""
    payload = {"whatsapp": row_of(ConnectionSerializer, connection)}
    emit(CONNECTION, "update", payload, company_id=connection.company_id)


def connection_deleted(connection_id: int, company_id: int) -> None:
    """Tell the company that a connection is gone."""
    emit(CONNECTION, "delete", {"whatsappId": connection_id}, company_id=company_id)


def session_updated(connection: Connection) -> None:
    """Tell the company that a connection's status moved."""
    payload = {"session": row_of(ConnectionSerializer, connection)}
    emit(SESSION, "update", payload, company_id=connection.company_id)


def template_changed(
    *,
    company_id: int,
    name: str,
    language: str,
    change: TemplateChange,
    value: str = "",
    reason: str = "",
) -> None:
    """Tell the company to reload its templates, and why."""
    row = {
        "name": name,
        "language": language,
        "change": change,
        "value": value,
        "reason": reason,
    }
    emit(TEMPLATE, "update", {"template": row}, company_id=company_id)
