"""Bodies of Meta's webhooks, both of a number (`OF_NUMBER`) and of a business account."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from apps.simulator.graph.user_ids import user_id_of
from apps.simulator.models import SimCustomer, SimMessage, SimNumber

# Webhook fields that belong to a number; the others belong to the account.
OF_NUMBER = (
    "messages",
    "calls",
    "history",
    "smb_app_state_sync",
    "smb_message_echoes",
    "standby",
)

# What an app may hear of, as it is ticked in Meta's dashboard.
FIELDS = (*OF_NUMBER, "messaging_handovers", "account_update", "message_template_status_update")


def _seconds(moment: datetime) -> str:
    return str(int(moment.timestamp()))


def notification(
    number: SimNumber, value: dict[str, Any], field: str = "messages"
) -> dict[str, Any]:
    """Return a whole webhook body for the value of one change.

    Values of account fields have no `metadata`; a value that has its own keeps it.
    """
    metadata = {
        "display_phone_number": number.display_phone_number,
        "phone_number_id": number.phone_number_id,
    }
    # A handover names the number as its recipient.
    key = "recipient" if field == "messaging_handovers" else "metadata"
    is_of_number = field in OF_NUMBER or key == "recipient"
    envelope = {"messaging_product": "whatsapp", key: metadata} if is_of_number else {}
    entry = {
        "id": number.waba_id,
        "time": int(timezone.now().timestamp()),
        "changes": [{"value": {**envelope, **value}, "field": field}],
    }
    return {"object": "whatsapp_business_account", "entry": [entry]}


def contact_of(customer: SimCustomer) -> dict[str, Any]:
    """Return a webhook's contact entry: it always has the user id, and the number unless hidden."""
    profile = {"name": customer.name}
    if customer.username:
        profile["username"] = customer.username
    number = {} if customer.hides_number else {"wa_id": customer.wa_id}
    return {"profile": profile, **number, "user_id": user_id_of(customer.wa_id)}


def _author(customer: SimCustomer) -> dict[str, str]:
    number = {} if customer.hides_number else {"from": customer.wa_id}
    return {**number, "from_user_id": user_id_of(customer.wa_id)}


def message_value(message: SimMessage) -> dict[str, Any]:
    """Return the webhook value for a customer's message."""
    customer = message.conversation.customer
    wire: dict[str, Any] = {
        **_author(customer),
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
        by = _author(customer) if own else {"from": "".join(c for c in business if c.isdigit())}
        wire["context"] = {**by, "id": message.reply_to}
    return {"contacts": [contact_of(customer)], "messages": [wire]}


def status_value(
    message: SimMessage,
    status: str,
    at: datetime,
    error: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the webhook value for a status of a business's message.

    Since v24 a status has no `conversation`; sent and delivered have `pricing`. Since October 2026
    Meta bills service messages as well; the month's free ones are told apart on the bill alone.
    """
    customer = message.conversation.customer
    wire: dict[str, Any] = {
        "id": message.wamid,
        "status": status,
        "timestamp": _seconds(at),
        **({} if customer.hides_number else {"recipient_id": customer.wa_id}),
        "recipient_user_id": user_id_of(customer.wa_id),
    }
    if message.callback:
        wire["biz_opaque_callback_data"] = message.callback
    if status in ("sent", "delivered"):
        wire["pricing"] = {
            "billable": not message.is_free,
            "pricing_model": "PMP",
            "type": "free_entry_point" if message.is_free else "regular",
            "category": message.category,
        }
    if error is not None:
        wire["errors"] = [error]
    return {"statuses": [wire]}


def echo_value(message: SimMessage) -> dict[str, Any]:
    """Return the `standby` part of a message of another responder: the call that sent it."""
    call = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": message.conversation.customer.wa_id,
        "type": message.type,
        message.type: message.body,
    }
    echo = {"id": message.wamid, "timestamp": _seconds(message.sent_at), "message": call}
    return {"message_echoes": [echo]}


def handover_value(customer: SimCustomer, at: datetime, *, is_ours: bool) -> dict[str, Any]:
    """Return the value of a handover to the business, or away from it."""
    roles = ("ai_agent", "escalation") if is_ours else ("escalation", "ai_agent")
    kind = "control_passed" if is_ours else "control_taken"
    return {
        "sender": {"phone_number": customer.wa_id},
        "timestamp": _seconds(at),
        "type": kind,
        kind: {"metadata": "", "previous_owner_role": roles[0], "new_owner_role": roles[1]},
    }


def call_value(call: SimMessage, event: str, at: datetime) -> dict[str, Any]:
    """Return the webhook value for a customer's call: `connect` when it rings, `terminate` after.

    developers.facebook.com/docs/whatsapp/cloud-api/calling/user-initiated-calls
    """
    customer, number = call.conversation.customer, call.conversation.number
    wire: dict[str, Any] = {
        "id": call.wamid,
        **_author(customer),
        "to": "".join(c for c in number.display_phone_number if c.isdigit()),
        "event": event,
        "timestamp": _seconds(at),
        "direction": "USER_INITIATED",
    }
    if event == "connect":
        picture = "m=video 9 UDP/TLS/RTP/SAVPF 96\r\n" if call.body.get("video") else ""
        sdp = f"v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n{picture}"
        wire["session"] = {"sdp_type": "offer", "sdp": sdp}
    else:
        wire["status"] = "COMPLETED" if call.body.get("state") == "ended" else "REJECTED"
    return {"contacts": [contact_of(customer)], "calls": [wire]}
