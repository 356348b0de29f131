"""Connections on the wire, where a connection is called 'whatsapp' (rules/connections §2)."""

from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import parse_qs

from django.utils import timezone
from rest_framework import serializers

from apps.common.encryption import is_unchanged, masked
from apps.common.serializers import (
    BooleanField,
    BoundedListField,
    IdField,
    OptionalIdField,
    RowSerializer,
    SentenceSerializer,
    TextField,
    UnusedField,
    name_field,
)
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import (
    FALLBACK_MESSAGE,
    Connection,
    ConnectionStatus,
    DirectSend,
    PhoneSyncKind,
    PhoneSyncOutcome,
    ProviderKind,
    SendPace,
    SetupProblem,
    SetupState,
    SetupStep,
)
from apps.connections.queries import direct_send_of

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


def qrcode_of(connection: Connection) -> str:
    """Return the wire's `qrcode`: an official number's ids as a query, else the QR code's text."""
    if connection.provider != ProviderKind.OFFICIAL:
        return connection.qrcode
    return f"phone_number_id={connection.phone_number_id or ''}&waba_id={connection.waba_id}"


def ids_in_qrcode(qrcode: str) -> dict[str, str]:
    """Return the ids in a `qrcode` that a client sent; empty if it is no such query."""
    query = parse_qs(qrcode)
    return {key: query[key][0].strip() for key in ("phone_number_id", "waba_id") if key in query}


class ConnectionQueueSerializer(RowSerializer):
    """A queue that a connection leads to."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    color = serializers.CharField()


class CapabilitiesSerializer(RowSerializer):
    """What the provider of a connection can do; browsers hide what it can't."""

    edit = serializers.BooleanField()
    delete = serializers.BooleanField()
    react = serializers.BooleanField()
    templates = serializers.BooleanField()
    sessionWindow = serializers.BooleanField(source="session_window")
    interactive = serializers.BooleanField(
        source="native_menus",
        help_text="True: people can send buttons, lists, links, requests and products.",
    )


class SessionWriteSerializer(serializers.Serializer[Any]):
    """How to link a QR session: by scanning, or by a code typed into the phone of `number`."""

    number = serializers.RegexField(r"^[0-9]{8,15}$", required=False, default="", allow_blank=True)


class SessionStartSerializer(SentenceSerializer):
    """The result of a start.

    `reasonCode` and `reasonDetail` give a failure's reason for any language.
    """

    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)


class AlertSerializer(RowSerializer):
    """An alert of Meta about a number, in Meta's words."""

    kind = serializers.CharField()
    severity = serializers.ChoiceField(choices=["critical", "warning", "informational"])
    text = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    until = serializers.DateTimeField(
        allow_null=True, help_text="When the alert ends by itself; null if it has no end."
    )

    def _read_until(self, alert: dict[str, Any]) -> str | None:
        # Alerts that were stored by older versions have no end.
        return alert.get("until")


def _is_paused(connection: Connection) -> bool:
    paused_until = connection.sends_paused_until
    return paused_until is not None and paused_until > timezone.now()


def _is_well(connection: Connection) -> bool:
    return connection.status == ConnectionStatus.CONNECTED and not _is_paused(connection)


def _pace_today(connection: Connection, pace: SendPace | None) -> SendPace | None:
    """Return the row that counts the number's new contacts of today.

    None if they are not counted.
    """
    if pace is None or not connection.warmup_contacts:
        return None
    return pace if pace.day_ends_at is not None and pace.day_ends_at > timezone.now() else None


