"""A connection as it is created and changed (rules/connections §2)."""

from typing import Any, ClassVar

from rest_framework import serializers

from apps.common.encryption import is_unchanged
from apps.common.serializers import (
    BooleanField,
    BoundedListField,
    IdField,
    OptionalIdField,
    TextField,
    UnusedField,
    name_field,
)
from apps.connections.models import FALLBACK_MESSAGE, ProviderKind

LARGEST_COUNT = 1000
# A year.
MOST_MINUTES = 525_600
# A contact who waits longer for the bot's answer takes the bot for dead.
MOST_QUIET_SECONDS = 30
# No contact waits longer than a day for a flow.
MOST_SILENCE_MINUTES = 1440
MOST_PAUSE_SECONDS = 300
# Meta's limit for its largest senders.
MOST_SENDS_PER_SECOND = 1000
MOST_WARMUP_DAYS = 90
SHORTEST_TOKEN = 20


class CountField(serializers.IntegerField):
    """A count or a duration; '' and null, which older dialogs send, stand for 0."""

    def __init__(self, *, max_value: int, **options: Any) -> None:
        super().__init__(
            required=False, allow_null=True, min_value=0, max_value=max_value, **options
        )

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation(0 if data is None or data == "" else data)


class FallbackField(TextField):
    """What the bot says when it gives up; an empty text stands for our default."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return str(super().run_validation(data)).strip() or FALLBACK_MESSAGE


class OlderTokenField(TextField):
    """The token of the messages API, as older browsers let one type it (rules/messages-api §1).

    Empty or masked, it keeps the stored one.
    """

    default_error_messages: ClassVar[dict[str, Any]] = {
        "min_length": f"O token precisa ter ao menos {SHORTEST_TOKEN} caracteres."
    }

    def __init__(self) -> None:
        super().__init__(max_length=200, trim_whitespace=True, write_only=True)

    def to_internal_value(self, data: Any) -> str:
        token: str = super().to_internal_value(data)
        if not is_unchanged(token) and len(token) < SHORTEST_TOKEN:
            self.fail("min_length")
        return token


class ConnectionWriteSerializer(serializers.Serializer[Any]):
    """A connection to create or to change; only the name of a new one is required.

    `phone_number_id` and `waba_id` come as fields or inside `qrcode`. An empty or masked
    `accessToken` keeps the stored one (rules/automation §6, rules/connections §2).
    """

    name = name_field()
    provider = serializers.ChoiceField(choices=ProviderKind.choices, required=False)
    isDefault = BooleanField(source="is_default", required=False)
    qrcode = TextField(max_length=500)
    phone_number_id = TextField(max_length=50)
    waba_id = TextField(max_length=50)
    accessToken = TextField(source="access_token", max_length=2000, write_only=True)
    token = OlderTokenField()
    transferMessage = UnusedField("Deixe a mensagem de transferência vazia: ela não é usada.")
    queueIds = BoundedListField(
        source="queue_ids",
        child=IdField(),
        required=False,
        max_length=500,
    )
    greetingMessage = TextField(source="greeting_message", max_length=4096)
    complationMessage = TextField(source="completion_message", max_length=4096)
    outOfHoursMessage = TextField(source="out_of_hours_message", max_length=4096)
    ratingMessage = TextField(source="rating_message", max_length=4096)
    transferQueueId = OptionalIdField(source="transfer_queue_id")
    timeToTransfer = CountField(source="minutes_to_transfer", max_value=MOST_MINUTES)
    textToTransfer = TextField(source="transfer_keyword", max_length=200)
    textToTransferQueueId = OptionalIdField(source="transfer_keyword_queue_id")
    expiresTicket = CountField(source="ticket_expires_minutes", max_value=MOST_MINUTES)
    expiresInactiveMessage = TextField(source="inactive_message", max_length=4096)
    timeUseBotQueues = CountField(source="bot_interval_minutes", max_value=MOST_MINUTES)
    maxUseBotQueues = CountField(source="bot_max_menus", max_value=LARGEST_COUNT)
    botQuietSeconds = CountField(source="bot_quiet_seconds", max_value=MOST_QUIET_SECONDS)
    joinBotTexts = BooleanField(source="joins_bot_texts", required=False)
    integrationSilenceMinutes = serializers.IntegerField(
        source="integration_silence_minutes",
        required=False,
        min_value=1,
        max_value=MOST_SILENCE_MINUTES,
    )
    menuSilenceMinutes = serializers.IntegerField(
        source="menu_silence_minutes",
        required=False,
        min_value=1,
        max_value=MOST_SILENCE_MINUTES,
    )
    fallbackMessage = FallbackField(source="fallback_message", max_length=4096)
    sendPauseSeconds = CountField(source="send_pause_seconds", max_value=MOST_PAUSE_SECONDS)
    sendJitterSeconds = CountField(source="send_jitter_seconds", max_value=MOST_PAUSE_SECONDS)
    sendsPerSecond = CountField(source="sends_per_second", max_value=MOST_SENDS_PER_SECOND)
    warmupContacts = CountField(source="warmup_contacts", max_value=LARGEST_COUNT)
    warmupGrowth = CountField(source="warmup_growth", max_value=LARGEST_COUNT)
    warmupDays = serializers.IntegerField(
        source="warmup_days", required=False, min_value=1, max_value=MOST_WARMUP_DAYS
    )
    integrationId = OptionalIdField(source="integration_id")
    promptId = OptionalIdField(source="prompt_id")
