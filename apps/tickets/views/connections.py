"""The health of a number, and its test (rules/connections §11 and §13)."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of, client_address
from apps.common.serializers import body_values, row_of
from apps.connections.models import Connection
from apps.connections.queries import portfolio_of
from apps.connections.services import connection_for, refresh_figures
from apps.tickets.queries.health import health_of
from apps.tickets.serializers import message_row
from apps.tickets.serializers.connection_tests import ConnectionTestSerializer
from apps.tickets.serializers.health import HealthSerializer
from apps.tickets.serializers.messages import MessageSerializer
from apps.tickets.services.messages.connection_tests import send_test
from apps.tickets.services.messages.templates import TemplateChoice
from apps.tickets.services.outbox import use_of


class ConnectionTrafficViewSet(ViewSet):
    """The health of a connection, and test messages."""

    lookup_url_kwarg = "connection_id"
    lookup_value_regex = r"\d+"

    @extend_schema(operation_id="showConnectionHealth", responses=HealthSerializer)
    @action(detail=True)
    def health(self, request: Request, connection_id: int) -> Response:
        """Return the health of a connection from stored data."""
        connection = _connection(request, connection_id)
        return Response(_health_row(connection))

    @extend_schema(operation_id="refreshConnectionHealth", request=None, responses=HealthSerializer)
    @health.mapping.post
    def refresh_health(self, request: Request, connection_id: int) -> Response:
        """Ask Meta for the quality and the limit of an official number, then return its health."""
        connection = refresh_figures(_connection(request, connection_id))
        return Response(_health_row(connection))

    @extend_schema(
        operation_id="testConnection",
        request=ConnectionTestSerializer,
        responses={201: MessageSerializer},
    )
    @action(detail=True, methods=["post"])
    def test(self, request: Request, connection_id: int) -> Response:
        """Send a test message: a text, or a template with its own examples.

        The response is the message in its present state.
        """
        connection = _connection(request, connection_id)
        values = body_values(ConnectionTestSerializer, request.data)
        template = values.get("template")
        message = send_test(
            actor=caller_of(request),
            connection=connection,
            number=values["number"],
            body=values.get("body", ""),
            choice=TemplateChoice(**template) if template else None,
            client_id=values["client_id"],
            ip_address=client_address(request),
        )
        return Response(message_row(message), status=201)


def _health_row(connection: Connection) -> dict[str, Any]:
    portfolio = portfolio_of(connection)
    use = use_of(portfolio) if portfolio is not None else None
    used = use.used + len(use.standing) if use is not None else None
    return row_of(HealthSerializer, health_of(connection, portfolio=portfolio, used=used))


def _connection(request: Request, connection_id: int) -> Connection:
    return connection_for(company_id=caller_of(request).company_id, pk=connection_id)
