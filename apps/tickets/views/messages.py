"""Calls about messages: parse, ask one query or service, respond."""

from typing import Any

import orjson
from django.http import HttpResponse, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema,
)
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common.callers import caller_of
from apps.common.errors import DomainError
from apps.common.paging import page_number
from apps.common.reads import hot
from apps.common.renderers import answered
from apps.common.serializers import body_values, query_values
from apps.tickets.models import Message, Ticket
from apps.tickets.queries import (
    conversation_for,
    quotable_message,
    readable_message,
    readable_ticket,
)
from apps.tickets.queries.finding import (
    found_in_conversation,
    message_at_note,
    notes_in_conversation,
)
from apps.tickets.serializers import (
    activity_row,
    message_row,
    message_rows_of,
    ticket_row,
)
from apps.tickets.serializers.changes import (
    ForwardCheckSerializer,
    ForwardedSerializer,
    ForwardRefusalsSerializer,
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
    UploadOfferSerializer,
    offer_row,
)
from apps.tickets.serializers.requests import (
    MediaMessageCreateSerializer,
    MessageCreateSerializer,
    MessageListQuerySerializer,
    UploadCreateSerializer,
)
from apps.tickets.services.messages.changes import delete_message, edit_message, react_to_message
from apps.tickets.services.messages.interactive import send_interactive
from apps.tickets.services.messages.stored_media import send_stored_media
from apps.tickets.services.outbox import offer_file, resend, send_media, send_text
from apps.tickets.services.outbox.reading import read_ticket
from apps.tickets.services.tickets.forwarding import forward_message, forward_refusals

MESSAGE_ID = OpenApiParameter(
    "id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Id of the message."
)


MESSAGE_OR_TICKET_ID = OpenApiParameter(
    "id",
    OpenApiTypes.INT,
    OpenApiParameter.PATH,
    description="Id of the ticket for GET and POST; id of the message for PUT and DELETE.",
)


