"""The wire shape of an integration's log."""

from rest_framework import serializers

from apps.common.serializers import RowSerializer, page_of


class IntegrationCallSerializer(RowSerializer):
    """One call of an integration; `statusCode` is null if there was no answer.

    All attempts of one event have the same `eventId`; `attempt` counts them. `error` is the reason
    of a failure in Portuguese, '' after a success. `reasonCode` and `reasonDetail` give the reason
    for any language; they are '' in calls that an older version stored.
    """

    id = serializers.IntegerField()
    eventId = serializers.UUIDField(source="event_id")
    event = serializers.CharField()
    url = serializers.CharField()
    attempt = serializers.IntegerField()
    ticketId = serializers.IntegerField(source="ticket_id", allow_null=True)
    requestBody = serializers.JSONField(source="request_body")
    statusCode = serializers.IntegerField(source="status_code", allow_null=True)
    responseText = serializers.CharField(source="response_text", allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    reasonCode = serializers.CharField(source="reason_code", allow_blank=True)
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)
    durationMs = serializers.IntegerField(source="duration_ms")
    createdAt = serializers.DateTimeField(source="created_at")


IntegrationCallPageSerializer = page_of(
    "deliveries", IntegrationCallSerializer, "A page of the log, newest first."
)
