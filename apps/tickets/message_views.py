"""Calls about messages: parse, ask one query or service, respond."""

from typing import Any, cast

import orjson
from django.http import QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema,
)
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.accounts.models import User
from apps.common.paging import page_number
from apps.common.serializers import query_values
from apps.tickets.models import Message, Ticket
from apps.tickets.queries import (
    conversation_for,
    quotable_message,
    readable_message,
    readable_ticket,
)
from apps.tickets.queries.finding import found_in_conversation
from apps.tickets.serializers import (
    event_row,
    message_row,
    message_rows_of,
    ticket_row,
)
from apps.tickets.serializers.changes import (
    ForwardedSerializer,
    ForwardSerializer,
    FoundMessagesSerializer,
    MessageEditSerializer,
    MessageSearchQuerySerializer,
    ReactionCreateSerializer,
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
)
from apps.tickets.services.changes import delete_message, edit_message, react_to_message
from apps.tickets.services.forwarding import forward_message
from apps.tickets.services.messages import resend, send_media, send_text
from apps.tickets.services.reading import read_ticket
from apps.tickets.services.stored_media import names_stored_media, send_stored_media

MESSAGE_ID = OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Message.")


def _user(request: Request) -> User:
    return cast("User", request.user)


MESSAGE_OR_TICKET_ID = OpenApiParameter(
    "id",
    OpenApiTypes.INT,
    OpenApiParameter.PATH,
    description="The ticket to read or write; the message to edit or delete.",
)


class MessagesView(APIView):
    """A conversation: GET and POST name the ticket, PUT and DELETE the message (spec. 1 §7)."""

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
            "around_id": asked.get("around_id"),
        }
        page = conversation_for(_user(request), ticket, number=number, **cursor)
        return Response(
            {
                "messages": message_rows_of(page.message_ids),
                "count": page.count,
                "hasMore": page.has_more,
                "hasNewer": page.has_newer,
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
                    quoted=_quoted(request, ticket, text.validated_data),
                )
                return Response(message_row(message), status=201)
            message = send_text(
                ticket=ticket,
                user=_user(request),
                body=text.validated_data["body"],
                quoted=_quoted(request, ticket, text.validated_data),
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
            quoted=_quoted(request, ticket, media.validated_data),
            client_id=media.validated_data.get("client_id"),
        )
        return Response({"messages": [message_row(message) for message in messages]}, status=201)

    @extend_schema(
        operation_id="messages_update",
        parameters=[MESSAGE_OR_TICKET_ID],
        request=MessageEditSerializer,
        responses=MessageSerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Change the text of a message of one's own."""
        message = readable_message(_user(request), int(id))
        edit = MessageEditSerializer(data=request.data)
        edit.is_valid(raise_exception=True)
        body = edit.validated_data["body"]
        return Response(message_row(edit_message(message=message, user=_user(request), body=body)))

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
        parameters=[MESSAGE_ID],
        request=None,
        responses=MessageSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Send a failed message again, as the same row."""
        message = readable_message(_user(request), int(id))
        return Response(message_row(resend(message=message, user=_user(request))))


class MessageSearchView(APIView):
    """The messages of a conversation that hold a text."""

    @extend_schema(
        operation_id="messages_search",
        parameters=[
            OpenApiParameter("id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Ticket."),
            MessageSearchQuerySerializer,
        ],
        responses=FoundMessagesSerializer,
    )
    def get(self, request: Request, id: str) -> Response:
        """Return a page of them, newest first; nothing counts as read by it."""
        asked = query_values(MessageSearchQuerySerializer, request.query_params)
        number = page_number(request)
        ticket = readable_ticket(_user(request), pk=int(id))
        found = found_in_conversation(_user(request), ticket, asked.get("search", ""), number)
        return Response(found.body("messages", message_rows_of(found.rows)))


class ReactionView(APIView):
    """Our side's emoji on a message."""

    @extend_schema(
        operation_id="messages_react",
        parameters=[MESSAGE_ID],
        request=ReactionCreateSerializer,
        responses=MessageSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Put it there, change it or, with an empty one, take it back."""
        message = readable_message(_user(request), int(id))
        reaction = ReactionCreateSerializer(data=request.data)
        reaction.is_valid(raise_exception=True)
        emoji = reaction.validated_data["emoji"]
        return Response(
            message_row(react_to_message(message=message, user=_user(request), emoji=emoji))
        )


class ForwardView(APIView):
    """The same message to other contacts."""

    @extend_schema(
        operation_id="messages_forward",
        parameters=[MESSAGE_ID],
        request=ForwardSerializer,
        responses=ForwardedSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Forward it; what stands against single contacts is `refused`, the others get it."""
        message = readable_message(_user(request), int(id))
        wanted = ForwardSerializer(data=request.data)
        wanted.is_valid(raise_exception=True)
        done = forward_message(message=message, user=_user(request), **wanted.validated_data)
        refused = [
            {"contactId": pk, "name": name, "code": error.code, "message": error.sentence}
            for pk, name, error in done.refused
        ]
        rows = message_rows_of([each.pk for each in done.messages])
        return Response({"messages": rows, "refused": refused})


def _files(request: Request) -> list[Any]:
    names = ("medias", "medias[]")
    return [file for name in names for file in request.FILES.getlist(name)]


def _quoted_in_form(data: QueryDict) -> dict[str, Any]:
    # A form carries the quoted message as JSON text.
    try:
        return {"quotedMsg": orjson.loads(data.get("quotedMsg") or "null")}
    except orjson.JSONDecodeError:
        return {"quotedMsg": "?"}


def _quoted(request: Request, ticket: Ticket, data: dict[str, Any]) -> Message | None:
    if not data.get("quoted"):
        return None
    return quotable_message(_user(request), ticket, data["quoted"]["id"])
