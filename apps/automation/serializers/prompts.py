"""The wire shapes of prompts (rules/automation §7)."""

import math
import re
from typing import Any, ClassVar

from rest_framework import serializers

from apps.automation.models import Prompt
from apps.automation.queries.prompts import Uses
from apps.automation.voices import TEXT, VOICES
from apps.common.encryption import masked
from apps.common.serializers import (
    BoundedListSerializer,
    IdField,
    OptionalIdField,
    RowSerializer,
    TextField,
    page_of,
)

# The sentence is part of rules/automation §7.
EMPTY_QUEUE = "Selecione uma fila para salvar o prompt."
MAX_PROMPT = 20_000
MAX_TOKENS = 8_000
MAX_MESSAGES = 50
MAX_TEMPERATURE = 2.0
MAX_TEST_MESSAGES = 40
MAX_TEST_TEXT = 4096
_REGION = re.compile(r"[a-z][a-z0-9-]{1,49}")
_SPOKEN_KEY = re.compile(r"[\x21-\x7e]*")


def _between(low: float, high: float) -> dict[str, Any]:
    sentence = f"Informe um número de {low:g} a {high:g}."
    return dict.fromkeys(
        ("invalid", "min_value", "max_value", "max_string_length", "overflow"), sentence
    )


class _DefaultingField:
    """A number; '' and null, which older dialogs send, stand for the default."""

    nothing: Any

    def run_validation(self, data: Any = serializers.empty) -> Any:
        blank = data is None or (isinstance(data, str) and not data.strip())
        return super().run_validation(self.nothing if blank else data)  # type: ignore[misc]


class _CountField(_DefaultingField, serializers.IntegerField):
    """A whole number from 1."""

    def __init__(self, *, nothing: int, most: int, **options: Any) -> None:
        self.nothing = nothing
        super().__init__(
            required=False,
            allow_null=True,
            min_value=1,
            max_value=most,
            error_messages=_between(1, most),
            **options,
        )


class _TemperatureField(_DefaultingField, serializers.FloatField):
    """A model's temperature from 0, precise, to 2, creative."""

    nothing = 1.0

    def __init__(self, **options: Any) -> None:
        super().__init__(
            required=False,
            allow_null=True,
            min_value=0,
            max_value=MAX_TEMPERATURE,
            error_messages=_between(0, MAX_TEMPERATURE),
            **options,
        )

    def to_internal_value(self, data: Any) -> float:
        """Refuse booleans and NaN."""
        if isinstance(data, bool):
            self.fail("invalid")
        value = super().to_internal_value(data)
        if math.isnan(value):
            self.fail("invalid")
        return value


class _SecretField(TextField):
    """A key; its mask stands for the stored one."""

    def to_internal_value(self, data: Any) -> str:
        """Return the key without surrounding blanks; refuse characters that a header can't have."""
        text = super().to_internal_value(data).strip()
        if text and text.strip("•") and _SPOKEN_KEY.fullmatch(text) is None:
            raise serializers.ValidationError("Esta chave tem caracteres que nenhuma chave tem.")
        return text


class _QueueField(IdField):
    """The queue to hand over to; dialogs send an empty text or false while none is chosen."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(None if data == "" or data is False else data)


class PromptInputSerializer(serializers.Serializer[Any]):
    """A prompt to create or to change (rules/automation §7).

    The service checks, over the whole record, what the voice requires and whether the model
    requires a key.
    """

    name = serializers.CharField(
        max_length=100,
        error_messages={
            **dict.fromkeys(("required", "blank", "null"), "Informe o nome."),
            "max_length": "O nome pode ter no máximo 100 caracteres.",
        },
    )
    prompt = serializers.CharField(
        max_length=MAX_PROMPT,
        trim_whitespace=False,
        error_messages={
            **dict.fromkeys(
                ("required", "blank", "null"), "Escreva as instruções para o assistente."
            ),
            "max_length": f"As instruções podem ter no máximo {MAX_PROMPT} caracteres.",
        },
    )
    queueId = _QueueField(
        source="queue_id",
        error_messages=dict.fromkeys(("required", "null"), EMPTY_QUEUE),
    )
    apiKey = _SecretField(source="api_key", max_length=500)
    maxTokens = _CountField(source="max_tokens", nothing=100, most=MAX_TOKENS)
    maxMessages = _CountField(source="max_messages", nothing=10, most=MAX_MESSAGES)
    temperature = _TemperatureField()
    voice = serializers.ChoiceField(
        choices=(TEXT, *VOICES),
        required=False,
        error_messages={
            **dict.fromkeys(("null", "blank", "invalid_choice"), "Escolha uma voz da lista."),
        },
    )
    voiceKey = _SecretField(source="voice_key", max_length=500)
    voiceRegion = TextField(source="voice_region", max_length=50, trim_whitespace=True)
    baseUrl = TextField(source="base_url", max_length=500, trim_whitespace=True)
    model = TextField(max_length=100, trim_whitespace=True)

    def validate_prompt(self, text: str) -> str:
        """Refuse blank instructions."""
        if not text.strip():
            raise serializers.ValidationError("Escreva as instruções para o assistente.", "blank")
        return text

    def validate_voiceRegion(self, text: str) -> str:
        """Refuse a malformed region, because it becomes part of the speech service's address."""
        region = text.lower().replace(" ", "")
        if region and _REGION.fullmatch(region) is None:
            raise serializers.ValidationError(
                "Informe a região como no Azure: brazilsouth.", "region"
            )
        return region

    def validate_baseUrl(self, text: str) -> str:
        """Refuse an address without http:// or https://, or with '@', '?' or '#'."""
        url = text.rstrip("/")
        if not url:
            return ""
        sentence = "Informe um endereço completo, como https://api.openai.com/v1."
        if not url.lower().startswith(("http://", "https://")):
            raise serializers.ValidationError(sentence, "web_address")
        serializers.URLField(max_length=500, error_messages={"invalid": sentence}).run_validation(
            url
        )
        if "@" in url or "?" in url or "#" in url:
            raise serializers.ValidationError(sentence, "web_address")
        return url


