"""Calls that decide a ticket's place in the lists (rules/tickets §17 and §18)."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.serializers import body_values
from apps.companies.queries import zone_of
from apps.tickets.serializers import ticket_row
from apps.tickets.serializers.places import PrioritySerializer, SnoozeSerializer
from apps.tickets.serializers.tickets import TicketSerializer
from apps.tickets.services.tickets.priorities import set_priority
from apps.tickets.services.tickets.snoozing import snooze_ticket, wake_by_hand

TICKET_ID = OpenApiParameter(
    "id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Id of the ticket."
)


class TicketPlaceViewSet(ViewSet):
    """The priority of a ticket, and until when it is put aside."""

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

    @extend_schema(
        operation_id="snoozeTicket",
        parameters=[TICKET_ID],
        request=SnoozeSerializer,
        responses=TicketSerializer,
    )
    @action(detail=True, methods=["put"])
    def snooze(self, request: Request, id: str) -> Response:
        """Put a ticket aside until a moment, or until the contact writes. Returns the ticket.

        409 with `ERR_TICKET_NOT_OPEN` for a closed one.
        """
        user = caller_of(request)
        fields = body_values(SnoozeSerializer, request.data, zone=zone_of(user.company_id))
        ticket = snooze_ticket(user=user, ticket_id=int(id), **fields)
        return Response(ticket.told or ticket_row(ticket))

    @extend_schema(operation_id="wakeTicket", parameters=[TICKET_ID], responses=TicketSerializer)
    @snooze.mapping.delete
    def wake(self, request: Request, id: str) -> Response:
        """End a ticket's snooze. Returns the ticket."""
        ticket = wake_by_hand(user=caller_of(request), ticket_id=int(id))
        return Response(ticket.told or ticket_row(ticket))
