"""How a number is (rules/connections §11)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of
from apps.connections.services import connection_for, refresh_figures
from apps.tickets.queries.health import health_of
from apps.tickets.serializers.health import HealthSerializer, health_row


class ConnectionHealthView(APIView):
    """A number's last messages, failures and waiting sends, and what Meta says of it."""

    @extend_schema(operation_id="showConnectionHealth", responses=HealthSerializer)
    def get(self, request: Request, connection_id: int) -> Response:
        """Show it from what is known here."""
        connection = connection_for(company_id=caller_of(request).company_id, pk=connection_id)
        return Response(health_row(health_of(connection)))

    @extend_schema(operation_id="refreshConnectionHealth", request=None, responses=HealthSerializer)
    def post(self, request: Request, connection_id: int) -> Response:
        """Ask Meta first for the quality and the limit of an official number."""
        connection = connection_for(company_id=caller_of(request).company_id, pk=connection_id)
        return Response(health_row(health_of(refresh_figures(connection))))
