"""Reports messages, statuses and calls to the product.

Numbers of the official API use webhooks; telephones use the events of their linked devices.
"""

from datetime import datetime
from typing import Any

from apps.simulator.graph.payloads import (
    call_value,
    echo_value,
    handover_value,
    message_value,
    status_value,
)
from apps.simulator.models import SimConversation, SimMessage
from apps.simulator.services.gateway.outbox import tell_devices
from apps.simulator.services.gateway.payloads import (
    call_event,
    change_event,
    message_event,
    step_event,
)
from apps.simulator.services.posting import enqueue


def tell_message(message: SimMessage) -> None:
    """Report a customer's message."""
    number = message.conversation.number
    if number.is_phone:
        tell_devices(number, message_event(message))
    else:
        _report(message, message_value(message))


def tell_change(message: SimMessage, change_id: str, at: datetime) -> None:
    """Report a customer's edit or deletion of a message to a telephone."""
    tell_devices(message.conversation.number, change_event(message, change_id, at))


def tell_step(
    message: SimMessage, status: str, at: datetime, error: dict[str, Any] | None = None
) -> None:
    """Report the status of a business's message, by Meta's name for it."""
    number = message.conversation.number
    if number.is_phone:
        tell_devices(number, step_event(message, status, at))
    else:
        _report(message, status_value(message, status, at, error))


def _report(message: SimMessage, value: dict[str, Any]) -> None:
    number = message.conversation.number
    if message.is_elsewhere:
        enqueue(number, {"standby": value}, field="standby")
    else:
        enqueue(number, value)


def tell_echo(message: SimMessage) -> None:
    """Report a message of another responder."""
    enqueue(message.conversation.number, {"standby": echo_value(message)}, field="standby")


def tell_handover(conversation: SimConversation, at: datetime) -> None:
    """Report who leads a conversation from now on."""
    value = handover_value(conversation.customer, at, is_ours=not conversation.is_elsewhere)
    enqueue(conversation.number, value, field="messaging_handovers")


def tell_call(call: SimMessage, event: str, at: datetime) -> None:
    """Report a customer's call: that it rings (`connect`), or has ended (`terminate`)."""
    number = call.conversation.number
    if not number.is_phone:
        enqueue(number, call_value(call, event, at), field="calls")
        return
    over = "reject" if call.body.get("state") == "rejected" else "timeout"
    tell_devices(number, call_event(call, "offer" if event == "connect" else over, at))
