"""The wire shapes of chats and their messages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rest_framework import serializers

from apps.chat.models import TITLE_LENGTH, Chat, ChatMessage
from apps.common.media import kind_of, media_url
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import (
    BoundedListField,
    IdField,
    RowSerializer,
    TextField,
    file_field,
    page_of,
)

MESSAGE_LENGTH = 4096
MOST_MEMBERS = 200
FILE_KINDS = ["image", "audio", "video", "application"]
NO_TITLE = "Por favor, preencha o título da conversa."
NO_USERS = "Por favor, selecione pelo menos um usuário."
EMPTY_MESSAGE = "Escreva uma mensagem."


class MemberField(IdField):
    """A user's id; older browsers send an object with the id in `userId` or `id`."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, Mapping):
            data = data.get("userId") or data.get("id")
        return super().to_internal_value(data)


class ChatInputSerializer(serializers.Serializer[Any]):
    """A chat to create or to change: its title and the ids of the other members."""

    title = serializers.CharField(
        max_length=TITLE_LENGTH,
        error_messages={
            **dict.fromkeys(("required", "blank", "null"), NO_TITLE),
            "max_length": f"O título pode ter no máximo {TITLE_LENGTH} caracteres.",
        },
    )
    users = BoundedListField(
        child=MemberField(),
        min_length=1,
        max_length=MOST_MEMBERS,
        error_messages={
            **dict.fromkeys(("required", "null", "min_length"), NO_USERS),
            "max_length": f"Uma conversa pode ter no máximo {MOST_MEMBERS} usuários.",
        },
    )


class ChatReadSerializer(serializers.Serializer[Any]):
    """`userId`, from older browsers, is ignored: the caller has read the chat."""

    userId = serializers.CharField(required=False, allow_blank=True, allow_null=True)


class ChatMessageInputSerializer(serializers.Serializer[Any]):
    """A text to send; the same `clientId` again sends nothing and returns the stored message."""

    message = TextField(
        max_length=MESSAGE_LENGTH,
        error_messages={
            "max_length": f"A mensagem pode ter no máximo {MESSAGE_LENGTH} caracteres."
        },
    )
    clientId = serializers.UUIDField(source="client_id", required=False, allow_null=True)


class ChatFileInputSerializer(ChatMessageInputSerializer):
    """A form with a file to send, with or without a text."""

    file = file_field()


class ChatMessagesQuerySerializer(serializers.Serializer[Any]):
    """The page by its number, or the messages before `beforeId`."""

    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)
    beforeId = IdField(source="before_id", required=False)


class ChatUserSerializer(RowSerializer):
    """A user in a chat."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ChatMemberSerializer(RowSerializer):
    """A member of a chat; `unreads` counts the messages that the member has not read."""

    id = serializers.IntegerField()
    chatId = serializers.IntegerField(source="chat_id")
    userId = serializers.IntegerField(source="user_id")
    unreads = serializers.IntegerField()
    user = ChatUserSerializer()


class ChatSerializer(RowSerializer):
    """A chat; of two copies the one with the higher `revision` is the newer."""

    id = serializers.IntegerField()
    uuid = serializers.UUIDField()
    title = serializers.CharField()
    ownerId = serializers.IntegerField(source="owner_id")
    owner = ChatUserSerializer()
    lastMessage = serializers.CharField(source="last_message", allow_blank=True)
    users = ChatMemberSerializer(source="members", many=True)
    revision = serializers.IntegerField()
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")


def listed_chat(values: Sequence[Any], members: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """Return the row of `ChatSerializer` from the values of CHAT_COLUMNS and MEMBER_COLUMNS."""
    pk, uuid, title, owner_id, owner_name, last_message, revision, company_id, *moments = values
    return {
        "id": pk,
        "uuid": uuid,
        "title": title,
        "ownerId": owner_id,
        "owner": {"id": owner_id, "name": owner_name},
        "lastMessage": last_message,
        "users": [
            {
                "id": member_id,
                "chatId": pk,
                "userId": user_id,
                "unreads": unreads,
                "user": {"id": user_id, "name": name},
            }
            for member_id, user_id, unreads, name in members
        ],
        "revision": revision,
        "companyId": company_id,
        "createdAt": moments[0],
        "updatedAt": moments[1],
    }


class ChatPageSerializer(serializers.Serializer[Any]):
    """A page of chats; `unreadChats` counts all chats in which the caller has unread messages."""

    records = ChatSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
    unreadChats = serializers.IntegerField()


class ChatSenderSerializer(RowSerializer):
    """The writer of a message; `id` is null if the user was deleted."""

    id = serializers.IntegerField(source="sender_id", allow_null=True)
    name = serializers.CharField()

    def _read_name(self, message: ChatMessage) -> str:
        return message.sender.name if message.sender else message.sender_name


class ChatMessageSerializer(RowSerializer):
    """A message; `mediaUrl` is a signed address that expires."""

    id = serializers.IntegerField()
    chatId = serializers.IntegerField(source="chat_id")
    senderId = serializers.IntegerField(source="sender_id", allow_null=True)
    sender = ChatSenderSerializer(source="*")
    message = serializers.CharField(allow_blank=True)
    mediaType = serializers.ChoiceField(choices=FILE_KINDS, allow_null=True)
    mediaUrl = serializers.CharField(allow_null=True)
    mediaName = serializers.CharField(source="media.name", allow_null=True)
    mediaMime = serializers.CharField(source="media.mime", allow_null=True)
    mediaSize = serializers.IntegerField(source="media.size", allow_null=True)
    clientId = serializers.UUIDField(source="client_id", allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_mediaType(self, message: ChatMessage) -> str | None:
        return kind_of(message.media_mime) if message.media_path else None

    def _read_mediaUrl(self, message: ChatMessage) -> str | None:
        return media_url(message.media_path, message.media_name) or None


class ChatReaderSerializer(RowSerializer):
    """A member of a chat, by the id alone."""

    userId = serializers.IntegerField(source="user_id")


class ChatReadersSerializer(RowSerializer):
    """A chat's members."""

    users = ChatReaderSerializer(source="members", many=True)


class NewChatMessageSerializer(ChatMessageSerializer):
    """A message with the members of its chat, whom older browsers look up in it.

    The context has the `chat`, which is read already.
    """

    chat = ChatReadersSerializer()

    def _read_chat(self, message: ChatMessage) -> Chat:
        chat: Chat = self.context["chat"]
        return chat


ChatMessagePageSerializer = page_of(
    "records", ChatMessageSerializer, "A page of messages, the oldest of it first."
)