class PromptQueueSerializer(RowSerializer):
    """A queue or a connection, by id and name."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class PromptUsesSerializer(RowSerializer):
    """The queues and connections in which a prompt answers."""

    queues = PromptQueueSerializer(many=True)
    connections = PromptQueueSerializer(many=True)


class PromptSerializer(RowSerializer):
    """A prompt; keys are masked."""

    # The context has the `uses` of the rows.
    id = serializers.IntegerField()
    name = serializers.CharField()
    prompt = serializers.CharField()
    queueId = serializers.IntegerField(source="queue_id")
    queue = PromptQueueSerializer()
    apiKey = serializers.CharField(allow_blank=True)
    maxTokens = serializers.IntegerField(source="max_tokens")
    maxMessages = serializers.IntegerField(source="max_messages")
    temperature = serializers.FloatField()
    voice = serializers.CharField()
    voiceKey = serializers.CharField(allow_blank=True)
    voiceRegion = serializers.CharField(source="voice_region", allow_blank=True)
    baseUrl = serializers.CharField(source="base_url", allow_blank=True)
    model = serializers.CharField(allow_blank=True)
    usedBy = PromptUsesSerializer()
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_apiKey(self, prompt: Prompt) -> str:
        return masked(prompt.api_key)

    def _read_voiceKey(self, prompt: Prompt) -> str:
        return masked(prompt.voice_key)

    def _read_usedBy(self, prompt: Prompt) -> Uses:
        uses: Uses = self.context["uses"][prompt.pk]
        return uses


PromptPageSerializer = page_of("prompts", PromptSerializer, "A page of prompts.")


class PromptCostSerializer(RowSerializer):
    """The tokens that one prompt used in the month; `promptId` is null for deleted prompts."""

    promptId = serializers.IntegerField(source="prompt_id", allow_null=True)
    answers = serializers.IntegerField()
    promptTokens = serializers.IntegerField(source="prompt_tokens")
    completionTokens = serializers.IntegerField(source="completion_tokens")
    totalTokens = serializers.IntegerField(source="total_tokens")


class PromptUsageSerializer(serializers.Serializer[Any]):
    """The tokens used so far in the month, in the company's zone; `dailyLimit` 0 means no limit."""

    month = serializers.CharField()
    prompts = PromptCostSerializer(many=True)
    answers = serializers.IntegerField()
    totalTokens = serializers.IntegerField()
    todayTokens = serializers.IntegerField()
    dailyLimit = serializers.IntegerField()


class TestMessageListSerializer(BoundedListSerializer):
    most = MAX_TEST_MESSAGES
    default_error_messages: ClassVar[dict[str, Any]] = {
        "max_length": "Comece uma conversa nova: esta ficou longa demais."
    }


class TestMessageSerializer(serializers.Serializer[Any]):
    """A message of a test conversation; `fromMe` is true for the model's answers."""

    fromMe = serializers.BooleanField()
    text = serializers.CharField(max_length=MAX_TEST_TEXT)

    class Meta:
        list_serializer_class = TestMessageListSerializer


class PromptTestInputSerializer(PromptInputSerializer):
    """A draft prompt and a test conversation, whose last message is the contact's.

    `promptId` names the stored prompt whose keys the draft's masks stand for.
    """

    promptId = OptionalIdField(source="prompt_id")
    messages = TestMessageSerializer(many=True, allow_empty=False)

    def validate_messages(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse a conversation that does not end with the contact's message."""
        if rows[-1]["fromMe"]:
            raise serializers.ValidationError("A última mensagem precisa ser do cliente.")
        return rows


class PromptTestSerializer(serializers.Serializer[Any]):
    """The model's answer: the messages to the contact, and whether it hands over to a person."""

    messages = serializers.ListField(child=serializers.CharField())
    handOver = serializers.BooleanField()
    model = serializers.CharField()
    promptTokens = serializers.IntegerField()
    completionTokens = serializers.IntegerField()
    durationMs = serializers.IntegerField()
