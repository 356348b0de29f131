"""The wire shape of an integration's log."""

from typing import Any

from rest_framework import serializers

from apps.automation.models import IntegrationCall


class IntegrationCallSerializer(serializers.Serializer[Any]):
    """One call of an integration; `statusCode` is null where there was no answer.

    `eventId` is the same over the tries of one event, and `attempt` counts them. A call that went
    well has no `error`; `reasonCode` and `reasonDetail` say the same for every language, '' for an
    old one.
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
    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)
    durationMs = serializers.IntegerField()
    createdAt = serializers.DateTimeField()


class IntegrationCallPageSerializer(serializers.Serializer[Any]):
    """A page of the log, newest first."""

    deliveries = IntegrationCallSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


def call_row(call: IntegrationCall) -> dict[str, Any]:
    """Return the wire shape."""
    return {
        "id": call.pk,
        "eventId": str(call.event_id),
        "event": call.event,
        "url": call.url,
        "attempt": call.attempt,
        "ticketId": call.ticket_id,
        "requestBody": call.request_body,
        "statusCode": call.status_code,
        "responseText": call.response_text,
        "error": call.error,
        "reasonCode": call.reason_code,
        "reasonDetail": call.reason_detail,
        "durationMs": call.duration_ms,
        "createdAt": call.created_at,
    }
