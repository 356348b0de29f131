"""The wire shape of an integration's log."""

from typing import Any

from rest_framework import serializers

from apps.automation.models import IntegrationDelivery


class DeliverySerializer(serializers.Serializer[Any]):
    """One call of an integration; `statusCode` is null where there was no answer.

    `eventId` is the same over the tries of one event, and `attempt` counts them. A call that went
    well has no `error`.
    """

    id = serializers.IntegerField()
    eventId = serializers.UUIDField()
    event = serializers.CharField()
    url = serializers.CharField()
    attempt = serializers.IntegerField()
    ticketId = serializers.IntegerField(allow_null=True)
    requestBody = serializers.JSONField()
    statusCode = serializers.IntegerField(allow_null=True)
    responseText = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    durationMs = serializers.IntegerField()
    createdAt = serializers.DateTimeField()


class DeliveryPageSerializer(serializers.Serializer[Any]):
    """A page of the log, newest first."""

    deliveries = DeliverySerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


def delivery_row(delivery: IntegrationDelivery) -> dict[str, Any]:
    """Return the wire shape."""
    return {
        "id": delivery.pk,
        "eventId": str(delivery.event_id),
        "event": delivery.event,
        "url": delivery.url,
        "attempt": delivery.attempt,
        "ticketId": delivery.ticket_id,
        "requestBody": delivery.request_body,
        "statusCode": delivery.status_code,
        "responseText": delivery.response_text,
        "error": delivery.error,
        "durationMs": delivery.duration_ms,
        "createdAt": delivery.created_at,
    }
