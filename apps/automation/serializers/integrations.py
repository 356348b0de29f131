"""The wire shapes of integrations (rules/automation §3)."""

from typing import Any

from rest_framework import serializers

from apps.automation.addresses import masked_address
from apps.automation.models import IntegrationCall, IntegrationType, QueueIntegration
from apps.common.encryption import masked
from apps.common.serializers import (
    OptionalIdField,
    RowSerializer,
    TextField,
    name_field,
    page_of,
)

LANGUAGES = ("pt-BR", "en", "es")
# Limits far beyond any real flow: a year of silence, and a minute of delay.
MAX_EXPIRES_MINUTES = 525_600
MAX_DELAY_MS = 60_000


class _NumberField(serializers.IntegerField):
    """A whole number; '' and null, which older dialogs send, stand for the default."""

    def __init__(self, *, nothing: int, **options: Any) -> None:
        self._nothing = nothing
        super().__init__(required=False, allow_null=True, min_value=0, **options)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(self._nothing if data is None or data == "" else data)


class _AddressField(serializers.URLField):
    """An http(s) address; null counts as empty."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation("" if data is None else data)


class IntegrationInputSerializer(serializers.Serializer[Any]):
    """An integration to create or to change (rules/automation §3).

    The service checks, over the whole record, which fields its type requires.
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
        """Refuse an address that does not begin with http:// or https://."""
        if url and not url.lower().startswith(("http://", "https://")):
            raise serializers.ValidationError(
                "O endereço precisa começar com https:// ou http://.", "web_address"
            )
        return url

    def validate_language(self, language: str | None) -> str:
        return language or ""


class UseSerializer(RowSerializer):
    """A queue or a connection that an integration answers for."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class UsesSerializer(RowSerializer):
    """The queues and connections that an integration answers for."""

    queues = UseSerializer(many=True)
    connections = UseSerializer(many=True)


class LastCallSerializer(RowSerializer):
    """The result of an integration's newest call."""

    at = serializers.DateTimeField(source="created_at")
    ok = serializers.BooleanField()
    statusCode = serializers.IntegerField(source="status_code", allow_null=True)
    error = serializers.CharField(allow_blank=True)
    reasonCode = serializers.CharField(source="reason_code", allow_blank=True)
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)

    def _read_ok(self, call: IntegrationCall) -> bool:
        code = call.status_code
        return not call.error and code is not None and 200 <= code < 300


class IntegrationSerializer(RowSerializer):
    """An integration; secrets are masked.

    `signingSecret` is unmasked once: in the response of the call that created it.
    """

    # The context has the `last_calls` of the rows and, after a call that created a secret, the
    # `new_secret`. Prefetch queues and connections for lists.
    id = serializers.IntegerField()
    type = serializers.ChoiceField(choices=IntegrationType.choices)
    name = serializers.CharField()
    projectName = serializers.CharField(source="project_name", allow_blank=True)
    jsonContent = serializers.CharField(allow_blank=True)
    language = serializers.CharField(allow_blank=True)
    urlN8N = serializers.CharField(allow_blank=True)
    typebotSlug = serializers.CharField(source="typebot_slug", allow_blank=True)
    typebotExpires = serializers.IntegerField(source="typebot_expires_minutes")
    typebotDelayMessage = serializers.IntegerField(source="typebot_delay_ms")
    typebotKeywordFinish = serializers.CharField(source="typebot_keyword_finish", allow_blank=True)
    typebotKeywordRestart = serializers.CharField(
        source="typebot_keyword_restart", allow_blank=True
    )
    typebotRestartMessage = serializers.CharField(
        source="typebot_restart_message", allow_blank=True
    )
    typebotUnknownMessage = serializers.CharField(
        source="typebot_unknown_message", allow_blank=True
    )
    queueId = serializers.IntegerField(source="fallback_queue_id", allow_null=True)
    signingSecret = serializers.CharField(allow_blank=True)
    usedBy = UsesSerializer(source="*")
    lastDelivery = LastCallSerializer(allow_null=True)
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_jsonContent(self, integration: QueueIntegration) -> str:
        return masked(integration.json_content)

    def _read_urlN8N(self, integration: QueueIntegration) -> str:
        return masked_address(integration.url)

    def _read_signingSecret(self, integration: QueueIntegration) -> str:
        return self.context.get("new_secret") or masked(integration.signing_secret)

    def _read_lastDelivery(self, integration: QueueIntegration) -> IntegrationCall | None:
        last: IntegrationCall | None = self.context["last_calls"].get(integration.pk)
        return last


IntegrationPageSerializer = page_of(
    "queueIntegrations", IntegrationSerializer, "A page of integrations."
)


class SigningSecretSerializer(serializers.Serializer[Any]):
    """A new signing secret, shown only in this response."""

    signingSecret = serializers.CharField()
