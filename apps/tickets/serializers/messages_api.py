"""The wire of the messages API (rules/messages-api §2)."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import BoundedListField
from apps.contacts.models import NUMBER_LENGTH
from apps.tickets.serializers.requests import EMPTY_MESSAGE, MAX_BODY_LENGTH

MAX_API_FILES = 10


class ApiTextSerializer(serializers.Serializer[Any]):
    """A text to a number."""

    number = serializers.CharField(
        max_length=NUMBER_LENGTH,
        help_text=(
            "Country code, area code and number, without a mask. For a contact without a"
            " number: the `…@lid` that events have as `contact.number`, or Meta's user id"
            " (`BR.1349…`)."
        ),
        error_messages={
            "required": "Informe o número.",
            "blank": "Informe o número.",
            "null": "Informe o número.",
        },
    )
    body = serializers.CharField(
        max_length=MAX_BODY_LENGTH,
        trim_whitespace=False,
        error_messages={
            "required": EMPTY_MESSAGE,
            "blank": EMPTY_MESSAGE,
            "null": EMPTY_MESSAGE,
            "max_length": f"A mensagem pode ter no máximo {MAX_BODY_LENGTH} caracteres.",
        },
    )

    def validate_body(self, body: str) -> str:
        """Refuse a blank text."""
        if not body.strip():
            raise serializers.ValidationError(EMPTY_MESSAGE, code="blank")
        return body


class ApiMediaSerializer(ApiTextSerializer):
    """Files to a number; `body` is the caption of the first."""

    body = serializers.CharField(
        max_length=MAX_BODY_LENGTH, required=False, allow_blank=True, trim_whitespace=False
    )
    medias = BoundedListField(
        child=serializers.FileField(allow_empty_file=True, max_length=None),
        min_length=1,
        max_length=MAX_API_FILES,
        error_messages={"max_length": f"Envie no máximo {MAX_API_FILES} arquivos por vez."},
    )

    def validate_body(self, body: str) -> str:
        """Return the caption, empty if it is blank."""
        return body if body.strip() else ""


class ApiSentSerializer(serializers.Serializer[Any]):
    """The accepted messages; `messageId` is the first of `messageIds`, `ticketId` their ticket."""

    messageId = serializers.IntegerField()
    messageIds = serializers.ListField(child=serializers.IntegerField())
    ticketId = serializers.IntegerField()
    contactId = serializers.IntegerField()
