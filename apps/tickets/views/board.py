"""The call of the kanban board (rules/tickets §10)."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.billing.services import check_feature
from apps.common.callers import caller_of
from apps.common.paging import page_number
from apps.common.reads import hot
from apps.common.renderers import answered
from apps.common.serializers import query_values
from apps.tickets.queries.board import board_for
from apps.tickets.queries.inbox import PAGE_SIZE, InboxFilters
from apps.tickets.serializers import ticket_rows_of
from apps.tickets.serializers.requests import BoardFiltersSerializer, BoardQuerySerializer
from apps.tickets.serializers.tickets import TicketPageSerializer


class BoardView(APIView):
    """Open and pending tickets, which the browser sorts into lanes."""

    @extend_schema(
        operation_id="ticket_kanban_list",
        parameters=[BoardQuerySerializer],
        responses=TicketPageSerializer,
    )
    @hot
    def get(self, request: Request) -> HttpResponse:
        """Return a page of the board, or of the one lane that `laneId` names.

        403 with `ERR_PLAN_FEATURE` when the company's plan has no board.
        """
        user = caller_of(request)
        check_feature(user.company.plan, "kanban")
        filters = query_values(BoardFiltersSerializer, request.query_params)
        lane_id = filters.pop("lane_id", None)
        board = board_for(user, InboxFilters(**filters), lane_id=lane_id)
        start = (page_number(request) - 1) * PAGE_SIZE
        ids = board.page(start)
        return answered(
            {
                "tickets": ticket_rows_of(ids[:PAGE_SIZE]),
                "count": board.count(start, len(ids)),
                "hasMore": len(ids) > PAGE_SIZE,
            }
        )
