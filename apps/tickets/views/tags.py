"""Calls about the tags of a ticket (rules/tickets §10)."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.serializers import MAX_ID, body_values
from apps.contacts.services.tags import TagNotFound
from apps.tickets.queries.access import TicketNotFound
from apps.tickets.queries.board import NO_LANE
from apps.tickets.serializers import ticket_row
from apps.tickets.serializers.requests import TagsSyncSerializer
from apps.tickets.serializers.tickets import TicketSerializer
from apps.tickets.services.tickets.tagging import add_tag, leave_lane, sync_tags

TICKET_ID = OpenApiParameter("ticket_id", OpenApiTypes.INT, OpenApiParameter.PATH)
TAG_ID = OpenApiParameter("tag_id", OpenApiTypes.INT, OpenApiParameter.PATH)


def _ticket_id(text: str) -> int:
    if int(text) > MAX_ID:
        raise TicketNotFound
    return int(text)


class TicketTagViewSet(ViewSet):
    """The tags of a ticket, including the one of its lane."""

    @extend_schema(
        operation_id="ticket_tags_update",
        parameters=[TICKET_ID, TAG_ID],
        request=None,
        responses=TicketSerializer,
    )
    def add(self, request: Request, ticket_id: str, tag_id: str) -> Response:
        """Tag a ticket; a kanban tag moves it into that lane. Returns the ticket.

        The tag 0 is the lane of tickets without a kanban tag, which older boards call `lane0`.
        """
        tag = int(tag_id.removeprefix("lane"))
        if tag > MAX_ID:
            raise TagNotFound
        user, ticket_pk = caller_of(request), _ticket_id(ticket_id)
        if tag == NO_LANE:
            ticket = leave_lane(user=user, ticket_id=ticket_pk)
        else:
            ticket = add_tag(user=user, ticket_id=ticket_pk, tag_id=tag)
        return Response(ticket_row(ticket))

    @extend_schema(
        operation_id="ticket_tags_destroy",
        parameters=[TICKET_ID],
        responses=TicketSerializer,
    )
    def leave_lane(self, request: Request, ticket_id: str) -> Response:
        """Remove a ticket's kanban tag; its other tags stay. Returns the ticket."""
        ticket = leave_lane(user=caller_of(request), ticket_id=_ticket_id(ticket_id))
        return Response(ticket_row(ticket))

    @extend_schema(operation_id="tags_sync", request=TagsSyncSerializer, responses=TicketSerializer)
    def sync(self, request: Request) -> Response:
        """Replace all tags of a ticket. Returns the ticket."""
        fields = body_values(TagsSyncSerializer, request.data)
        ticket = sync_tags(user=caller_of(request), **fields)
        return Response(ticket_row(ticket))
