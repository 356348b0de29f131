"""Calls of customers to the business."""

import secrets
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.simulator.models import SimConversation, SimMessage, SimNumber
from apps.simulator.services.conversations import UnknownSimulated
from apps.simulator.services.telling import tell_call

RINGING, REJECTED, ENDED = "ringing", "rejected", "ended"


def ring(conversation: SimConversation, *, is_video: bool) -> SimMessage:
    """Start a call, which rings until `hang_up`."""
    with transaction.atomic():
        now = timezone.now()
        call = SimMessage.objects.create(
            conversation=conversation,
            wamid=f"wacid.{secrets.token_hex(16)}",
            from_customer=True,
            type="call",
            body={"state": RINGING, "video": is_video},
            status="delivered",
            sent_at=now,
        )
        # A call opens the 24-hour window, as a message does.
        conversation.last_customer_at = conversation.active_at = now
        conversation.save(update_fields=["last_customer_at", "active_at"])
        tell_call(call, "connect", now)
    return call


def hang_up(call_id: str, *, number: SimNumber | None = None) -> SimMessage:
    """End a ringing call.

    With the business's `number` it is rejected; without it the customer hangs up. Raises
    UnknownSimulated for a call that does not ring, or no longer.
    """
    with transaction.atomic():
        calls = SimMessage.objects.select_for_update().filter(wamid=call_id, type="call")
        if number is not None:
            calls = calls.filter(conversation__number=number)
        call = calls.first()
        body: dict[str, Any] = call.body if call else {}
        if call is None or body.get("state") != RINGING:
            raise UnknownSimulated(f"no call {call_id} rings")
        call.body = {**body, "state": ENDED if number is None else REJECTED}
        call.save(update_fields=["body"])
        tell_call(call, "terminate", timezone.now())
    return call
