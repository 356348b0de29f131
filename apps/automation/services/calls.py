"""The log of integrations' calls, and sending an event again."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import Max

from apps.automation.clients.base import Call, ClientError
from apps.automation.models import IntegrationCall, QueueIntegration
from apps.automation.services.clients import WEBHOOKS, webhook_client
from apps.automation.services.integrations import get_integration
from apps.billing.services import require_feature
from apps.common.errors import DomainError, NotFound


class CallNotFound(NotFound):
    """The log has no such entry."""

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
) -> list[IntegrationCall]:
    """Log the calls that were made for an event; return their rows."""
    return IntegrationCall.objects.bulk_create(
        IntegrationCall(
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
            reason_code=call.reason.code,
            reason_detail=call.reason.detail,
            duration_ms=max(call.duration_ms, 0),
        )
        for call in calls
    )


def get_call(*, company_id: int, integration_id: int, call_id: int) -> IntegrationCall:
    """Return a call of a company's integration; raises IntegrationNotFound, CallNotFound."""
    integration = get_integration(company_id=company_id, integration_id=integration_id)
    call = IntegrationCall.objects.filter(integration=integration, pk=call_id).first()
    if call is None:
        raise CallNotFound
    return call


def repeat_call(*, company_id: int, integration_id: int, call_id: int) -> IntegrationCall:
    """Post a logged event again, with the same body and id, and log the new call.

    The state of its ticket does not matter. The returned row holds the result. Never call it in a
    transaction. Raises IntegrationNotFound, CallNotFound, PlanFeatureMissing, NotRepeatable.
    """
    require_feature(company_id=company_id, feature="integrations")
    call = get_call(company_id=company_id, integration_id=integration_id, call_id=call_id)
    integration = call.integration
    if integration.type not in WEBHOOKS:
        raise NotRepeatable
    earlier = IntegrationCall.objects.filter(
        integration=integration, event_id=call.event_id
    ).aggregate(last=Max("attempt"))
    client = webhook_client(integration)
    try:
        made = client.post(call.event, call.event_id, call.request_body)
    except ClientError as error:
        made = error.calls[-1]
    [row] = log_calls(
        integration,
        [made],
        event_id=call.event_id,
        ticket_id=call.ticket_id,
        turn_id=call.turn_id,
        attempt=(earlier["last"] or 0) + 1,
    )
    return row


def _storable(value: Any) -> Any:
    """Return JSON without NUL characters, which PostgreSQL rejects in text."""
    if isinstance(value, str):
        return value.replace("\x00", "")
    if isinstance(value, dict):
        return {_storable(key): _storable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(inner) for inner in value]
    return value
