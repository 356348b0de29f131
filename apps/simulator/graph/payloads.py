"""Bodies of the webhooks that Meta posts ('messages' field of a WhatsApp business account)."""

from datetime import datetime
from typing import Any

from apps.simulator.models import SimMessage, SimNumber


def _seconds(moment: datetime) -> str:
    return str(int(moment.timestamp()))


def notification(number: SimNumber, value: dict[str, Any]) -> dict[str, Any]:
    """Return a whole webhook body around the value of one change."""
    metadata = {
        "display_phone_number": number.display_phone_number,
        "phone_number_id": number.phone_number_id,
    }
    change = {
        "value": {"messaging_product": "whatsapp", "metadata": metadata, **value},
        "field": "messages",
    }
    entry = {"id": number.waba_id, "changes": [change]}
    return {"object": "whatsapp_business_account", "entry": [entry]}


def message_value(message: SimMessage) -> dict[str, Any]:
    """Return the value that reports a customer's message."""
    customer = message.conversation.customer
    wire: dict[str, Any] = {
        "from": customer.wa_id,
        "id": message.wamid,
        "timestamp": _seconds(message.sent_at),
        "type": message.type,
    }
    if message.type == "unsupported":
        wire.update(message.body)
    else:
        wire[message.type] = message.body
    if message.reply_to:
        business = message.conversation.number.display_phone_number
        author = SimMessage.objects.filter(wamid=message.reply_to).first()
        own = author is not None and author.from_customer
        wire["context"] = {
            "from": customer.wa_id if own else "".join(c for c in business if c.isdigit()),
            "id": message.reply_to,
        }
    return {
        "contacts": [{"profile": {"name": customer.name}, "wa_id": customer.wa_id}],
        "messages": [wire],
    }


def status_value(
    message: SimMessage,
    status: str,
    at: datetime,
    error: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the value that reports a step of a business message.

    Since v24 a status has no `conversation`; `pricing` goes with sent and delivered.
    """
    wire: dict[str, Any] = {
        "id": message.wamid,
        "status": status,
        "timestamp": _seconds(at),
        "recipient_id": message.conversation.customer.wa_id,
    }
    if message.callback:
        wire["biz_opaque_callback_data"] = message.callback
    if status in ("sent", "delivered"):
        template = message.type == "template"
        wire["pricing"] = {
            "billable": template,
            "pricing_model": "PMP",
            "type": "regular" if template else "free_customer_service",
            "category": "utility" if template else "service",
        }
    if error is not None:
        wire["errors"] = [error]
    return {"statuses": [wire]}
