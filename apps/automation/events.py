"""What browsers hear about prompts and integrations."""

from apps.automation.models import QueueIntegration
from apps.automation.queries.integrations import last_deliveries
from apps.automation.serializers.integrations import integration_row
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
