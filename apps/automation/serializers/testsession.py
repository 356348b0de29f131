"""The wire shapes of trying an integration (rules/automation §10)."""

from typing import Any

from rest_framework import serializers

from apps.automation.models import IntegrationType
from apps.automation.serializers.integrations import IntegrationInputSerializer
from apps.common.serializers import MAX_ID, TextField


class TestSessionInputSerializer(IntegrationInputSerializer):
    """What to try: fields of an integration, saved or not; a secret's mask means the stored one.

    `type` is the stored one's, else dialogflow; `text` is what the contact says.
    """

    # pytest would take it for a test.
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
    """What came back, as the contact would read it, or the outcome in words and by name."""

    messages = serializers.ListField(child=serializers.CharField())
    reasonCode = serializers.CharField(required=False)
    reasonDetail = serializers.CharField(required=False, allow_blank=True)
