"""Live events of chats, sent to their members only (rules/chat §4).

Older browsers add a chat to their list on `chat-user-{userId}` only, and read `chat` in every
`update` of the other events. So each event carries what they expect.
"""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from apps.chat.models import Chat, ChatMessage
from apps.chat.serializers import ChatSerializer, NewChatMessageSerializer
from apps.common.serializers import row_of
from apps.realtime.emit import LiveEvent, emit
from apps.realtime.rooms import user_room

NEW_MESSAGE: dict[str, Any] = {
    "new-message": {"newMessage": NewChatMessageSerializer(), "chat": ChatSerializer()}
}
CHAT = LiveEvent(
    "chat",
    update={"chat": ChatSerializer()},
    delete={"id": serializers.IntegerField()},
    **NEW_MESSAGE,
)
ONE_CHAT = LiveEvent("chat-{chatId}", update={"chat": ChatSerializer()}, **NEW_MESSAGE)
CHAT_OF_USER = LiveEvent(
    "chat-user-{userId}",
    create={"record": ChatSerializer()},
    update={"record": ChatSerializer()},
)


def chat_saved(chat: Chat, *, known_to: Iterable[int] = ()) -> None:
    """Emit a chat to its members: an update to those in `known_to`, a creation to the others."""
    known = set(known_to)
    payload = {"record": row_of(ChatSerializer, chat)}
    for user_id in _users_of(chat):
        emit(
            CHAT_OF_USER.about(user_id),
            "update" if user_id in known else "create",
            payload,
            company_id=chat.company_id,
            rooms=[user_room(user_id)],
        )


def message_sent(chat: Chat, message: ChatMessage) -> None:
    """Emit a new message to the members, with each member's unread count."""
    payload = {
        "newMessage": row_of(NewChatMessageSerializer, message, chat=chat),
        "chat": row_of(ChatSerializer, chat),
    }
    for event in (CHAT, ONE_CHAT.about(chat.pk)):
        emit(event, "new-message", payload, company_id=chat.company_id, rooms=_rooms_of(chat))


def chat_read(chat: Chat) -> None:
    """Emit to the members that one of them has read all messages."""
    payload = {"chat": row_of(ChatSerializer, chat)}
    for event in (CHAT, ONE_CHAT.about(chat.pk)):
        emit(event, "update", payload, company_id=chat.company_id, rooms=_rooms_of(chat))


def chat_gone(*, chat_id: int, company_id: int, user_ids: Iterable[int]) -> None:
    """Emit to former members that the chat is no longer theirs."""
    rooms = [user_room(user_id) for user_id in user_ids]
    emit(CHAT, "delete", {"id": chat_id}, company_id=company_id, rooms=rooms)


def _users_of(chat: Chat) -> list[int]:
    return [member.user_id for member in chat.members.all()]


def _rooms_of(chat: Chat) -> list[str]:
    return [user_room(user_id) for user_id in _users_of(chat)]
