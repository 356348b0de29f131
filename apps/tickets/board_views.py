"""The call of the kanban board (specification 4 §4.4)."""

from typing import cast

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.common.paging import page_number
from apps.tickets.models import Ticket
from apps.tickets.queries.board import board_for
from apps.tickets.queries.inbox import ORDER, PAGE_SIZE, InboxFilters
from apps.tickets.serializers import ticket_rows
from apps.tickets.serializers.requests import BoardFiltersSerializer, BoardQuerySerializer
from apps.tickets.serializers.tickets import TicketPageSerializer


class BoardView(APIView):
    """Open and pending tickets, which the browser sorts into lanes."""

    @extend_schema(
        operation_id="ticket_kanban_list",
        parameters=[BoardQuerySerializer],
        responses=TicketPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return a page of the board, or of the one lane that `laneId` names."""
        serializer = BoardFiltersSerializer(data=request.query_params)
        serializer.is_valid(raise_exception=True)
        filters = dict(serializer.validated_data)
        lane_id = filters.pop("lane_id", None)
        board = board_for(cast(User, request.user), InboxFilters(**filters), lane_id=lane_id)
        start = (page_number(request) - 1) * PAGE_SIZE
        ids = list(board.tickets.values_list("pk", flat=True)[start : start + PAGE_SIZE + 1])
        page = Ticket.objects.filter(pk__in=ids[:PAGE_SIZE]).order_by(*ORDER)
        return Response(
            {
                "tickets": ticket_rows(page),
                "count": board.count(start, len(ids)),
                "hasMore": len(ids) > PAGE_SIZE,
            }
        )
