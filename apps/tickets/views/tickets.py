"""Calls about tickets: parse, ask one query or service, respond."""

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema,
    extend_schema_view,
)
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.billing.services import check_feature
from apps.common.callers import caller_of, client_address
from apps.common.paging import page_number
from apps.common.reads import hot
from apps.common.renderers import answered
from apps.common.serializers import SentenceSerializer, body_values, query_values, rows_of
from apps.tickets.queries import (
    InboxFilters,
    inbox_counts,
    inbox_for,
    readable_ticket,
)
from apps.tickets.queries.access import TicketNotFound
from apps.tickets.queries.board import board_for
from apps.tickets.queries.inbox import PAGE_SIZE
from apps.tickets.serializers import (
    ticket_row,
    ticket_rows_of,
    with_matches,
)
from apps.tickets.serializers.drafts import (
    DraftInputSerializer,
    DraftSerializer,
    DraftsSerializer,
    FollowInputSerializer,
    FollowsSerializer,
    WriterSerializer,
    WritersSerializer,
    follows_row,
)
from apps.tickets.serializers.requests import (
    BoardFiltersSerializer,
    BoardQuerySerializer,
    ThreadControlSerializer,
    TicketCreateSerializer,
    TicketFiltersSerializer,
    TicketListFiltersSerializer,
    TicketListQuerySerializer,
    TicketUpdateSerializer,
)
from apps.tickets.serializers.tickets import (
    TicketCountsSerializer,
    TicketPageSerializer,
    TicketSerializer,
)
from apps.tickets.services.tickets.control import control_thread
from apps.tickets.services.tickets.drafts import drafts_of, save_draft, writers_in
from apps.tickets.services.tickets.following import (
    answered_to,
    follow_ticket,
    followed_by,
    lasting_of,
    see_answer,
    unfollow_ticket,
)
from apps.tickets.services.tickets.opening import open_ticket
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import delete_ticket, update_ticket

TICKET_ID = OpenApiParameter(
    "id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Id of the ticket."
)


def _follows(request: Request) -> Response:
    user = caller_of(request)
    return Response(follows_row(followed_by(user), lasting_of(user), answered_to(user)))


def _filters(request: Request) -> InboxFilters:
    return InboxFilters(**query_values(TicketFiltersSerializer, request.query_params))


