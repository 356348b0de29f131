"""What browsers hear about prompts and integrations."""

from apps.automation.models import Prompt, QueueIntegration
from apps.automation.queries.integrations import last_deliveries
from apps.automation.queries.prompts import uses_of
from apps.automation.serializers.integrations import integration_row
from apps.automation.serializers.prompts import prompt_row
from apps.realtime.emit import emit


def integration_created(integration: QueueIntegration) -> None:
    """Tell the company about a new integration, secrets masked."""
    _tell_integration("create", integration)


def integration_updated(integration: QueueIntegration) -> None:
    """Tell the company about a changed integration, secrets masked."""
    _tell_integration("update", integration)


def integration_deleted(*, company_id: int, integration_id: int) -> None:
    """Tell the company that an integration is gone."""
    payload = {"action": "delete", "integrationId": integration_id}
    emit("queueIntegration", payload, company_id=company_id)


def _tell_integration(action: str, integration: QueueIntegration) -> None:
    row = integration_row(integration, last_deliveries([integration]).get(integration.pk))
    payload = {"action": action, "queueIntegration": row}
    emit("queueIntegration", payload, company_id=integration.company_id)


def prompt_created(prompt: Prompt) -> None:
    """Tell the company about a new prompt, keys masked."""
    _tell_prompt("create", prompt)


def prompt_updated(prompt: Prompt) -> None:
    """Tell the company about a changed prompt, keys masked."""
    _tell_prompt("update", prompt)


def prompt_deleted(*, company_id: int, prompt_id: int) -> None:
    """Tell the company that a prompt is gone."""
    emit("prompt", {"action": "delete", "promptId": prompt_id}, company_id=company_id)


def _tell_prompt(action: str, prompt: Prompt) -> None:
    row = prompt_row(prompt, uses_of([prompt])[prompt.pk])
    emit("prompt", {"action": action, "prompt": row}, company_id=prompt.company_id)
