"""Calls about tickets and messages: parse, ask one query or service, respond."""

from typing import Any, cast
from uuid import UUID

import orjson
from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema,
    extend_schema_view,
)
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSet

from apps.accounts.models import User
from apps.common.addresses import client_address
from apps.common.paging import page_number
from apps.common.serializers import SentenceSerializer, query_values
from apps.tickets.models import Message, Ticket
from apps.tickets.queries import (
    InboxFilters,
    conversation_for,
    inbox_counts,
    inbox_for,
    quotable_message,
    readable_message,
    readable_ticket,
)
from apps.tickets.queries.access import TicketNotFound
from apps.tickets.queries.inbox import PAGE_SIZE
from apps.tickets.serializers import (
    event_row,
    message_row,
    message_rows_of,
    ticket_row,
    ticket_rows_of,
)
from apps.tickets.serializers.messages import (
    MessagePageSerializer,
    MessageSerializer,
    SentMessagesSerializer,
)
from apps.tickets.serializers.requests import (
    MediaMessageCreateSerializer,
    MessageCreateSerializer,
    MessageListQuerySerializer,
    TicketCreateSerializer,
    TicketFiltersSerializer,
    TicketListQuerySerializer,
    TicketUpdateSerializer,
)
from apps.tickets.serializers.tickets import (
    TicketCountsSerializer,
    TicketPageSerializer,
    TicketSerializer,
)
from apps.tickets.services.messages import delete_message, resend, send_media, send_text
from apps.tickets.services.opening import open_ticket
from apps.tickets.services.reading import read_ticket
from apps.tickets.services.stored_media import names_stored_media, send_stored_media
from apps.tickets.services.tickets import delete_ticket, update_ticket
from apps.tickets.transitions import TicketChange

TICKET_ID = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Ticket.")