class ConnectionSerializer(RowSerializer):
    """A connection, in all responses and events; secrets are masked."""

    # A list's context has `queues` and `paces` by connection (`shown_connections`).
    id = serializers.IntegerField()
    name = serializers.CharField()
    number = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=ConnectionStatus.choices)
    statusReason = serializers.CharField(allow_blank=True)
    reasonCode = serializers.CharField(
        allow_blank=True,
        help_text="Code of the reason, for translation; '' if the reason was stored without one.",
    )
    reasonDetail = serializers.CharField(allow_blank=True)
    sendsPausedUntil = serializers.DateTimeField(allow_null=True)
    qualityRating = serializers.ChoiceField(
        source="quality_rating",
        choices=["GREEN", "YELLOW", "RED", "UNKNOWN"],
        allow_blank=True,
        help_text="Meta's rating of the number; '' if Meta has not reported it.",
    )
    messagingLimit = serializers.IntegerField(
        source="messaging_limit",
        allow_null=True,
        help_text=(
            "How many people the number may write to first in 24 hours; -1: no limit, null:"
            " not known."
        ),
    )
    routingRoles = serializers.ListField(
        source="routing_roles",
        child=serializers.CharField(),
        allow_null=True,
        help_text=(
            "The number's roles among its responders, as Meta names them; null if Meta has not"
            " told them."
        ),
    )
    routingRolesAt = serializers.DateTimeField(source="routing_roles_at", allow_null=True)
    routingReason = serializers.CharField(
        source="routing_reason",
        allow_blank=True,
        help_text="Why what other responders do is not told to us; '' if it is.",
    )
    routingReasonCode = serializers.CharField(source="routing_reason_code", allow_blank=True)
    routingReasonDetail = serializers.CharField(source="routing_reason_detail", allow_blank=True)
    directSend = serializers.ChoiceField(
        choices=DirectSend.choices,
        help_text=(
            "Whether Meta sends utility texts of the account without a template; `unknown`: the"
            " next one will tell."
        ),
    )
    directSendAt = serializers.DateTimeField(source="direct_send_at", allow_null=True)
    directSendUntil = serializers.DateTimeField(
        source="direct_send_until",
        allow_null=True,
        help_text="Until when a refusal counts; null without one.",
    )
    directSendReasonCode = serializers.CharField(
        source="direct_send_reason_code", allow_blank=True, help_text="Why Meta refuses; '' if not."
    )
    alerts = AlertSerializer(
        many=True, help_text="Alerts with the severity `critical` or `warning`, newest first."
    )
    provider = serializers.ChoiceField(choices=ProviderKind.choices)
    isDefault = serializers.BooleanField(source="is_default")
    qrcode = serializers.CharField(allow_blank=True)
    pairingCode = serializers.CharField(source="pairing_code", allow_blank=True)
    retries = serializers.IntegerField()
    phone_number_id = serializers.CharField(allow_blank=True)
    waba_id = serializers.CharField(allow_blank=True)
    accessToken = serializers.CharField(allow_blank=True)
    token = serializers.CharField(allow_blank=True)
    queues = ConnectionQueueSerializer(many=True)
    greetingMessage = serializers.CharField(source="greeting_message", allow_blank=True)
    complationMessage = serializers.CharField(source="completion_message", allow_blank=True)
    outOfHoursMessage = serializers.CharField(source="out_of_hours_message", allow_blank=True)
    ratingMessage = serializers.CharField(source="rating_message", allow_blank=True)
    transferQueueId = serializers.IntegerField(source="transfer_queue_id", allow_null=True)
    timeToTransfer = serializers.IntegerField(source="minutes_to_transfer")
    textToTransfer = serializers.CharField(source="transfer_keyword", allow_blank=True)
    textToTransferQueueId = serializers.IntegerField(
        source="transfer_keyword_queue_id", allow_null=True
    )
    expiresTicket = serializers.IntegerField(source="ticket_expires_minutes")
    expiresInactiveMessage = serializers.CharField(source="inactive_message", allow_blank=True)
    timeUseBotQueues = serializers.IntegerField(source="bot_interval_minutes")
    maxUseBotQueues = serializers.IntegerField(source="bot_max_menus")
    botQuietSeconds = serializers.IntegerField(source="bot_quiet_seconds")
    joinBotTexts = serializers.BooleanField(
        source="joins_bot_texts",
        help_text="Whether the texts of one step of the bot are joined into one message.",
    )
    integrationSilenceMinutes = serializers.IntegerField(source="integration_silence_minutes")
    menuSilenceMinutes = serializers.IntegerField(source="menu_silence_minutes")
    fallbackMessage = serializers.CharField(source="fallback_message")
    sendPauseSeconds = serializers.IntegerField(source="send_pause_seconds")
    sendJitterSeconds = serializers.IntegerField(source="send_jitter_seconds")
    sendsPerSecond = serializers.IntegerField(source="sends_per_second")
    warmupContacts = serializers.IntegerField(source="warmup_contacts")
    warmupGrowth = serializers.IntegerField(source="warmup_growth")
    warmupDays = serializers.IntegerField(source="warmup_days")
    newContactsToday = serializers.IntegerField()
    newContactsCeiling = serializers.IntegerField(
        allow_null=True,
        help_text=(
            "How many new contacts the number may write to first today; null if they are not"
            " limited, or if none was counted today."
        ),
    )
    integrationId = serializers.IntegerField(source="integration_id", allow_null=True)
    promptId = serializers.IntegerField(source="prompt_id", allow_null=True)
    capabilities = CapabilitiesSerializer()
    companyId = serializers.IntegerField(source="company_id")
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_statusReason(self, connection: Connection) -> str:
        return "" if _is_well(connection) else connection.status_reason

    def _read_reasonCode(self, connection: Connection) -> str:
        return "" if _is_well(connection) else connection.reason_code

    def _read_reasonDetail(self, connection: Connection) -> str:
        return "" if _is_well(connection) else connection.reason_detail

    def _read_sendsPausedUntil(self, connection: Connection) -> datetime | None:
        return connection.sends_paused_until if _is_paused(connection) else None

    def _read_directSend(self, connection: Connection) -> str:
        return direct_send_of(connection)

    def _read_alerts(self, connection: Connection) -> list[dict[str, Any]]:
        return [each for each in connection.alerts or [] if each["severity"] != "informational"]

    def _read_qrcode(self, connection: Connection) -> str:
        return qrcode_of(connection)

    def _read_phone_number_id(self, connection: Connection) -> str:
        return connection.phone_number_id or ""

    def _read_accessToken(self, connection: Connection) -> str:
        return masked(connection.access_token)

    def _read_token(self, connection: Connection) -> str:
        return masked(connection.token_hash or "")

    def _read_queues(self, connection: Connection) -> Any:
        if "queues" in self.context:
            return self.context["queues"].get(connection.pk, ())
        return connection.queues

    def _pace(self, connection: Connection) -> SendPace | None:
        if "paces" in self.context:
            return _pace_today(connection, self.context["paces"].get(connection.pk))
        return _pace_today(connection, getattr(connection, "pace", None))

    def _read_newContactsToday(self, connection: Connection) -> int:
        pace = self._pace(connection)
        return len(pace.day_contacts) if pace else 0

    def _read_newContactsCeiling(self, connection: Connection) -> int | None:
        pace = self._pace(connection)
        return pace.day_ceiling if pace else None

    def _read_capabilities(self, connection: Connection) -> object:
        return capabilities_of_kind(connection.provider)


