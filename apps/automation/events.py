"""Realtime events of prompts, integrations and outgoing webhooks."""

import contextlib

from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework import serializers

from apps.automation.models import OutgoingWebhook, Prompt, QueueIntegration, WebhookDelivery
from apps.automation.queries.integrations import last_calls
from apps.automation.queries.prompts import uses_of
from apps.automation.serializers.integrations import IntegrationSerializer
from apps.automation.serializers.prompts import PromptSerializer
from apps.common.serializers import row_of
from apps.realtime.emit import LiveEvent, emit

# A busy webhook may get ten deliveries a second. The interface does not need that many events.
TOLD_SECONDS = 2

INTEGRATION = LiveEvent(
    "queueIntegration",
    create={"queueIntegration": IntegrationSerializer()},
    update={"queueIntegration": IntegrationSerializer()},
    delete={"integrationId": serializers.IntegerField()},
)
PROMPT = LiveEvent(
    "prompt",
    also="prompt",
    create={"prompt": PromptSerializer()},
    update={"prompt": PromptSerializer()},
    delete={"promptId": serializers.IntegerField()},
)
# Only admins may see addresses and names. The event goes to all users, so it carries only the id;
# admins' browsers fetch the rest.
WEBHOOK = LiveEvent(
    "outgoingWebhook",
    create={"webhookId": serializers.IntegerField()},
    update={"webhookId": serializers.IntegerField()},
    delete={"webhookId": serializers.IntegerField()},
    # A delivery succeeded or failed. Sent at most once every TOLD_SECONDS per webhook.
    deliver={"webhookId": serializers.IntegerField()},
)


def integration_created(integration: QueueIntegration) -> None:
    """Tell the company about a new integration, with secrets masked."""
    _tell_integration("create", integration)


def integration_updated(integration: QueueIntegration) -> None:
    """Tell the company about a changed integration, with secrets masked."""
    _tell_integration("update", integration)


def integration_deleted(*, company_id: int, integration_id: int) -> None:
    """Tell the company that an integration was deleted."""
    emit(INTEGRATION, "delete", {"integrationId": integration_id}, company_id=company_id)


def _tell_integration(action: str, integration: QueueIntegration) -> None:
    row = row_of(IntegrationSerializer, integration, last_calls=last_calls([integration]))
    emit(INTEGRATION, action, {"queueIntegration": row}, company_id=integration.company_id)


def prompt_created(prompt: Prompt) -> None:
    """Tell the company about a new prompt, with keys masked."""
    _tell_prompt("create", prompt)


def prompt_updated(prompt: Prompt) -> None:
    """Tell the company about a changed prompt, with keys masked."""
    _tell_prompt("update", prompt)


def prompt_deleted(*, company_id: int, prompt_id: int) -> None:
    """Tell the company that a prompt was deleted."""
    emit(PROMPT, "delete", {"promptId": prompt_id}, company_id=company_id)


def _tell_prompt(action: str, prompt: Prompt) -> None:
    row = row_of(PromptSerializer, prompt, uses=uses_of([prompt]))
    emit(PROMPT, action, {"prompt": row}, company_id=prompt.company_id)


def webhook_created(webhook: OutgoingWebhook) -> None:
    """Tell the company that an outgoing webhook was created."""
    _tell_webhook("create", company_id=webhook.company_id, webhook_id=webhook.pk)


def webhook_updated(webhook: OutgoingWebhook) -> None:
    """Tell the company that the settings or the state of an outgoing webhook changed."""
    _tell_webhook("update", company_id=webhook.company_id, webhook_id=webhook.pk)


def webhook_deleted(*, company_id: int, webhook_id: int) -> None:
    """Tell the company that an outgoing webhook was deleted."""
    _tell_webhook("delete", company_id=company_id, webhook_id=webhook_id)


def webhook_delivered(delivery: WebhookDelivery) -> None:
    """Tell the company that a webhook's log changed, at most once every TOLD_SECONDS."""
    with contextlib.suppress(RedisError):
        mark = f"webhook-told:{delivery.webhook_id}"
        if not cache.add(mark, 1, timeout=TOLD_SECONDS):
            return
    _tell_webhook("deliver", company_id=delivery.company_id, webhook_id=delivery.webhook_id)


def _tell_webhook(action: str, *, company_id: int, webhook_id: int) -> None:
    emit(WEBHOOK, action, {"webhookId": webhook_id}, company_id=company_id)
