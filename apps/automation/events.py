"""What browsers hear about prompts, integrations and outgoing webhooks."""

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

# A busy address takes ten events a second, and nobody reads that fast.
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
# Addresses and names are for admins, who fetch them; the others' browsers learn ids alone.
WEBHOOK = LiveEvent(
    "outgoingWebhook",
    create={"webhookId": serializers.IntegerField()},
    update={"webhookId": serializers.IntegerField()},
    delete={"webhookId": serializers.IntegerField()},
    # Something was posted to it, or failed; told every two seconds at most.
    deliver={"webhookId": serializers.IntegerField()},
)


def integration_created(integration: QueueIntegration) -> None:
    """Tell the company about a new integration, secrets masked."""
    _tell_integration("create", integration)


def integration_updated(integration: QueueIntegration) -> None:
    """Tell the company about a changed integration, secrets masked."""
    _tell_integration("update", integration)


def integration_deleted(*, company_id: int, integration_id: int) -> None:
    """Tell the company that an integration is gone."""
    emit(INTEGRATION, "delete", {"integrationId": integration_id}, company_id=company_id)


def _tell_integration(action: str, integration: QueueIntegration) -> None:
    row = row_of(IntegrationSerializer, integration, last_calls=last_calls([integration]))
    emit(INTEGRATION, action, {"queueIntegration": row}, company_id=integration.company_id)


def prompt_created(prompt: Prompt) -> None:
    """Tell the company about a new prompt, keys masked."""
    _tell_prompt("create", prompt)


def prompt_updated(prompt: Prompt) -> None:
    """Tell the company about a changed prompt, keys masked."""
    _tell_prompt("update", prompt)


def prompt_deleted(*, company_id: int, prompt_id: int) -> None:
    """Tell the company that a prompt is gone."""
    emit(PROMPT, "delete", {"promptId": prompt_id}, company_id=company_id)


def _tell_prompt(action: str, prompt: Prompt) -> None:
    row = row_of(PromptSerializer, prompt, uses=uses_of([prompt]))
    emit(PROMPT, action, {"prompt": row}, company_id=prompt.company_id)


def webhook_created(webhook: OutgoingWebhook) -> None:
    """Tell the company that there is a new outgoing webhook."""
    _tell_webhook("create", company_id=webhook.company_id, webhook_id=webhook.pk)


def webhook_updated(webhook: OutgoingWebhook) -> None:
    """Tell the company that an outgoing webhook is another, or fares otherwise."""
    _tell_webhook("update", company_id=webhook.company_id, webhook_id=webhook.pk)


def webhook_deleted(*, company_id: int, webhook_id: int) -> None:
    """Tell the company that an outgoing webhook is gone."""
    _tell_webhook("delete", company_id=company_id, webhook_id=webhook_id)


def webhook_delivered(delivery: WebhookDelivery) -> None:
    """Tell the company that a webhook's log has news, unless it was told so just now."""
    with contextlib.suppress(RedisError):
        mark = f"webhook-told:{delivery.webhook_id}"
        if not cache.add(mark, 1, timeout=TOLD_SECONDS):
            return
    _tell_webhook("deliver", company_id=delivery.company_id, webhook_id=delivery.webhook_id)


def _tell_webhook(action: str, *, company_id: int, webhook_id: int) -> None:
    emit(WEBHOOK, action, {"webhookId": webhook_id}, company_id=company_id)