class PhoneSyncSerializer(RowSerializer):
    """The transfer of contacts or history from the phone of a number that stays in its app."""

    kind = serializers.ChoiceField(choices=PhoneSyncKind.choices)
    state = serializers.ChoiceField(source="outcome", choices=PhoneSyncOutcome.choices)
    phase = serializers.IntegerField(
        allow_null=True,
        help_text="Age of the data: 0 is the last day, 1 up to 90 days, 2 up to 180 days.",
    )
    progress = serializers.IntegerField(help_text="Percent, 0 to 100.")
    received = serializers.IntegerField(
        source="received_count", help_text="Number of new rows that were stored."
    )
    askedAt = serializers.DateTimeField(source="asked_at", allow_null=True)
    receivedAt = serializers.DateTimeField(source="received_at", allow_null=True)
    sentence = serializers.CharField(
        source="reason", allow_blank=True, help_text="Why the transfer failed."
    )
    reasonCode = serializers.CharField(source="reason_code", allow_blank=True)
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)


class PhoneAskSerializer(serializers.Serializer[Any]):
    """The kind of data to request from the phone again."""

    kind = serializers.ChoiceField(choices=PhoneSyncKind.choices)


class ConnectionTokenSerializer(serializers.Serializer[Any]):
    """A new token, shown only in this response."""

    token = serializers.CharField()


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


class SetupWriteSerializer(serializers.Serializer[Any]):
    """The setup step to check, and the values of the form.

    An empty or masked `accessToken` stands for that of the connection `id`, else for the
    operator's. `subscribes` first subscribes the token's app to the account.
    """

    step = serializers.ChoiceField(choices=SetupStep.choices)
    id = OptionalIdField(source="connection_id")
    phone_number_id = TextField(max_length=50)
    waba_id = TextField(max_length=50)
    accessToken = TextField(source="access_token", max_length=2000, write_only=True)
    subscribes = BooleanField(required=False, default=False)


class SetupCheckSerializer(RowSerializer):
    """The result of checking one setup step; it contains no secret."""

    step = serializers.ChoiceField(choices=SetupStep.choices)
    state = serializers.ChoiceField(choices=SetupState.choices)
    problem = serializers.ChoiceField(choices=SetupProblem.choices, allow_blank=True)
    detail = serializers.CharField(allow_blank=True)
    number = serializers.CharField(allow_blank=True)
    name = serializers.CharField(allow_blank=True)


class SignupOfferSerializer(RowSerializer):
    """What a browser needs to open Meta's embedded signup; empty texts if it is not offered."""

    isOffered = serializers.BooleanField(source="is_offered")
    appId = serializers.CharField(source="app_id", allow_blank=True)
    configId = serializers.CharField(source="config_id", allow_blank=True)
    version = serializers.CharField(allow_blank=True, help_text="Version of Meta's Graph API.")
    sdkUrl = serializers.CharField(source="sdk_url", allow_blank=True)
    origins = serializers.ListField(
        child=serializers.CharField(),
        help_text="Origins of the messages that Meta's window posts to the page.",
    )


class SignupWriteSerializer(serializers.Serializer[Any]):
    """The result of Meta's signup window.

    Meta does not name every number that stays on its phone, so `phone_number_id` may be empty.
    """

    code = serializers.CharField(max_length=2000, write_only=True)
    waba_id = serializers.CharField(max_length=50)
    phone_number_id = TextField(max_length=50)
    coexistence = BooleanField(source="is_coexistence", required=False, default=False)
    pin = TextField(max_length=6, write_only=True)


class SignedUpSerializer(RowSerializer):
    """The connection, and the PIN that was made for its number, which only this response has."""

    connection = ConnectionSerializer()
    pin = serializers.CharField(allow_blank=True)


class WebhookSerializer(serializers.Serializer[Any]):
    """The webhook's address and verify token, to be entered at Meta."""

    address = serializers.CharField()
    verifyToken = serializers.CharField(allow_blank=True)
