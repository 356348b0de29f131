"""What browsers hear about prompts and integrations."""

from rest_framework import serializers

from apps.automation.models import Prompt, QueueIntegration
from apps.automation.queries.integrations import last_calls
from apps.automation.queries.prompts import uses_of
from apps.automation.serializers.integrations import IntegrationSerializer, integration_row
from apps.automation.serializers.prompts import PromptSerializer, prompt_row
from apps.realtime.emit import LiveEvent, emit

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
    row = integration_row(integration, last_calls([integration]).get(integration.pk))
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
    row = prompt_row(prompt, uses_of([prompt])[prompt.pk])
    emit(PROMPT, action, {"prompt": row}, company_id=prompt.company_id)
