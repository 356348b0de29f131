"""Calls that decide a ticket's place in the lists (rules/tickets §17)."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.serializers import body_values
from apps.tickets.serializers import ticket_row
from apps.tickets.serializers.places import PrioritySerializer
from apps.tickets.serializers.tickets import TicketSerializer
from apps.tickets.services.tickets.priorities import set_priority

TICKET_ID = OpenApiParameter(
    "id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Id of the ticket."
)


class TicketPlaceViewSet(ViewSet):
    """The priority of a ticket."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="setPriority",
        parameters=[TICKET_ID],
        request=PrioritySerializer,
        responses=TicketSerializer,
    )
    @action(detail=True, methods=["put"])
    def priority(self, request: Request, id: str) -> Response:
        """Give a ticket a priority. Returns the ticket."""
        fields = body_values(PrioritySerializer, request.data)
        ticket = set_priority(user=caller_of(request), ticket_id=int(id), **fields)
        return Response(ticket.told or ticket_row(ticket))
