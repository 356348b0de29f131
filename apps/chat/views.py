"""The calls of the internal chat (rules/chat §1 to §3)."""

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.chat.queries import (
    ChatFilters,
    ChatNotFound,
    chats_of,
    get_chat,
    messages_of,
    unread_chats,
)
from apps.chat.serializers import (
    ChatFileInputSerializer,
    ChatInputSerializer,
    ChatMessageInputSerializer,
    ChatMessagePageSerializer,
    ChatMessageSerializer,
    ChatMessagesQuerySerializer,
    ChatPageSerializer,
    ChatReadSerializer,
    ChatSerializer,
    chat_row,
    message_page_body,
    message_row,
)
from apps.chat.services import chats, messages
from apps.common.callers import caller_of, client_address
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.records import PAGE, SEARCH
from apps.common.serializers import SentenceSerializer, body_values, query_values

# No id that the database gives is longer.
LONGEST_ID = 18
REFERENCE = OpenApiParameter(
    "id", OpenApiTypes.STR, OpenApiParameter.PATH, description="The chat's id or uuid."
)


def _reference(text: str) -> int | UUID:
    """Return what names a chat in an address; raises ChatNotFound for what can name none."""
    if text.isascii() and text.isdigit() and len(text) <= LONGEST_ID:
        return int(text)
    try:
        return UUID(text)
    except ValueError:
        raise ChatNotFound from None


class ChatsView(APIView):
    """The caller's chats."""

    @extend_schema(
        operation_id="listChats", parameters=[SEARCH, PAGE], responses=ChatPageSerializer
    )
    def get(self, request: Request) -> Response:
        """Return a page, the one with the last change first."""
        caller = caller_of(request)
        page = paginate(narrowed(chats_of(caller), ChatFilters, request), page_number(request))
        body = page.body("records", [chat_row(chat) for chat in page.rows])
        return Response({**body, "unreadChats": unread_chats(caller)})

    @extend_schema(
        operation_id="createChat", request=ChatInputSerializer, responses={201: ChatSerializer}
    )
    def post(self, request: Request) -> Response:
        """Open a chat with others of the company; the caller owns it."""
        fields = body_values(ChatInputSerializer, request.data)
        chat = chats.create_chat(
            user=caller_of(request), title=fields["title"], user_ids=fields["users"]
        )
        return Response(chat_row(chat), status=201)


class ChatView(APIView):
    """One chat of the caller's."""

    @extend_schema(operation_id="getChat", parameters=[REFERENCE], responses=ChatSerializer)
    def get(self, request: Request, id: str) -> Response:
        """Return it; nothing counts as read by that."""
        return Response(chat_row(get_chat(user=caller_of(request), reference=_reference(id))))

    @extend_schema(
        operation_id="updateChat",
        parameters=[REFERENCE],
        request=ChatInputSerializer,
        responses=ChatSerializer,
    )
    def put(self, request: Request, id: str) -> Response:
        """Change title or members; what is left out stays. The owner's call alone."""
        caller, reference = caller_of(request), _reference(id)
        get_chat(user=caller, reference=reference)
        fields = body_values(ChatInputSerializer, request.data, partial=True)
        return Response(
            chat_row(chats.update_chat(user=caller, reference=reference, fields=fields))
        )

    @extend_schema(operation_id="deleteChat", parameters=[REFERENCE], responses=SentenceSerializer)
    def delete(self, request: Request, id: str) -> Response:
        """Delete it with all that was written. The owner's call alone."""
        chats.delete_chat(
            user=caller_of(request), reference=_reference(id), ip_address=client_address(request)
        )
        return Response({"message": "Conversa excluída."})


class ChatReadView(APIView):
    """Having read a chat."""

    @extend_schema(
        operation_id="readChat",
        parameters=[REFERENCE],
        request=ChatReadSerializer,
        responses=ChatSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Note that the caller has read all of it."""
        caller, reference = caller_of(request), _reference(id)
        get_chat(user=caller, reference=reference)
        body_values(ChatReadSerializer, request.data)
        return Response(chat_row(chats.read_chat(user=caller, reference=reference)))


class ChatLeaveView(APIView):
    """Going out of a chat."""

    @extend_schema(
        operation_id="leaveChat",
        parameters=[REFERENCE],
        request=None,
        responses=SentenceSerializer,
    )
    def post(self, request: Request, id: str) -> Response:
        """Leave it; an owner hands it over to who has been in it longest."""
        chats.leave_chat(user=caller_of(request), reference=_reference(id))
        return Response({"message": "Você saiu da conversa."})


class ChatMessagesView(APIView):
    """What is written in a chat."""

    @extend_schema(
        operation_id="listChatMessages",
        parameters=[REFERENCE, ChatMessagesQuerySerializer],
        responses=ChatMessagePageSerializer,
    )
    def get(self, request: Request, id: str) -> Response:
        """Return a page, the oldest of it first; page 1 has the newest."""
        asked = query_values(ChatMessagesQuerySerializer, request.query_params)
        number = page_number(request)
        chat = get_chat(user=caller_of(request), reference=_reference(id))
        page = messages_of(chat, number=number, before_id=asked.get("before_id"))
        return Response(message_page_body(page))

    @extend_schema(
        operation_id="sendChatMessage",
        parameters=[REFERENCE],
        request={
            "application/json": ChatMessageInputSerializer,
            "multipart/form-data": ChatFileInputSerializer,
        },
        responses={201: ChatMessageSerializer},
    )
    def post(self, request: Request, id: str) -> Response:
        """Send a text, or a file with or without one."""
        caller, reference = caller_of(request), _reference(id)
        get_chat(user=caller, reference=reference)
        if "file" in request.data:
            form = body_values(ChatFileInputSerializer, request.data)
            sent = messages.send_file(
                user=caller,
                reference=reference,
                file=form["file"],
                text=form.get("message", ""),
                client_id=form.get("client_id"),
            )
        else:
            body = body_values(ChatMessageInputSerializer, request.data)
            sent = messages.send_message(
                user=caller,
                reference=reference,
                text=body.get("message", ""),
                client_id=body.get("client_id"),
            )
        return Response(message_row(sent), status=201)