def _user(request: Request) -> User:
    return cast("User", request.user)


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
    """Tickets (specifications 1 §7, 2 §7, 4 §4)."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    def list(self, request: Request) -> Response:
        """Return a page of the inbox, newest first."""
        start = (page_number(request) - 1) * PAGE_SIZE
        inbox = inbox_for(_user(request), _filters(request))
        ids = inbox.page(start)
        return Response(
            {
                "tickets": ticket_rows_of(ids[:PAGE_SIZE]),
                "count": inbox.count(start, len(ids)),
                "hasMore": len(ids) > PAGE_SIZE,
            }
        )

    @action(detail=False, url_path="counts", url_name="counts")
    def counts(self, request: Request) -> Response:
        """Return how many open and pending tickets the same filters give."""
        return Response(inbox_counts(_user(request), _filters(request)))

    def create(self, request: Request) -> Response:
        """Open a ticket with a contact."""
        serializer = TicketCreateSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        ticket = open_ticket(user=_user(request), **serializer.validated_data)
        return Response(ticket_row(ticket), status=201)

    def retrieve(self, request: Request, id: str) -> Response:
        """Return a ticket that the caller may read."""
        return Response(ticket_row(readable_ticket(_user(request), pk=int(id))))

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
        return Response(ticket_row(readable_ticket(_user(request), uuid=wanted)))

    def update(self, request: Request, id: str) -> Response:
        """Accept, return, resolve, reopen, transfer or assign a ticket."""
        serializer = TicketUpdateSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        change = TicketChange.of(serializer.validated_data)
        ticket = update_ticket(user=_user(request), ticket_id=int(id), change=change)
        return Response(ticket_row(ticket))

    def destroy(self, request: Request, id: str) -> Response:
        """Delete a ticket with its messages."""
        delete_ticket(user=_user(request), ticket_id=int(id), ip_address=client_address(request))
        return Response({"message": "Atendimento excluído."})


MESSAGE_OR_TICKET_ID = OpenApiParameter(
    "id",
    OpenApiTypes.INT,
    OpenApiParameter.PATH,
    description="The ticket to read or write; the message to delete.",
)


class MessagesView(APIView):
    """A conversation: GET and POST name the ticket, DELETE the message (specification 1 §7)."""

    @extend_schema(
        operation_id="messages_list",
        parameters=[MESSAGE_OR_TICKET_ID, MessageListQuerySerializer],
        responses=MessagePageSerializer,
    )
    def get(self, request: Request, id: str) -> Response:
        """Return a page of a conversation; the holder has then read it."""
        asked = query_values(MessageListQuerySerializer, request.query_params)
        number = page_number(request)
        ticket = readable_ticket(_user(request), pk=int(id))
        read_ticket(ticket=ticket, user=_user(request))
        cursor = {
            "before_id": asked.get("before_id"),
            "after_id": asked.get("after_id"),
        }
        page = conversation_for(_user(request), ticket, number=number, **cursor)
        return Response(
            {
                "messages": message_rows_of(page.message_ids),
                "count": page.count,
                "hasMore": page.has_more,
                "ticket": ticket_row(ticket),
                "events": [event_row(event) for event in reversed(page.events)],
            }
        )

    @extend_schema(
        operation_id="messages_create",
        parameters=[MESSAGE_OR_TICKET_ID],
        request={
            "application/json": MessageCreateSerializer,
            "multipart/form-data": MediaMessageCreateSerializer,
        },
        responses={
            201: PolymorphicProxySerializer(
                component_name="MessageSent",
                serializers=[MessageSerializer, SentMessagesSerializer],
                resource_type_field_name=None,
            )
        },
    )
    def post(self, request: Request, id: str) -> Response:
        """Send a text or a stored file, answered bare, or files, answered as `messages`."""
        ticket = readable_ticket(_user(request), pk=int(id))
        files = _files(request)
        data: Any = request.data
        if isinstance(data, QueryDict):
            captions = data.getlist("body")
            data = {**{key: data.get(key) for key in data}, **_quoted_in_form(data)}
            if files:
                data["body"] = captions
        if not files:
            text = MessageCreateSerializer(data=data)
            text.is_valid(raise_exception=True)
            if names_stored_media(text.validated_data):
                message = send_stored_media(
                    ticket=ticket,
                    user=_user(request),
                    data=text.validated_data,
                    quoted=_quoted(ticket, text.validated_data),
                )
                return Response(message_row(message), status=201)
            message = send_text(
                ticket=ticket,
                user=_user(request),
                body=text.validated_data["body"],
                quoted=_quoted(ticket, text.validated_data),
                client_id=text.validated_data.get("client_id"),
            )
            return Response(message_row(message), status=201)
        media = MediaMessageCreateSerializer(data={**data, "medias": files})
        media.is_valid(raise_exception=True)
        messages = send_media(
            ticket=ticket,
            user=_user(request),
            files=media.validated_data["medias"],
            captions=media.validated_data.get("body", []),
            quoted=_quoted(ticket, media.validated_data),
            client_id=media.validated_data.get("client_id"),
        )
        return Response({"messages": [message_row(message) for message in messages]}, status=201)

    @extend_schema(
        operation_id="messages_destroy",
        parameters=[MESSAGE_OR_TICKET_ID],
        responses=MessageSerializer,
    )
    def delete(self, request: Request, id: str) -> Response:
        """Take a sent message back; the row stays, marked."""
        message = readable_message(_user(request), int(id))
        return Response(message_row(delete_message(message=message, user=_user(request))))


class ResendView(APIView):
    """Another try for a message that failed."""

    @extend_schema(
        operation_id="messages_resend",
        parameters=[OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH)],
        request=None,
        responses=MessageSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Send a failed message again, as the same row."""
        message = readable_message(_user(request), int(id))
        return Response(message_row(resend(message=message, user=_user(request))))


def _files(request: Request) -> list[Any]:
    names = ("medias", "medias[]")
    return [file for name in names for file in request.FILES.getlist(name)]


def _quoted_in_form(data: QueryDict) -> dict[str, Any]:
    # A form carries the quoted message as JSON text.
    try:
        return {"quotedMsg": orjson.loads(data.get("quotedMsg") or "null")}
    except orjson.JSONDecodeError:
        return {"quotedMsg": "?"}


def _quoted(ticket: Ticket, data: dict[str, Any]) -> Message | None:
    return quotable_message(ticket, data["quoted"]["id"]) if data.get("quoted") else None
