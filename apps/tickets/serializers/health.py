"""How a number is, on the wire."""

from typing import Any

from rest_framework import serializers

from apps.connections.serializers.connections import (
    AlertSerializer,
    PhoneSyncSerializer,
    alert_rows,
    phone_sync_row,
)
from apps.tickets.queries.health import Health


def health_row(health: Health) -> dict[str, Any]:
    """Return how a number is, as the answer shows it."""
    connection = health.connection
    return {
        "id": connection.pk,
        "lastInAt": health.last_in_at,
        "lastOutAt": health.last_out_at,
        "lastOutAck": health.last_out_ack,
        "failed": health.failed,
        "failures": [
            {
                "reasonCode": each.reason_code,
                "reasonDetail": each.reason_detail,
                "sentence": each.sentence,
                "count": each.count,
            }
            for each in health.failures
        ],
        "waiting": health.waiting,
        "waitingSince": health.waiting_since,
        "qualityRating": connection.quality_rating,
        "qualityAt": connection.quality_at,
        "messagingLimit": connection.messaging_limit,
        "messagingLimitAt": connection.messaging_limit_at,
        "alerts": alert_rows(connection),
        "phone": [phone_sync_row(each) for each in health.phone],
    }


class FailuresSerializer(serializers.Serializer[Any]):
    """Messages of the last 24 hours that did not arrive, for one reason."""

    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField(allow_blank=True)
    count = serializers.IntegerField()


class HealthSerializer(serializers.Serializer[Any]):
    """The schema of `health_row`; Meta's figures are empty for a QR session."""

    id = serializers.IntegerField()
    lastInAt = serializers.DateTimeField(allow_null=True)
    lastOutAt = serializers.DateTimeField(allow_null=True)
    lastOutAck = serializers.IntegerField(allow_null=True)
    failed = serializers.IntegerField()
    failures = FailuresSerializer(many=True)
    waiting = serializers.IntegerField()
    waitingSince = serializers.DateTimeField(allow_null=True)
    qualityRating = serializers.ChoiceField(
        choices=["GREEN", "YELLOW", "RED", "UNKNOWN"], allow_blank=True
    )
    qualityAt = serializers.DateTimeField(allow_null=True)
    messagingLimit = serializers.IntegerField(allow_null=True)
    messagingLimitAt = serializers.DateTimeField(allow_null=True)
    alerts = AlertSerializer(many=True)
    phone = PhoneSyncSerializer(
        many=True, help_text="Of a number that stays in its phone's app, else empty."
    )
