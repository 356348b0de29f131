"""Trying a connection (rules/connections §13)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.common.callers import caller_of, client_address
from apps.common.serializers import body_values
from apps.connections.services import connection_for
from apps.tickets.serializers import message_row
from apps.tickets.serializers.connection_tests import ConnectionTestSerializer
from apps.tickets.serializers.messages import MessageSerializer
from apps.tickets.services.messages.connection_tests import send_test
from apps.tickets.services.messages.templates import TemplateChoice


class ConnectionTestView(APIView):
    """A message that shows whether a connection sends."""

    @extend_schema(
        operation_id="testConnection",
        request=ConnectionTestSerializer,
        responses={201: MessageSerializer},
    )
    def post(self, request: Request, connection_id: int) -> Response:
        """Send a text, or a template with its own examples; answers the message as it is now."""
        caller = caller_of(request)
        connection = connection_for(company_id=caller.company_id, pk=connection_id)
        values = body_values(ConnectionTestSerializer, request.data)
        template = values.get("template")
        message = send_test(
            actor=caller,
            connection=connection,
            number=values["number"],
            body=values.get("body", ""),
            choice=TemplateChoice(**template) if template else None,
            client_id=values["client_id"],
            ip_address=client_address(request),
        )
        return Response(message_row(message), status=201)
