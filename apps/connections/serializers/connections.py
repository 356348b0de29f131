"""Connections on the wire, where a connection is called 'whatsapp' (rules/connections §2)."""

from datetime import datetime
from typing import Any
from urllib.parse import parse_qs

from django.utils import timezone
from rest_framework import serializers

from apps.common.encryption import masked
from apps.common.serializers import RowSerializer, SentenceSerializer
from apps.connections.capabilities import capabilities_of_kind
from apps.connections.models import (
    Connection,
    ConnectionStatus,
    DirectSend,
    PhoneSyncKind,
    PhoneSyncOutcome,
    ProviderKind,
    SendPace,
)
from apps.connections.queries import direct_send_of


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
