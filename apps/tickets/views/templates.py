"""Calls about message templates (rules/messages §8)."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.models import User
from apps.common.callers import caller_of
from apps.common.serializers import body_values, query_values, rows_of
from apps.connections.models import Connection
from apps.connections.serializers.templates import TemplateSerializer
from apps.connections.services import (
    template_connection,
    templates_of,
    upload_template_media,
)
from apps.tickets.queries import readable_ticket
from apps.tickets.queries.access import TicketNotFound
from apps.tickets.serializers import message_row
from apps.tickets.serializers.messages import MessageSerializer
from apps.tickets.serializers.templates import (
    TemplateListQuerySerializer,
    TemplateListSerializer,
    TemplateMediaIdSerializer,
    TemplateMediaSerializer,
    TemplateSendSerializer,
)
from apps.tickets.services.messages.templates import TemplateChoice, send_template
from apps.tickets.services.outbox import NoConnection


class TemplateViewSet(ViewSet):
    """The templates of a number of the official API."""

    @extend_schema(
        operation_id="templates_list",
        parameters=[TemplateListQuerySerializer],
        responses=TemplateListSerializer,
    )
    def list(self, request: Request) -> Response:
        """Return all templates with their status; only approved ones can be sent."""
        asked = query_values(TemplateListQuerySerializer, request.query_params)
        connection = template_connection(
            user=caller_of(request), connection_id=asked.get("connection_id")
        )
        templates = templates_of(connection, refresh=asked.get("refresh", False))
        status = asked.get("status", "").upper()
        shown = [each for each in templates if status in ("", each.status)]
        rows = rows_of(TemplateSerializer, shown)
        return Response({"templates": rows, "count": len(rows), "hasMore": False})

    @extend_schema(
        operation_id="templates_upload_media",
        request={"multipart/form-data": TemplateMediaSerializer},
        responses={201: TemplateMediaIdSerializer},
    )
    def upload_media(self, request: Request) -> Response:
        """Upload the file to the provider; returns its id there, which is valid for 30 days.

        The number is that of the ticket `ticketId`, else `whatsappId`, else the default.
        """
        values = body_values(TemplateMediaSerializer, request.data)
        connection = _connection(caller_of(request), values)
        media = upload_template_media(
            connection=connection, file=values["file"], mime=values.get("type", "")
        )
        return Response({"id": media.media_id}, status=201)

    @extend_schema(
        operation_id="templates_send",
        parameters=[OpenApiParameter("ticket_id", OpenApiTypes.INT, OpenApiParameter.PATH)],
        request=TemplateSendSerializer,
        responses={201: MessageSerializer},
    )
    @action(detail=False, methods=["post"], url_path=r"(?P<ticket_id>\d+)", url_name="send")
    def send(self, request: Request, ticket_id: str) -> Response:
        """Send an approved template, also outside the 24-hour window; returns the message."""
        ticket = readable_ticket(caller_of(request), pk=int(ticket_id))
        fields = body_values(TemplateSendSerializer, request.data)
        message = send_template(
            ticket=ticket,
            user=caller_of(request),
            choice=TemplateChoice(**fields["choice"]),
            client_id=fields["client_id"],
        )
        return Response(message_row(message), status=201)


def _connection(user: User, values: dict[str, int | None]) -> Connection:
    ticket_id = values.get("ticket_id")
    if ticket_id is None:
        return template_connection(user=user, connection_id=values.get("connection_id"))
    try:
        ticket = readable_ticket(user, pk=ticket_id)
    except TicketNotFound as error:
        raise TicketNotFound(fields={"ticketId": [error.sentence]}) from None
    if ticket.connection is None:
        raise NoConnection
    return ticket.connection
