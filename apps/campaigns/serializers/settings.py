"""The wire shapes of the settings of a company's campaigns."""

import json
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from apps.common.search import fold
from apps.common.serializers import BoundedListSerializer, TextField

PERSONAL_VARIABLES = ("nome", "email", "numero")
MOST_SECONDS = 3600


class CampaignVariablesSerializer(BoundedListSerializer):
    """A company's own variables, each key once."""

    most = 100

    def validate(self, rows: list[dict[str, str]]) -> list[dict[str, str]]:
        """Refuse two keys that are equal when case is ignored."""
        keys = [fold(row["key"]) for row in rows]
        if len(set(keys)) < len(keys):
            raise serializers.ValidationError("Cada atalho só pode existir uma vez.", "repeated")
        return rows


class CampaignVariableSerializer(serializers.Serializer[Any]):
    """A variable of the company's own, which texts write as `{key}`."""

    key = serializers.RegexField(
        r"^[^{}]+$",
        max_length=50,
        error_messages={
            **dict.fromkeys(("required", "null", "blank"), "Informe o atalho."),
            "invalid": "O atalho não pode ter chaves.",
            "max_length": "O atalho pode ter no máximo 50 caracteres.",
        },
    )
    value = TextField(max_length=1000)

    class Meta:
        list_serializer_class = CampaignVariablesSerializer

    def validate_key(self, key: str) -> str:
        """Refuse the variables that each recipient has: nome, email and numero."""
        if key in PERSONAL_VARIABLES:
            sentence = f"O atalho {key} já é o dado de cada contato. Escolha outro."
            raise serializers.ValidationError(sentence, "taken")
        return key

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        """Set an omitted `value` to an empty text."""
        return {"key": attrs["key"], "value": attrs.get("value", "")}


def _seconds() -> serializers.IntegerField:
    sentence = f"Informe de 0 a {MOST_SECONDS}."
    return serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_SECONDS,
        error_messages=dict.fromkeys(
            ("invalid", "null", "min_value", "max_value", "max_string_length"), sentence
        ),
    )


class CampaignSettingValuesSerializer(serializers.Serializer[Any]):
    """The settings to change; omitted ones do not change."""

    messageInterval = _seconds()
    longerIntervalAfter = _seconds()
    greaterInterval = _seconds()
    variables = CampaignVariableSerializer(many=True, required=False)


class CampaignSettingsInputSerializer(serializers.Serializer[Any]):
    """The settings of campaigns to change (rules/campaigns §3)."""

    settings = CampaignSettingValuesSerializer()


class CampaignSettingSerializer(serializers.Serializer[Any]):
    """A setting of a company's campaigns; `value` is JSON text."""

    id = serializers.IntegerField(help_text="Position of the key in the list, from 1.")
    key = serializers.CharField()
    value = serializers.CharField()


def setting_rows(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return settings in the shape of `CampaignSettingSerializer`."""
    return [
        {"id": place, "key": key, "value": json.dumps(value, ensure_ascii=False)}
        for place, (key, value) in enumerate(settings.items(), 1)
    ]
