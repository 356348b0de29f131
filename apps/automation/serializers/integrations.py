"""The wire shapes of integrations (rules/automation §3)."""

from typing import Any

from rest_framework import serializers

from apps.automation.addresses import masked_address
from apps.automation.models import IntegrationCall, IntegrationType, QueueIntegration
from apps.common.encryption import masked
from apps.common.serializers import OptionalIdField, TextField, name_field

LANGUAGES = ("pt-BR", "en", "es")
# Bounds that no flow comes near: a day of silence many times over, a minute of typing.
MAX_EXPIRES_MINUTES = 525_600
MAX_DELAY_MS = 60_000


class _NumberField(serializers.IntegerField):
    """A whole number; older dialogs send '' or null for what they leave to the default."""

    def __init__(self, *, nothing: int, **options: Any) -> None:
        self._nothing = nothing
        super().__init__(required=False, allow_null=True, min_value=0, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Take nothing as the default."""
        return super().run_validation(self._nothing if data is None or data == "" else data)


class _AddressField(serializers.URLField):
    """An http(s) address; null counts as empty."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the address without blanks around it."""
        return super().run_validation("" if data is None else data)


class IntegrationInputSerializer(serializers.Serializer[Any]):
    """An integration to create, or what to change of one (rules/automation §3).

    Which fields a type asks for is judged over the whole record, by the service.
    """

    type = serializers.ChoiceField(
        choices=IntegrationType.choices,
        error_messages={
            **dict.fromkeys(("required", "null", "blank"), "Escolha o tipo."),
            "invalid_choice": "Este tipo de integração não existe.",
        },
    )
    name = name_field()
    projectName = TextField(source="project_name", max_length=100, trim_whitespace=True)
    jsonContent = TextField(source="json_content", max_length=20_000)
    language = serializers.ChoiceField(
        choices=LANGUAGES,
        required=False,
        allow_blank=True,
        error_messages={"invalid_choice": "Escolha um dos idiomas da lista."},
    )
    urlN8N = _AddressField(
        source="url",
        required=False,
        allow_blank=True,
        allow_null=True,
        max_length=500,
        error_messages={"invalid": "Informe um endereço completo, como https://exemplo.com/fluxo."},
    )
    typebotSlug = TextField(source="typebot_slug", max_length=200, trim_whitespace=True)
    typebotExpires = _NumberField(
        source="typebot_expires_minutes", nothing=1, max_value=MAX_EXPIRES_MINUTES
    )
    typebotDelayMessage = _NumberField(
        source="typebot_delay_ms", nothing=1000, max_value=MAX_DELAY_MS
    )
    typebotKeywordFinish = TextField(
        source="typebot_keyword_finish", max_length=100, trim_whitespace=True
    )
    typebotKeywordRestart = TextField(
        source="typebot_keyword_restart", max_length=100, trim_whitespace=True
    )
    typebotRestartMessage = TextField(source="typebot_restart_message", max_length=4096)
    typebotUnknownMessage = TextField(source="typebot_unknown_message", max_length=4096)
    queueId = OptionalIdField(source="fallback_queue_id")

    def validate_urlN8N(self, url: str) -> str:
        """Refuse what is no web address."""
        if url and not url.lower().startswith(("http://", "https://")):
            raise serializers.ValidationError(
                "O endereço precisa começar com https:// ou http://.", "web_address"
            )
        return url

    def validate_language(self, language: str | None) -> str:
        """Leave no null behind."""
        return language or ""


class UseSerializer(serializers.Serializer[Any]):
    """A queue or a connection that an integration answers for."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class UsesSerializer(serializers.Serializer[Any]):
    """Where an integration is used."""

    queues = UseSerializer(many=True)
    connections = UseSerializer(many=True)


class LastCallSerializer(serializers.Serializer[Any]):
    """How the newest call of an integration went."""

    at = serializers.DateTimeField()
    ok = serializers.BooleanField()
    statusCode = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)


class IntegrationSerializer(serializers.Serializer[Any]):
    """An integration; secrets are masked.

    `signingSecret` comes in clear once: in the answer of the call that made it.
    """

    id = serializers.IntegerField()
    type = serializers.ChoiceField(choices=IntegrationType.choices)
    name = serializers.CharField()
    projectName = serializers.CharField(allow_blank=True)
    jsonContent = serializers.CharField(allow_blank=True)
    language = serializers.CharField(allow_blank=True)
    urlN8N = serializers.CharField(allow_blank=True)
    typebotSlug = serializers.CharField(allow_blank=True)
    typebotExpires = serializers.IntegerField()
    typebotDelayMessage = serializers.IntegerField()
    typebotKeywordFinish = serializers.CharField(allow_blank=True)
    typebotKeywordRestart = serializers.CharField(allow_blank=True)
    typebotRestartMessage = serializers.CharField(allow_blank=True)
    typebotUnknownMessage = serializers.CharField(allow_blank=True)
    queueId = serializers.IntegerField(allow_null=True)
    signingSecret = serializers.CharField(allow_blank=True)
    usedBy = UsesSerializer()
    lastDelivery = LastCallSerializer(allow_null=True)
    companyId = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


class IntegrationPageSerializer(serializers.Serializer[Any]):
    """A page of integrations."""

    queueIntegrations = IntegrationSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class SigningSecretSerializer(serializers.Serializer[Any]):
    """A new secret, shown this once."""

    signingSecret = serializers.CharField()


def integration_row(
    integration: QueueIntegration, last: IntegrationCall | None, *, new_secret: str = ""
) -> dict[str, Any]:
    """Return an integration in the shape of `IntegrationSerializer`.

    Reads its queues and connections: prefetch them for lists.
    """
    return {
        "id": integration.pk,
        "type": integration.type,
        "name": integration.name,
        "projectName": integration.project_name,
        "jsonContent": masked(integration.json_content),
        "language": integration.language,
        "urlN8N": masked_address(integration.url),
        "typebotSlug": integration.typebot_slug,
        "typebotExpires": integration.typebot_expires_minutes,
        "typebotDelayMessage": integration.typebot_delay_ms,
        "typebotKeywordFinish": integration.typebot_keyword_finish,
        "typebotKeywordRestart": integration.typebot_keyword_restart,
        "typebotRestartMessage": integration.typebot_restart_message,
        "typebotUnknownMessage": integration.typebot_unknown_message,
        "queueId": integration.fallback_queue_id,
        "signingSecret": new_secret or masked(integration.signing_secret),
        "usedBy": {
            "queues": [{"id": row.pk, "name": row.name} for row in integration.queues.all()],
            "connections": [
                {"id": row.pk, "name": row.name} for row in integration.connections.all()
            ],
        },
        "lastDelivery": last
        and {
            "at": last.created_at,
            "ok": is_success(last),
            "statusCode": last.status_code,
            "error": last.error,
            "reasonCode": last.reason_code,
            "reasonDetail": last.reason_detail,
        },
        "companyId": integration.company_id,
        "createdAt": integration.created_at,
        "updatedAt": integration.updated_at,
    }


def is_success(call: IntegrationCall) -> bool:
    """Tell whether a call was answered as it should be."""
    code = call.status_code
    return not call.error and code is not None and 200 <= code < 300
