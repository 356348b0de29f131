"""The wire shapes of testing a connection (rules/connections §13)."""

from typing import Any

from rest_framework import serializers

from apps.tickets.serializers.requests import EMPTY_MESSAGE, MAX_BODY_LENGTH
from apps.tickets.serializers.templates import LANGUAGE_LENGTH, NAME_LENGTH

NO_NUMBER = "Informe o número."


class TestTemplateSerializer(serializers.Serializer[Any]):
    """A template by its name and language."""

    name = serializers.CharField(max_length=NAME_LENGTH)
    language = serializers.CharField(max_length=LANGUAGE_LENGTH)


class ConnectionTestSerializer(serializers.Serializer[Any]):
    """A test message to a number: a text, or a template with its own examples.

    The same `clientId` again sends nothing and returns the present state of the message.
    """

    number = serializers.CharField(
        max_length=60, error_messages=dict.fromkeys(("required", "blank", "null"), NO_NUMBER)
    )
    body = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_BODY_LENGTH,
        trim_whitespace=False,
        error_messages={
            "null": EMPTY_MESSAGE,
            "max_length": f"A mensagem pode ter no máximo {MAX_BODY_LENGTH} caracteres.",
        },
    )
    template = TestTemplateSerializer(required=False, allow_null=True)
    clientId = serializers.UUIDField(source="client_id")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a test without a text and without a template."""
        if not attrs.get("template") and not attrs.setdefault("body", "").strip():
            raise serializers.ValidationError({"body": [EMPTY_MESSAGE]}, "blank")
        return attrs
