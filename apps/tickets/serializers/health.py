"""The health of a number, on the wire."""

from typing import Any

from rest_framework import serializers

from apps.common.serializers import RowSerializer
from apps.connections.serializers.connections import (
    AlertSerializer,
    PhoneSyncSerializer,
)
from apps.tickets.queries.health import Health


class FailuresSerializer(RowSerializer):
    """The messages of the last 24 hours that failed for one reason."""

    reasonCode = serializers.CharField(source="reason_code", allow_blank=True)
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)
    sentence = serializers.CharField(allow_blank=True)
    count = serializers.IntegerField()


class HealthSerializer(RowSerializer):
    """The health of a number; Meta's figures are empty for a QR session."""

    id = serializers.IntegerField(source="connection.id")
    lastInAt = serializers.DateTimeField(source="last_in_at", allow_null=True)
    lastOutAt = serializers.DateTimeField(source="last_out_at", allow_null=True)
    lastOutAck = serializers.IntegerField(source="last_out_ack", allow_null=True)
    failed = serializers.IntegerField()
    failures = FailuresSerializer(many=True)
    waiting = serializers.IntegerField()
    waitingSince = serializers.DateTimeField(source="waiting_since", allow_null=True)
    qualityRating = serializers.ChoiceField(
        source="connection.quality_rating",
        choices=["GREEN", "YELLOW", "RED", "UNKNOWN"],
        allow_blank=True,
    )
    qualityAt = serializers.DateTimeField(source="connection.quality_at", allow_null=True)
    messagingLimit = serializers.IntegerField(source="connection.messaging_limit", allow_null=True)
    messagingLimitAt = serializers.DateTimeField(
        source="connection.messaging_limit_at", allow_null=True
    )
    alerts = AlertSerializer(many=True)
    phone = PhoneSyncSerializer(
        many=True,
        help_text="Transfers from the phone of a number that stays in its app; else empty.",
    )

    def _read_alerts(self, health: Health) -> list[dict[str, Any]]:
        return health.connection.alerts or []
