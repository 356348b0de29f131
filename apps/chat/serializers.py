"""The wire shapes of chats and their messages."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from apps.chat.models import TITLE_LENGTH, Chat, ChatMessage
from apps.chat.queries import MessagePage
from apps.common.media import kind_of, media_url
from apps.common.paging import MAX_PAGE_NUMBER
from apps.common.serializers import BoundedListField, IdField, TextField

MESSAGE_LENGTH = 4096
MOST_MEMBERS = 200
NO_TITLE = "Por favor, preencha o título da conversa."
NO_USERS = "Por favor, selecione pelo menos um usuário."
EMPTY_MESSAGE = "Escreva uma mensagem."


class MemberField(IdField):
    """A user's id; older browsers send the whole user, in `id` or, of a chat's, in `userId`."""

    def to_internal_value(self, data: Any) -> int:
        """Return the id."""
        if isinstance(data, Mapping):
            data = data.get("userId") or data.get("id")
        return super().to_internal_value(data)


class ChatInputSerializer(serializers.Serializer[Any]):
    """A chat to open, or what to change of one: its title and with whom."""

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
    """`userId` comes from older browsers and says nothing: who calls has read."""

    userId = serializers.CharField(required=False, allow_blank=True, allow_null=True)


class ChatMessageInputSerializer(serializers.Serializer[Any]):
    """A text to send. `clientId` makes a resubmission harmless: it answers the stored message."""

    message = TextField(
        max_length=MESSAGE_LENGTH,
        error_messages={
            "max_length": f"A mensagem pode ter no máximo {MESSAGE_LENGTH} caracteres."
        },
    )
    clientId = serializers.UUIDField(source="client_id", required=False, allow_null=True)


class ChatFileInputSerializer(ChatMessageInputSerializer):
    """A file to send, with or without words."""

    file = serializers.FileField(
        max_length=1000,
        allow_empty_file=True,
        error_messages=dict.fromkeys(("required", "null", "invalid"), "Anexe um arquivo."),
    )


class ChatMessagesQuerySerializer(serializers.Serializer[Any]):
    """A page by its number, or what is before a message."""

    pageNumber = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE_NUMBER)
    beforeId = IdField(source="before_id", required=False)


class ChatUserSerializer(serializers.Serializer[Any]):
    """A user as chats show one."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class ChatMemberSerializer(serializers.Serializer[Any]):
    """A member, with how many messages they have not read."""

    id = serializers.IntegerField()
    chatId = serializers.IntegerField()
    userId = serializers.IntegerField()
    unreads = serializers.IntegerField()
    user = ChatUserSerializer()


class ChatSerializer(serializers.Serializer[Any]):
    """A chat; of two copies the one with the higher `revision` is the newer."""

    id = serializers.IntegerField()
    uuid = serializers.UUIDField()
    title = serializers.CharField()
    ownerId = serializers.IntegerField()
    owner = ChatUserSerializer()
    lastMessage = serializers.CharField(allow_blank=True)
    users = ChatMemberSerializer(many=True)
    revision = serializers.IntegerField()
    companyId = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


class ChatPageSerializer(serializers.Serializer[Any]):
    """A page of chats; `unreadChats` counts all in which the caller has something unread."""

    records = ChatSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
    unreadChats = serializers.IntegerField()


class ChatSenderSerializer(serializers.Serializer[Any]):
    """Who wrote; without an id the account is gone."""

    id = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()


class ChatMessageSerializer(serializers.Serializer[Any]):
    """A message; `mediaUrl` is a signed address that expires."""

    id = serializers.IntegerField()
    chatId = serializers.IntegerField()
    senderId = serializers.IntegerField(allow_null=True)
    sender = ChatSenderSerializer()
    message = serializers.CharField(allow_blank=True)
    mediaType = serializers.ChoiceField(
        choices=["image", "audio", "video", "application"], allow_null=True
    )
    mediaUrl = serializers.CharField(allow_null=True)
    mediaName = serializers.CharField(allow_null=True)
    mediaMime = serializers.CharField(allow_null=True)
    mediaSize = serializers.IntegerField(allow_null=True)
    clientId = serializers.UUIDField(allow_null=True)
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


class ChatMessagePageSerializer(serializers.Serializer[Any]):
    """A page of messages, the oldest of it first."""

    records = ChatMessageSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


def chat_row(chat: Chat) -> dict[str, Any]:
    """Return a chat in the shape of `ChatSerializer`."""
    return {
        "id": chat.pk,
        "uuid": chat.uuid,
        "title": chat.title,
        "ownerId": chat.owner_id,
        "owner": {"id": chat.owner_id, "name": chat.owner.name},
        "lastMessage": chat.last_message,
        "users": [
            {
                "id": member.pk,
                "chatId": chat.pk,
                "userId": member.user_id,
                "unreads": member.unreads,
                "user": {"id": member.user_id, "name": member.user.name},
            }
            for member in chat.members.all()
        ],
        "revision": chat.revision,
        "companyId": chat.company_id,
        "createdAt": chat.created_at,
        "updatedAt": chat.updated_at,
    }


def message_row(message: ChatMessage) -> dict[str, Any]:
    """Return a message in the shape of `ChatMessageSerializer`."""
    media = message.media
    sender = message.sender
    return {
        "id": message.pk,
        "chatId": message.chat_id,
        "senderId": message.sender_id,
        "sender": {
            "id": message.sender_id,
            "name": sender.name if sender else message.sender_name,
        },
        "message": message.message,
        "mediaType": kind_of(media.mime) if media else None,
        "mediaUrl": media_url(media.path, media.name) if media else None,
        "mediaName": media.name if media else None,
        "mediaMime": media.mime if media else None,
        "mediaSize": media.size if media else None,
        "clientId": message.client_id,
        "createdAt": message.created_at,
        "updatedAt": message.updated_at,
    }


def message_page_body(page: MessagePage) -> dict[str, Any]:
    """Return a page of messages in the shape of `ChatMessagePageSerializer`."""
    return {
        "records": [message_row(message) for message in page.messages],
        "count": page.count,
        "hasMore": page.has_more,
    }
