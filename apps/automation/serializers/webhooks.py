"""The wire shapes of outgoing webhooks and of their log (rules/automation §11)."""

from datetime import datetime
from typing import Any

from rest_framework import serializers

from apps.automation.addresses import masked_address
from apps.automation.models import OutgoingWebhook, WebhookDelivery, WebhookEvent, WebhookStop
from apps.automation.queries.webhooks import Standing
from apps.common.encryption import masked
from apps.common.leases import LeaseState
from apps.common.serializers import (
    BooleanField,
    BoundedListField,
    IdField,
    RowSerializer,
    name_field,
    page_of,
)

# By the lease state of the row. A claimed row is still 'waiting', because a claim lasts seconds.
STATUSES = {LeaseState.DONE: "delivered", LeaseState.FAILED: "failed"}
WAITING = "waiting"
STATUS_NAMES = (WAITING, *STATUSES.values())


class OutgoingWebhookInputSerializer(serializers.Serializer[Any]):
    """A webhook to create or to change."""

    name = name_field()
    url = serializers.URLField(
        max_length=500,
        error_messages={
            **dict.fromkeys(("required", "blank", "null"), "Informe o endereço."),
            "invalid": "Informe um endereço completo, como https://exemplo.com/avisos.",
        },
    )
    events = BoundedListField(
        max_length=len(WebhookEvent),
        allow_empty=False,
        child=serializers.ChoiceField(
            choices=WebhookEvent.choices,
            error_messages={"invalid_choice": "Este evento não existe."},
        ),
        error_messages={
            **dict.fromkeys(("required", "null", "empty"), "Escolha pelo menos um evento.")
        },
    )
    isActive = BooleanField(source="is_active", required=False)

    def validate_url(self, url: str) -> str:
        """Refuse an address that does not begin with http:// or https://."""
        if not url.lower().startswith(("http://", "https://")):
            raise serializers.ValidationError(
                "O endereço precisa começar com https:// ou http://.", "web_address"
            )
        return url

    def validate_events(self, events: list[str]) -> list[str]:
        """Return each event once, in the order of WebhookEvent."""
        return [event for event in WebhookEvent.values if event in events]


class WebhookOutcomeSerializer(RowSerializer):
    """The result of the newest event that was attempted."""

    at = serializers.DateTimeField()
    ok = serializers.BooleanField()
    statusCode = serializers.IntegerField(source="status_code", allow_null=True)
    reasonCode = serializers.CharField(source="reason_code", allow_blank=True)
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)

    def _read_at(self, delivery: WebhookDelivery) -> datetime:
        return delivery.finished_at or delivery.created_at

    def _read_ok(self, delivery: WebhookDelivery) -> bool:
        return delivery.state == LeaseState.DONE


class OutgoingWebhookSerializer(RowSerializer):
    """An outgoing webhook; the password in its address is masked.

    `secret` is unmasked once: in the response of the call that created it. `stoppedBy` says who
    switched the webhook off, '' while it is on. `failingSince` is the time of the first failure
    since the last success. No event is sent before `pausedUntil`. `waiting` counts the events that
    are still to be sent.
    """

    # The context has the `standings` of the rows and, after a call that created a secret, the
    # `new_secret`.
    id = serializers.IntegerField()
    name = serializers.CharField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=WebhookEvent.choices))
    isActive = serializers.BooleanField(source="is_active")
    stoppedBy = serializers.ChoiceField(
        source="stopped_by", choices=WebhookStop.choices, allow_blank=True
    )
    secret = serializers.CharField()
    failingSince = serializers.DateTimeField(source="failing_since", allow_null=True)
    pausedUntil = serializers.DateTimeField(source="paused_until", allow_null=True)
    waiting = serializers.IntegerField()
    lastDelivery = WebhookOutcomeSerializer(allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at")
    updatedAt = serializers.DateTimeField(source="updated_at")

    def _read_url(self, webhook: OutgoingWebhook) -> str:
        return masked_address(webhook.url)

    def _read_secret(self, webhook: OutgoingWebhook) -> str:
        return self.context.get("new_secret") or masked(webhook.secret)

    def _read_waiting(self, webhook: OutgoingWebhook) -> int:
        return self._standing(webhook).waiting

    def _read_lastDelivery(self, webhook: OutgoingWebhook) -> WebhookDelivery | None:
        return self._standing(webhook).last

    def _standing(self, webhook: OutgoingWebhook) -> Standing:
        standing: Standing = self.context["standings"][webhook.pk]
        return standing


OutgoingWebhookPageSerializer = page_of(
    "outgoingWebhooks", OutgoingWebhookSerializer, "A page of outgoing webhooks."
)


class WebhookSecretSerializer(serializers.Serializer[Any]):
    """A new secret, shown only in this response."""

    secret = serializers.CharField()


class WebhookTestSerializer(serializers.Serializer[Any]):
    """The result of a test; `statusCode` is null if there was no answer."""

    ok = serializers.BooleanField()
    statusCode = serializers.IntegerField(allow_null=True)
    durationMs = serializers.IntegerField()
    responseText = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)


class WebhookDeliverySerializer(RowSerializer):
    """An event of the log with its last attempt.

    `attempts` counts the attempts so far; `nextAttemptAt` is null if none follows. `statusCode` is
    null if there was no answer, or none yet. `reasonCode` is '' after a success.
    """

    id = serializers.IntegerField()
    eventId = serializers.UUIDField(source="event_id")
    event = serializers.ChoiceField(choices=WebhookEvent.choices)
    contactId = serializers.IntegerField(source="contact_id")
    status = serializers.ChoiceField(choices=STATUS_NAMES)
    attempts = serializers.IntegerField()
    nextAttemptAt = serializers.DateTimeField(allow_null=True)
    requestBody = serializers.JSONField(source="payload")
    statusCode = serializers.IntegerField(source="status_code", allow_null=True)
    responseText = serializers.CharField(source="response_text", allow_blank=True)
    reasonCode = serializers.CharField(source="reason_code", allow_blank=True)
    reasonDetail = serializers.CharField(source="reason_detail", allow_blank=True)
    durationMs = serializers.IntegerField(source="duration_ms")
    createdAt = serializers.DateTimeField(source="created_at")
    finishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)

    def _read_status(self, delivery: WebhookDelivery) -> str:
        return STATUSES.get(LeaseState(delivery.state), WAITING)

    def _read_nextAttemptAt(self, delivery: WebhookDelivery) -> datetime | None:
        return delivery.next_attempt_at if self._read_status(delivery) == WAITING else None


class WebhookDeliveryPageSerializer(serializers.Serializer[Any]):
    """A part of the log, newest first; the last row's id is the `beforeId` of the next part."""

    deliveries = WebhookDeliverySerializer(many=True)
    hasMore = serializers.BooleanField()


class WebhookLogQuerySerializer(serializers.Serializer[Any]):
    """The filters of a log; `beforeId` asks for events older than that one."""

    event = serializers.ChoiceField(choices=WebhookEvent.choices, required=False)
    status = serializers.ChoiceField(choices=STATUS_NAMES, required=False)
    beforeId = IdField(source="before_id", required=False)
