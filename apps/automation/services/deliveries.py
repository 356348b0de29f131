"""The log of what was exchanged with integrations, and sending an event once more."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import Max

from apps.automation.clients.base import Call, ClientError
from apps.automation.models import IntegrationDelivery, QueueIntegration
from apps.automation.services.clients import WEBHOOKS, webhook_client
from apps.automation.services.integrations import get_integration
from apps.billing.services import require_feature
from apps.common.errors import DomainError, NotFound


class DeliveryNotFound(NotFound):
    """The integration's log has no such call."""

    code = "ERR_NO_DELIVERY_FOUND"
    message = "Esta entrega não está mais no registro."


class NotRepeatable(DomainError):
    """Only events that are posted to an address can be sent again."""

    code = "ERR_DELIVERY_NOT_REPEATABLE"
    message = "Só eventos enviados a um endereço (webhook, n8n) podem ser reenviados."


def log_calls(
    integration: QueueIntegration,
    calls: Sequence[Call],
    *,
    event_id: uuid.UUID,
    ticket_id: int | None,
    turn_id: int | None,
    attempt: int,
) -> list[IntegrationDelivery]:
    """Write down calls that were made for an event; returns their rows."""
    return IntegrationDelivery.objects.bulk_create(
        IntegrationDelivery(
            company_id=integration.company_id,
            integration=integration,
            ticket_id=ticket_id,
            turn_id=turn_id,
            event_id=event_id,
            event=call.event[:50],
            url=call.url[:500],
            attempt=attempt,
            request_body=_storable(call.request_body),
            status_code=call.status_code,
            response_text=call.response_text.replace("\x00", ""),
            error=call.error.replace("\x00", "")[:500],
            duration_ms=max(call.duration_ms, 0),
        )
        for call in calls
    )


def get_delivery(*, company_id: int, integration_id: int, delivery_id: int) -> IntegrationDelivery:
    """Return a call of a company's integration; raises IntegrationNotFound, DeliveryNotFound."""
    integration = get_integration(company_id=company_id, integration_id=integration_id)
    delivery = IntegrationDelivery.objects.filter(integration=integration, pk=delivery_id).first()
    if delivery is None:
        raise DeliveryNotFound
    return delivery


def redeliver(*, company_id: int, integration_id: int, delivery_id: int) -> IntegrationDelivery:
    """Post an event of the log again, as it was and with its id, and log that too.

    What became of its ticket does not matter. How it went is in the row that is returned. Never
    call it in a transaction. Raises IntegrationNotFound, DeliveryNotFound, PlanFeatureMissing,
    NotRepeatable.
    """
    require_feature(company_id=company_id, feature="integrations")
    delivery = get_delivery(
        company_id=company_id, integration_id=integration_id, delivery_id=delivery_id
    )
    integration = delivery.integration
    if integration.type not in WEBHOOKS:
        raise NotRepeatable
    tries = IntegrationDelivery.objects.filter(
        integration=integration, event_id=delivery.event_id
    ).aggregate(last=Max("attempt"))
    client = webhook_client(integration)
    try:
        call = client.post(delivery.event, delivery.event_id, delivery.request_body)
    except ClientError as error:
        call = error.calls[-1]
    [row] = log_calls(
        integration,
        [call],
        event_id=delivery.event_id,
        ticket_id=delivery.ticket_id,
        turn_id=delivery.turn_id,
        attempt=(tries["last"] or 0) + 1,
    )
    return row


def _storable(value: Any) -> Any:
    """Return JSON as PostgreSQL takes it: without NUL in its texts."""
    if isinstance(value, str):
        return value.replace("\x00", "")
    if isinstance(value, dict):
        return {_storable(key): _storable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(inner) for inner in value]
    return value
