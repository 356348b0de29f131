"""The log of what was exchanged with integrations, and sending an event once more."""

import uuid
from collections.abc import Sequence
from typing import Any

from apps.automation.clients.base import Call
from apps.automation.models import IntegrationDelivery, QueueIntegration


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


def _storable(value: Any) -> Any:
    """Return JSON as PostgreSQL takes it: without NUL in its texts."""
    if isinstance(value, str):
        return value.replace("\x00", "")
    if isinstance(value, dict):
        return {_storable(key): _storable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(inner) for inner in value]
    return value
