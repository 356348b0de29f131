"""The calls of the internal chat (rules/chat §1 to §3)."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import User
from apps.chat.models import Chat
from apps.chat.queries import (
    CHAT_COLUMNS,
    ChatFilters,
    ChatNotFound,
    chat_counts,
    chats_of,
    first_chats,
    get_chat,
    members_by_chat,
    messages_of,
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
    listed_chat,
)
from apps.chat.services import chats, messages
from apps.common.callers import caller_of
from apps.common.filters import narrowed
from apps.common.paging import first_page, page_number, paginate
from apps.common.records import RecordViewSet, record_schema
from apps.common.serializers import (
    SentenceSerializer,
    body_values,
    query_values,
    row_of,
    rows_of,
)

# No id of the database has more digits.
LONGEST_ID = 18
REFERENCE = OpenApiParameter(
    "id", OpenApiTypes.STR, OpenApiParameter.PATH, description="Id or uuid of the chat."
)


@record_schema(
    "Chat",
    path=(REFERENCE,),
    list="Return a page of the caller's chats, last changed first.",
    create="Create a chat with other users of the company; the caller is its owner.",
    retrieve="Return a chat without marking its messages as read.",
    update=(
        "Change a chat's title or members; fields that are left out keep their values. Only"
        " the owner may do this."
    ),
    destroy="Delete a chat with its messages. Only the owner may do this.",
)
class ChatViewSet(RecordViewSet):
    """The caller's chats; the path has a chat's id or uuid, anything else is 404."""

    lookup_value_regex = "[^/]+"
    input_serializer = ChatInputSerializer
    row_serializer = ChatSerializer
    page_serializer = ChatPageSerializer
    filters = ChatFilters
    list_name = "records"
    deleted = "Conversa excluída."

    def list(self, request: Request) -> Response:
        """Return a page of chats, and the number of chats with unread messages."""
        caller, number = caller_of(request), page_number(request)
        own = chat_counts(caller)
        if number == 1 and not request.query_params.get("searchParam"):
            page = first_page(first_chats(caller), lambda: own.all)
        else:
            found = narrowed(Chat.objects.visible_to(caller), ChatFilters, request)
            page = paginate(found.values_list(*CHAT_COLUMNS), number)
        members = members_by_chat([pk for pk, *_ in page.rows])
        rows = [listed_chat(values, members[values[0]]) for values in page.rows]
        return Response({**page.body("records", rows), "unreadChats": own.unread})

    def _key(self, text: str) -> int | UUID:
        if text.isascii() and text.isdigit() and len(text) <= LONGEST_ID:
            return int(text)
        try:
            return UUID(text)
        except ValueError:
            raise ChatNotFound from None

    def _records(self, caller: User) -> QuerySet[Chat]:
        return chats_of(caller)

    def _find(self, caller: User, record_id: int | UUID) -> Chat:
        return get_chat(user=caller, reference=record_id)

    def _add(self, caller: User, fields: Mapping[str, Any]) -> Chat:
        return chats.create_chat(user=caller, title=fields["title"], user_ids=fields["users"])

    def _change(self, caller: User, record_id: int | UUID, fields: Mapping[str, Any]) -> Chat:
        return chats.update_chat(user=caller, reference=record_id, fields=fields)

    def _remove(self, caller: User, record_id: int | UUID, ip_address: str | None) -> None:
        chats.delete_chat(user=caller, reference=record_id, ip_address=ip_address)

    @extend_schema(
        operation_id="readChat",
        parameters=[REFERENCE],
        request=ChatReadSerializer,
        responses=ChatSerializer,
    )
    @action(detail=True, methods=["post"])
    def read(self, request: Request, id: str) -> Response:
        """Mark all messages of a chat as read by the caller."""
        caller, reference = caller_of(request), self._key(id)
        self._find(caller, reference)
        body_values(ChatReadSerializer, request.data)
        return Response(self._row(chats.read_chat(user=caller, reference=reference)))

    @extend_schema(
        operation_id="leaveChat",
        parameters=[REFERENCE],
        request=None,
        responses=SentenceSerializer,
    )
    @action(detail=True, methods=["post"])
    def leave(self, request: Request, id: str) -> Response:
        """Leave a chat; when the owner leaves, the longest-standing member becomes the owner.

        When the last member leaves, the chat is deleted.
        """
        chats.leave_chat(user=caller_of(request), reference=self._key(id))
        return Response({"message": "Você saiu da conversa."})

    @extend_schema(
        operation_id="listChatMessages",
        parameters=[REFERENCE, ChatMessagesQuerySerializer],
        responses=ChatMessagePageSerializer,
    )
    @action(detail=True, url_path="messages", url_name="messages")
    def list_messages(self, request: Request, id: str) -> Response:
        """Return a page of messages, oldest first within the page; page 1 has the newest."""
        asked = query_values(ChatMessagesQuerySerializer, request.query_params)
        number = page_number(request)
        chat = self._find(caller_of(request), self._key(id))
        page = messages_of(chat, number=number, before_id=asked.get("before_id"))
        return Response(page.body("records", rows_of(ChatMessageSerializer, page.rows)))

    @extend_schema(
        operation_id="sendChatMessage",
        parameters=[REFERENCE],
        request={
            "application/json": ChatMessageInputSerializer,
            "multipart/form-data": ChatFileInputSerializer,
        },
        responses={201: ChatMessageSerializer},
    )
    @list_messages.mapping.post
    def send_message(self, request: Request, id: str) -> Response:
        """Send a text, or a file with or without a text."""
        caller, reference = caller_of(request), self._key(id)
        self._find(caller, reference)
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
        return Response(row_of(ChatMessageSerializer, sent), status=201)
