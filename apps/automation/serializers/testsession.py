"""The wire shapes of testing an integration (rules/automation §10)."""

from typing import Any

from rest_framework import serializers

from apps.automation.models import IntegrationType
from apps.automation.serializers.integrations import IntegrationInputSerializer
from apps.common.serializers import MAX_ID, TextField


class TestSessionInputSerializer(IntegrationInputSerializer):
    """The fields of an integration to test, saved or not, and in `text` the contact's message.

    A secret's mask stands for the stored one. `type` is by default that of the stored integration,
    else dialogflow.
    """

    type = serializers.ChoiceField(
        choices=IntegrationType.choices,
        required=False,
        error_messages={"invalid_choice": "Este tipo de integração não existe."},
    )
    name = TextField(max_length=50)
    integrationId = serializers.IntegerField(
        source="integration_id",
        required=False,
        allow_null=True,
        min_value=1,
        max_value=MAX_ID,
        error_messages={"invalid": "Informe o número da integração."},
    )
    text = TextField(max_length=256, trim_whitespace=True)


class TestSessionSerializer(serializers.Serializer[Any]):
    """The messages that the contact would get, or one sentence about the outcome.

    With such a sentence `reasonCode` and `reasonDetail` give the outcome for any language.
    """

    messages = serializers.ListField(child=serializers.CharField())
    reasonCode = serializers.CharField(required=False)
    reasonDetail = serializers.CharField(required=False, allow_blank=True)