@extend_schema_view(
    list=extend_schema(parameters=[TicketListQuerySerializer], responses=TicketPageSerializer),
    counts=extend_schema(parameters=[TicketFiltersSerializer], responses=TicketCountsSerializer),
    create=extend_schema(request=TicketCreateSerializer, responses={201: TicketSerializer}),
    retrieve=extend_schema(parameters=[TICKET_ID], responses=TicketSerializer),
    by_uuid=extend_schema(
        parameters=[OpenApiParameter("uuid", OpenApiTypes.UUID, OpenApiParameter.PATH)],
        responses=TicketSerializer,
    ),
    update=extend_schema(
        parameters=[TICKET_ID], request=TicketUpdateSerializer, responses=TicketSerializer
    ),
    destroy=extend_schema(parameters=[TICKET_ID], responses=SentenceSerializer),
)
class TicketViewSet(ViewSet):
    """Tickets (rules/tickets §1 to §4)."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @hot
    def list(self, request: Request) -> HttpResponse:
        """Return a page of the inbox, newest first unless `order` says otherwise."""
        start = (page_number(request) - 1) * PAGE_SIZE
        filters = query_values(TicketListFiltersSerializer, request.query_params)
        inbox = inbox_for(caller_of(request), InboxFilters(**filters))
        ids = inbox.page(start)
        rows = ticket_rows_of(ids[:PAGE_SIZE])
        if inbox.found is not None:
            lines = inbox.found.lines(ids[:PAGE_SIZE])
            rows = with_matches(rows, lines, inbox.found.term)
        return answered(
            {
                "tickets": rows,
                "count": inbox.count(start, len(ids)),
                "hasMore": len(ids) > PAGE_SIZE,
            }
        )

    @extend_schema(
        operation_id="ticket_kanban_list",
        parameters=[BoardQuerySerializer],
        responses=TicketPageSerializer,
    )
    @hot
    def board(self, request: Request) -> HttpResponse:
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

    @action(detail=False)
    def counts(self, request: Request) -> Response:
        """Return how many open and pending tickets match the same filters."""
        return Response(inbox_counts(caller_of(request), _filters(request)))

    def create(self, request: Request) -> Response:
        """Open a ticket with a contact."""
        fields = body_values(TicketCreateSerializer, request.data)
        ticket = open_ticket(user=caller_of(request), **fields)
        return Response(ticket_row(ticket), status=201)

    @hot
    def retrieve(self, request: Request, id: str) -> HttpResponse:
        """Return a ticket that the caller may read."""
        return answered(ticket_row(readable_ticket(caller_of(request), pk=int(id))))

    @action(
        detail=False,
        url_path=r"u/(?P<uuid>[0-9a-fA-F-]{36})",
        url_name="by-uuid",
    )
    def by_uuid(self, request: Request, uuid: str) -> Response:
        """Return a ticket that the caller may read, by the uuid of its address."""
        try:
            wanted = UUID(uuid)
        except ValueError:
            raise TicketNotFound from None
        return Response(ticket_row(readable_ticket(caller_of(request), uuid=wanted)))

    @extend_schema(operation_id="listDrafts", responses=DraftsSerializer)
    @action(detail=False)
    def drafts(self, request: Request) -> Response:
        """Return what the caller has typed in conversations and not sent."""
        rows = rows_of(DraftSerializer, drafts_of(caller_of(request)))
        return Response({"drafts": rows})

    @extend_schema(
        operation_id="saveDraft",
        parameters=[TICKET_ID],
        request=DraftInputSerializer,
        responses={204: None},
    )
    @action(detail=True, methods=["put"])
    def draft(self, request: Request, id: str) -> Response:
        """Keep what the caller has typed in a conversation, as a message or a note."""
        typed = body_values(DraftInputSerializer, request.data)
        save_draft(user=caller_of(request), ticket_id=int(id), **typed)
        return Response(status=204)

    @extend_schema(operation_id="listWriters", parameters=[TICKET_ID], responses=WritersSerializer)
    @action(detail=True)
    def writers(self, request: Request, id: str) -> Response:
        """Return who else is writing in a conversation, and what."""
        rows = rows_of(WriterSerializer, writers_in(caller_of(request), int(id)))
        return Response({"writers": rows})

    @extend_schema(operation_id="listFollows", responses=FollowsSerializer)
    @action(detail=False)
    def follows(self, request: Request) -> Response:
        """Return the tickets for whose contact the caller waits, and who has written since."""
        return _follows(request)

    @extend_schema(
        operation_id="followTicket",
        parameters=[TICKET_ID],
        request=FollowInputSerializer,
        responses=FollowsSerializer,
    )
    @action(detail=True, methods=["put"])
    def follow(self, request: Request, id: str) -> Response:
        """Tell the caller when the ticket's contact writes again, or of all that happens in it."""
        fields = body_values(FollowInputSerializer, request.data)
        follow_ticket(user=caller_of(request), ticket_id=int(id), **fields)
        return _follows(request)

    @extend_schema(
        operation_id="seeAnswer",
        parameters=[TICKET_ID],
        request=None,
        responses=FollowsSerializer,
    )
    @action(detail=True, methods=["put"], url_path="follow/seen", url_name="follow-seen")
    def see_answer(self, request: Request, id: str) -> Response:
        """Note that the caller has opened the conversation of an awaited message."""
        see_answer(user=caller_of(request), ticket_id=int(id))
        return _follows(request)

    @extend_schema(
        operation_id="unfollowTicket", parameters=[TICKET_ID], responses=FollowsSerializer
    )
    @follow.mapping.delete
    def unfollow(self, request: Request, id: str) -> Response:
        """Wait for the ticket's contact no longer, or know what came in the ticket."""
        unfollow_ticket(user=caller_of(request), ticket_id=int(id))
        return _follows(request)

    @extend_schema(
        operation_id="controlThread",
        parameters=[TICKET_ID],
        request=ThreadControlSerializer,
        responses=TicketSerializer,
    )
    @action(detail=True, methods=["post"], url_path="thread-control", url_name="thread-control")
    def thread_control(self, request: Request, id: str) -> Response:
        """Take the conversation from another responder of the number, or give it back.

        409 with `ERR_NO_THREAD_CONTROL` on a QR connection; 424 with
        `ERR_THREAD_CONTROL_REFUSED` and Meta's reason when Meta refuses.
        """
        asked = body_values(ThreadControlSerializer, request.data)["action"]
        ticket = control_thread(user=caller_of(request), ticket_id=int(id), action=asked)
        return Response(ticket.told or ticket_row(ticket))

    def update(self, request: Request, id: str) -> Response:
        """Accept, return, resolve, reopen, transfer or assign a ticket."""
        fields = body_values(TicketUpdateSerializer, request.data)
        change = TicketChange.of(fields)
        ticket = update_ticket(user=caller_of(request), ticket_id=int(id), change=change)
        return Response(ticket.told or ticket_row(ticket))

    def destroy(self, request: Request, id: str) -> Response:
        """Delete a ticket with its messages."""
        delete_ticket(
            user=caller_of(request), ticket_id=int(id), ip_address=client_address(request)
        )
        return Response({"message": "Atendimento excluído."})