class MessageViewSet(ViewSet):
    """Messages (rules/tickets §8); a conversation is read and written by its ticket's id."""

    lookup_url_kwarg = "id"
    lookup_value_regex = r"\d+"

    @extend_schema(
        operation_id="messages_list",
        parameters=[MESSAGE_OR_TICKET_ID, MessageListQuerySerializer],
        responses=MessagePageSerializer,
    )
    @hot
    def conversation(self, request: Request, id: str) -> HttpResponse:
        """Return a page of a conversation; this marks it as read if the caller holds the ticket.

        With `peek` nothing is marked as read.
        """
        asked = query_values(MessageListQuerySerializer, request.query_params)
        number = page_number(request)
        ticket = readable_ticket(caller_of(request), pk=int(id))
        if not asked.get("peek"):
            read_ticket(ticket=ticket, user=caller_of(request))
        cursor = {
            "before_id": asked.get("before_id"),
            "after_id": asked.get("after_id"),
            "around_id": asked.get("around_id"),
        }
        if note_id := asked.get("around_note_id"):
            cursor["around_id"] = message_at_note(caller_of(request), ticket, note_id)
        page = conversation_for(caller_of(request), ticket, number=number, **cursor)
        return answered(
            {
                "messages": message_rows_of(page.message_ids),
                "count": page.count,
                "hasMore": page.has_more,
                "hasNewer": page.has_newer,
                "ticket": ticket_row(ticket),
                "events": [activity_row(activity) for activity in reversed(page.activities)],
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
    def send(self, request: Request, id: str) -> Response:
        """Send a text, a stored file, an interactive message or files.

        The response is the message or, for files, `messages`.
        """
        ticket = readable_ticket(caller_of(request), pk=int(id))
        files = _files(request)
        if not files and not _names_uploads(request):
            message = _send_one(request, ticket)
            return Response(message.told or message_row(message), status=201)
        if files:
            messages = _send_files(request, ticket, files)
        else:
            messages = _send_uploads(request, ticket)
        return Response({"messages": [message_row(message) for message in messages]}, status=201)

    @extend_schema(
        operation_id="messages_upload",
        parameters=[MESSAGE_OR_TICKET_ID],
        request=UploadCreateSerializer,
        responses={201: UploadOfferSerializer},
    )
    @action(detail=True, methods=["post"])
    def uploads(self, request: Request, id: str) -> Response:
        """Return where the browser may bring a file itself, to send it afterwards.

        404 `ERR_DIRECT_UPLOAD_OFF` where files go with the call alone.
        """
        ticket = readable_ticket(caller_of(request), pk=int(id))
        fields = body_values(UploadCreateSerializer, request.data)
        offer = offer_file(ticket=ticket, user=caller_of(request), **fields)
        return Response(offer_row(offer), status=201)

    @extend_schema(
        operation_id="messages_update",
        parameters=[MESSAGE_OR_TICKET_ID],
        request=MessageEditSerializer,
        responses=MessageSerializer,
    )
    def edit(self, request: Request, id: str) -> Response:
        """Change the text of a sent message, up to 15 minutes after it was sent."""
        message = readable_message(caller_of(request), int(id))
        body = body_values(MessageEditSerializer, request.data)["body"]
        return Response(
            message_row(edit_message(message=message, user=caller_of(request), body=body))
        )

    @extend_schema(
        operation_id="editMessageOlder", request=MessageEditSerializer, responses=MessageSerializer
    )
    def edit_older(self, request: Request, id: str) -> Response:
        """Change the text of a sent message, at the address of older browsers."""
        return self.edit(request, id)

    @extend_schema(
        operation_id="messages_destroy",
        parameters=[MESSAGE_OR_TICKET_ID],
        responses=MessageSerializer,
    )
    def take_back(self, request: Request, id: str) -> Response:
        """Delete a sent message for the contact too; its row stays, marked as deleted."""
        message = readable_message(caller_of(request), int(id))
        return Response(message_row(delete_message(message=message, user=caller_of(request))))

    @extend_schema(
        operation_id="messages_resend",
        parameters=[MESSAGE_ID],
        request=None,
        responses=MessageSerializer,
    )
    @action(detail=True, methods=["post"])
    def resend(self, request: Request, id: str) -> Response:
        """Send a failed message again, as the same row."""
        message = readable_message(caller_of(request), int(id))
        return Response(message_row(resend(message=message, user=caller_of(request))))

    @extend_schema(
        operation_id="messages_search",
        parameters=[
            OpenApiParameter(
                "id", OpenApiTypes.INT, OpenApiParameter.PATH, description="Id of the ticket."
            ),
            MessageSearchQuerySerializer,
        ],
        responses=FoundMessagesSerializer,
    )
    @action(detail=True)
    def search(self, request: Request, id: str) -> Response:
        """Return a page of the messages that a search finds, newest first, and the notes.

        Nothing is marked as read.
        """
        asked = query_values(MessageSearchQuerySerializer, request.query_params)
        number = page_number(request)
        ticket = readable_ticket(caller_of(request), pk=int(id))
        text = asked.get("search", "")
        found = found_in_conversation(caller_of(request), ticket, text, number)
        notes = notes_in_conversation(caller_of(request), ticket, text) if number == 1 else []
        return Response(
            {
                **found.body("messages", message_rows_of(found.rows)),
                "notes": [activity_row(note) for note in notes],
            }
        )

    @extend_schema(
        operation_id="messages_react",
        parameters=[MESSAGE_ID],
        request=ReactionCreateSerializer,
        responses=MessageSerializer,
    )
    @action(detail=True, methods=["post"])
    def reaction(self, request: Request, id: str) -> Response:
        """Put an emoji on a message, change ours or, with an empty one, remove it."""
        message = readable_message(caller_of(request), int(id))
        emoji = body_values(ReactionCreateSerializer, request.data)["emoji"]
        return Response(
            message_row(react_to_message(message=message, user=caller_of(request), emoji=emoji))
        )

    @extend_schema(
        operation_id="messages_forward",
        parameters=[MESSAGE_ID],
        request=ForwardSerializer,
        responses=ForwardedSerializer,
    )
    @action(detail=True, methods=["post"])
    def forward(self, request: Request, id: str) -> Response:
        """Forward a message; contacts who can't get it are in `refused`, the others get it."""
        message = readable_message(caller_of(request), int(id))
        fields = body_values(ForwardSerializer, request.data)
        done = forward_message(message=message, user=caller_of(request), **fields)
        rows = message_rows_of([each.pk for each in done.messages])
        return Response({"messages": rows, "refused": _refusal_rows(done.refused)})

    @extend_schema(
        operation_id="messages_forward_check",
        parameters=[MESSAGE_ID, ForwardCheckSerializer],
        responses=ForwardRefusalsSerializer,
    )
    @forward.mapping.get
    def check_forward(self, request: Request, id: str) -> Response:
        """Tell which contacts could not get the message now; nothing is sent."""
        message = readable_message(caller_of(request), int(id))
        fields = body_values(ForwardCheckSerializer, request.query_params)
        refused = forward_refusals(message=message, user=caller_of(request), **fields)
        return Response({"refused": _refusal_rows(refused)})


def _refusal_rows(refused: list[tuple[int, str, DomainError]]) -> list[dict[str, Any]]:
    return [
        {"contactId": pk, "name": name, "code": error.code, "message": error.sentence}
        for pk, name, error in refused
    ]


def _files(request: Request) -> list[Any]:
    names = ("medias", "medias[]")
    return [file for name in names for file in request.FILES.getlist(name)]


def _body(request: Request) -> Any:
    """Return the body as sent; a form has the quoted message as JSON text."""
    form = request.data
    if not isinstance(form, QueryDict):
        return form
    try:
        quoted = orjson.loads(form.get("quotedMsg") or "null")
    except orjson.JSONDecodeError:
        quoted = "?"
    return {**{name: form.get(name) for name in form}, "quotedMsg": quoted}


def _send_one(request: Request, ticket: Ticket) -> Message:
    """Send a text, a stored file or an interactive message."""
    data = body_values(MessageCreateSerializer, _body(request))
    user, quoted = caller_of(request), _quoted(request, ticket, data)
    if data.get("interactive"):
        return send_interactive(
            ticket=ticket,
            user=user,
            fields=data["interactive"],
            quoted=quoted,
            client_id=data.get("client_id"),
        )
    if data.get("mediaPath") or data.get("mediaUrl"):
        return send_stored_media(ticket=ticket, user=user, data=data, quoted=quoted)
    return send_text(
        ticket=ticket,
        user=user,
        body=data["body"],
        quoted=quoted,
        client_id=data.get("client_id"),
        category=data.get("category") or "",
    )


def _names_uploads(request: Request) -> bool:
    return isinstance(request.data, dict) and bool(request.data.get("uploads"))


def _send_uploads(request: Request, ticket: Ticket) -> list[Message]:
    """Send files that the browser brought to the store."""
    data = body_values(MessageCreateSerializer, request.data)
    return send_media(
        ticket=ticket,
        user=caller_of(request),
        uploads=data["uploads"],
        captions=[data["body"]],
        quoted=_quoted(request, ticket, data),
        client_id=data.get("client_id"),
    )


def _send_files(request: Request, ticket: Ticket, files: list[Any]) -> list[Message]:
    """Send files, each with the caption at the same position in the form."""
    form: Any = request.data
    sent = {**_body(request), "body": form.getlist("body"), "medias": files}
    data = body_values(MediaMessageCreateSerializer, sent)
    return send_media(
        ticket=ticket,
        user=caller_of(request),
        files=data["medias"],
        captions=data.get("body", []),
        quoted=_quoted(request, ticket, data),
        client_id=data.get("client_id"),
    )


def _quoted(request: Request, ticket: Ticket, data: dict[str, Any]) -> Message | None:
    if not data.get("quoted"):
        return None
    return quotable_message(caller_of(request), ticket, data["quoted"]["id"])
