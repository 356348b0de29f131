"""The wire shapes of outgoing webhooks and of their log (rules/automation §11)."""

from typing import Any

from rest_framework import serializers

from apps.automation.addresses import masked_address
from apps.automation.models import OutgoingWebhook, WebhookDelivery, WebhookEvent, WebhookStop
from apps.automation.queries.webhooks import Standing
from apps.common.encryption import masked
from apps.common.leases import LeaseState
from apps.common.serializers import BooleanField, BoundedListField, IdField, name_field

# By the state of the row; a worker's claim is over within seconds.
STATUSES = {LeaseState.DONE: "delivered", LeaseState.FAILED: "failed"}
WAITING = "waiting"
STATUS_NAMES = (WAITING, *STATUSES.values())


class OutgoingWebhookInputSerializer(serializers.Serializer[Any]):
    """A webhook to create, or what to change of one."""

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
        """Refuse what is no web address."""
        if not url.lower().startswith(("http://", "https://")):
            raise serializers.ValidationError(
                "O endereço precisa começar com https:// ou http://.", "web_address"
            )
        return url

    def validate_events(self, events: list[str]) -> list[str]:
        """Return each event once, in the order in which they are known."""
        return [event for event in WebhookEvent.values if event in events]


class WebhookOutcomeSerializer(serializers.Serializer[Any]):
    """How the newest event that was tried went."""

    at = serializers.DateTimeField()
    ok = serializers.BooleanField()
    statusCode = serializers.IntegerField(allow_null=True)
    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)


class OutgoingWebhookSerializer(serializers.Serializer[Any]):
    """An outgoing webhook; the address's password is masked.

    `secret` comes in clear once: in the answer of the call that made it. `stoppedBy` says who
    switched it off, '' while it is on; `failingSince` is the first failure since it last answered,
    and nothing is tried before `pausedUntil`. `waiting` counts the events that are still to go.
    """

    id = serializers.IntegerField()
    name = serializers.CharField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=WebhookEvent.choices))
    isActive = serializers.BooleanField()
    stoppedBy = serializers.ChoiceField(choices=WebhookStop.choices, allow_blank=True)
    secret = serializers.CharField()
    failingSince = serializers.DateTimeField(allow_null=True)
    pausedUntil = serializers.DateTimeField(allow_null=True)
    waiting = serializers.IntegerField()
    lastDelivery = WebhookOutcomeSerializer(allow_null=True)
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


class OutgoingWebhookPageSerializer(serializers.Serializer[Any]):
    """A page of outgoing webhooks."""

    outgoingWebhooks = OutgoingWebhookSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


class WebhookSecretSerializer(serializers.Serializer[Any]):
    """A new secret, shown this once."""

    secret = serializers.CharField()


class WebhookTestSerializer(serializers.Serializer[Any]):
    """How a trial went; `statusCode` is null where there was no answer."""

    ok = serializers.BooleanField()
    statusCode = serializers.IntegerField(allow_null=True)
    durationMs = serializers.IntegerField()
    responseText = serializers.CharField(allow_blank=True)
    error = serializers.CharField(allow_blank=True)
    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)


class WebhookDeliverySerializer(serializers.Serializer[Any]):
    """An event of the log with its last try.

    `attempts` counts the tries so far; `nextAttemptAt` is null where none is to come. `statusCode`
    is null where there was no answer yet, and one that went well has no `reasonCode`.
    """

    id = serializers.IntegerField()
    eventId = serializers.UUIDField()
    event = serializers.ChoiceField(choices=WebhookEvent.choices)
    contactId = serializers.IntegerField()
    status = serializers.ChoiceField(choices=STATUS_NAMES)
    attempts = serializers.IntegerField()
    nextAttemptAt = serializers.DateTimeField(allow_null=True)
    requestBody = serializers.JSONField()
    statusCode = serializers.IntegerField(allow_null=True)
    responseText = serializers.CharField(allow_blank=True)
    reasonCode = serializers.CharField(allow_blank=True)
    reasonDetail = serializers.CharField(allow_blank=True)
    durationMs = serializers.IntegerField()
    createdAt = serializers.DateTimeField()
    finishedAt = serializers.DateTimeField(allow_null=True)


class WebhookDeliveryPageSerializer(serializers.Serializer[Any]):
    """A part of the log, newest first; the next one begins before the last row's id."""

    deliveries = WebhookDeliverySerializer(many=True)
    hasMore = serializers.BooleanField()


class WebhookLogQuerySerializer(serializers.Serializer[Any]):
    """What narrows a log; all of it without a value, and from the newest without `beforeId`."""

    event = serializers.ChoiceField(choices=WebhookEvent.choices, required=False)
    status = serializers.ChoiceField(choices=STATUS_NAMES, required=False)
    beforeId = IdField(source="before_id", required=False)


def webhook_row(
    webhook: OutgoingWebhook, standing: Standing, *, new_secret: str = ""
) -> dict[str, Any]:
    """Return a webhook in the shape of `OutgoingWebhookSerializer`."""
    last = standing.last
    return {
        "id": webhook.pk,
        "name": webhook.name,
        "url": masked_address(webhook.url),
        "events": webhook.events,
        "isActive": webhook.is_active,
        "stoppedBy": webhook.stopped_by,
        "secret": new_secret or masked(webhook.secret),
        "failingSince": webhook.failing_since,
        "pausedUntil": webhook.paused_until,
        "waiting": standing.waiting,
        "lastDelivery": last
        and {
            "at": last.finished_at or last.created_at,
            "ok": last.state == LeaseState.DONE,
            "statusCode": last.status_code,
            "reasonCode": last.reason_code,
            "reasonDetail": last.reason_detail,
        },
        "createdAt": webhook.created_at,
        "updatedAt": webhook.updated_at,
    }


def webhook_delivery_row(row: WebhookDelivery) -> dict[str, Any]:
    """Return an event of the log in the shape of `WebhookDeliverySerializer`."""
    status = STATUSES.get(LeaseState(row.state), WAITING)
    return {
        "id": row.pk,
        "eventId": str(row.event_id),
        "event": row.event,
        "contactId": row.contact_id,
        "status": status,
        "attempts": row.attempts,
        "nextAttemptAt": row.next_attempt_at if status == WAITING else None,
        "requestBody": row.payload,
        "statusCode": row.status_code,
        "responseText": row.response_text,
        "reasonCode": row.reason_code,
        "reasonDetail": row.reason_detail,
        "durationMs": row.duration_ms,
        "createdAt": row.created_at,
        "finishedAt": row.finished_at,
    }
