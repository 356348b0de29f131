"""Requests to change, forward and find messages, and their responses."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import BoundedListField, IdField, TextField
from apps.tickets.serializers.messages import MessageSerializer
from apps.tickets.serializers.requests import (
    MAX_BODY_LENGTH,
    MAX_SEARCH_LENGTH,
    JsonIdsField,
    PageNumberSerializer,
)
from apps.tickets.serializers.tickets import TicketActivitySerializer

# The column's length; a family with skin tones takes about 35.
EMOJI_LENGTH = 40
MAX_FORWARDS = 20
# Those chosen, and a page of those found.
MAX_CHECKED = 60
# Also for digits, * and #, which programs may take for emoji.
_NO_EMOJI = "Escolha um emoji."


class MessageEditSerializer(serializers.Serializer[Any]):
    """The new text of a message."""

    body = serializers.CharField(
        max_length=MAX_BODY_LENGTH,
        trim_whitespace=False,
        error_messages={
            "required": "Escreva uma mensagem.",
            "blank": "Escreva uma mensagem.",
            "null": "Escreva uma mensagem.",
            "max_length": f"A mensagem pode ter no máximo {MAX_BODY_LENGTH} caracteres.",
        },
    )

    def validate_body(self, body: str) -> str:
        """Refuse a text of nothing but white space."""
        if not body.strip():
            raise serializers.ValidationError("Escreva uma mensagem.", "blank")
        return body


class ReactionCreateSerializer(serializers.Serializer[Any]):
    """An emoji to put on a message; an empty text removes ours."""

    emoji = TextField(
        required=True,
        max_length=EMOJI_LENGTH,
        error_messages={"required": _NO_EMOJI, "max_length": _NO_EMOJI, "invalid": _NO_EMOJI},
    )

    def validate_emoji(self, emoji: str) -> str:
        """Refuse letters, white space and ASCII: a reaction is an emoji."""
        emoji = emoji.strip()
        if any(character.isalpha() or character.isspace() for character in emoji) or (
            emoji and emoji.isascii()
        ):
            raise serializers.ValidationError(_NO_EMOJI, "emoji")
        return emoji


class ForwardSerializer(serializers.Serializer[Any]):
    """The contacts to forward a message to; the same `clientId` again forwards nothing twice."""

    contactIds = BoundedListField(
        source="contact_ids",
        child=IdField(),
        allow_empty=False,
        max_length=MAX_FORWARDS,
        error_messages={
            "required": "Escolha ao menos um contato.",
            "empty": "Escolha ao menos um contato.",
            "null": "Escolha ao menos um contato.",
            "not_a_list": "Escolha ao menos um contato.",
            "max_length": f"Encaminhe para no máximo {MAX_FORWARDS} contatos de uma vez.",
        },
    )
    clientId = serializers.UUIDField(source="client_id", required=False, allow_null=True)


class RefusedForwardSerializer(serializers.Serializer[Any]):
    """A contact to whom a message was not forwarded, and the reason."""

    contactId = serializers.IntegerField()
    name = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class ForwardCheckSerializer(serializers.Serializer[Any]):
    """The contacts, as ids in JSON text, of whom to tell whether they could get the message."""

    contactIds = JsonIdsField(source="contact_ids")

    def validate_contactIds(self, ids: list[int]) -> list[int]:
        """Refuse more contacts than a page of the search has."""
        if len(ids) > MAX_CHECKED:
            raise serializers.ValidationError(f"Informe no máximo {MAX_CHECKED} contatos.")
        return ids


class ForwardRefusalsSerializer(serializers.Serializer[Any]):
    """The contacts who could not get the message now, each with the reason."""

    refused = RefusedForwardSerializer(many=True)


class ForwardedSerializer(serializers.Serializer[Any]):
    """The result of forwarding: one message for each contact who got it, and the other contacts."""

    messages = MessageSerializer(many=True)
    refused = RefusedForwardSerializer(many=True)


class MessageSearchQuerySerializer(PageNumberSerializer):
    """The text to search for in a conversation."""

    searchParam = serializers.CharField(
        source="search", required=False, allow_blank=True, max_length=MAX_SEARCH_LENGTH
    )


class FoundMessagesSerializer(serializers.Serializer[Any]):
    """A page of the messages that a search found, newest first; `count` counts messages alone.

    The first page has the activities whose note was found, newest first.
    """

    messages = MessageSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()
    notes = TicketActivitySerializer(many=True)
