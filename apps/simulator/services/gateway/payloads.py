"""Events of QR sessions, in the contract's format (docs/gateway.md §4)."""

from datetime import datetime
from typing import Any

from apps.simulator.models import SimCustomer, SimMedia, SimMessage, SimNumber

# Meta's message statuses, mapped to the contract's acks.
ACKS = {"sent": 2, "delivered": 3, "read": 4, "played": 5, "failed": -1}
FILES = ("image", "audio", "video", "document", "sticker")
MOST_CONTACTS = 500
Event = dict[str, Any]


def jid_of(customer: SimCustomer) -> str:
    """Return the WhatsApp id (JID) of a conversation with a customer."""
    return f"{customer.wa_id}@s.whatsapp.net"


def digits_of(number: SimNumber) -> str:
    """Return a telephone's number as digits."""
    return "".join(c for c in number.display_phone_number if c.isdigit())


def _event(kind: str, event_id: str, partition: str, payload: dict[str, Any], at: datetime) -> Event:
    return {
        "id": event_id,
        "kind": kind,
        "partition": partition,
        "at": int(at.timestamp() * 1000),
        "payload": payload,
    }


def _person(customer: SimCustomer) -> dict[str, str]:
    return {"number": customer.wa_id, "lid": "", "name": customer.name}


def message_event(message: SimMessage) -> Event:
    """Return the event for a customer's message."""
    customer = message.conversation.customer
    payload = {
        "externalId": message.wamid,
        "chat": {"number": customer.wa_id, "lid": "", "group": ""},
        "sender": _person(customer),
        "fromMe": False,
        "sentAt": int(message.sent_at.timestamp()),
        "isHistory": False,
        "raw": {},
        **_content(message.type, message.body),
    }
    if message.reply_to:
        payload["replyTo"] = message.reply_to
    chat = jid_of(customer)
    return _event("message", f"m:{chat}:{message.wamid}", chat, payload, message.sent_at)


def _content(kind: str, body: Any) -> dict[str, Any]:
    if kind == "text":
        return {"type": "conversation", "body": body["body"]}
    if kind in FILES:
        return {"type": kind, "body": body.get("caption", ""), "media": _media(body)}
    if kind == "location":
        place = {"name": "", "address": "", **body}
        return {"type": "location", "body": "", "data": place}
    if kind == "contacts":
        cards = [{"name": card["name"]["formatted_name"], "vcard": _vcard(card)} for card in body]
        return {"type": "contact", "body": "", "data": {"contacts": cards}}
    if kind == "reaction":
        reaction = {"to": body["message_id"], "emoji": body.get("emoji", "")}
        return {"type": "reaction", "body": "", "reaction": reaction}
    if kind == "interactive":
        choice = body.get("button_reply") or body.get("list_reply")
        return {"type": "conversation", "body": choice["title"], "choiceId": choice["id"]}
    return {"type": "unknown", "body": ""}


def _media(body: dict[str, Any]) -> dict[str, Any]:
    stored = SimMedia.objects.filter(media_id=body["id"]).first()
    return {
        "mime": body["mime_type"],
        "name": body.get("filename", ""),
        "size": stored.size if stored else 0,
        "sha256": body["sha256"],
        "isVoice": body.get("voice", False),
        "reference": {"media": body["id"]},
    }


def _vcard(card: dict[str, Any]) -> str:
    name = card["name"]["formatted_name"]
    phones = [
        f"TEL;type=CELL;waid={phone.get('wa_id', '')}:{phone['phone']}"
        for phone in card.get("phones", ())
    ]
    lines = ["BEGIN:VCARD", "VERSION:3.0", f"N:;{name};;;", f"FN:{name}", *phones, "END:VCARD"]
    return "\n".join(lines)


def change_event(message: SimMessage, change_id: str, at: datetime) -> Event:
    """Return the event for an edited or deleted message of a customer."""
    customer = message.conversation.customer
    is_deleted = message.type == "deleted"
    words = "" if is_deleted else message.body.get("body") or message.body.get("caption") or ""
    payload = {
        "externalId": change_id,
        "chat": {"number": customer.wa_id, "lid": "", "group": ""},
        "sender": _person(customer),
        "fromMe": False,
        "sentAt": int(at.timestamp()),
        "type": "delete" if is_deleted else "edit",
        "body": words,
        "deletes" if is_deleted else "edits": message.wamid,
        "isHistory": False,
        "raw": {},
    }
    chat = jid_of(customer)
    return _event("message", f"m:{chat}:{change_id}", chat, payload, at)


def step_event(message: SimMessage, status: str, at: datetime) -> Event:
    """Return the event for a new status of a business's message."""
    ack = ACKS[status]
    payload = {
        "externalId": message.wamid,
        "ack": ack,
        "at": int(at.timestamp() * 1000),
        **({"code": "131026", "error": message.error} if ack < 0 else {}),
    }
    chat = jid_of(message.conversation.customer)
    return _event("status", f"s:{message.wamid}::{ack}", chat, payload, at)


def call_event(call: SimMessage, state: str, at: datetime) -> Event:
    """Return the event for a customer's call: `offer`, `timeout` or `reject`."""
    customer = call.conversation.customer
    payload = {
        "callId": call.wamid,
        "from": _person(customer),
        "isVideo": call.body.get("video") is True,
        "isGroup": False,
        "state": state,
    }
    return _event("call", f"c:{call.wamid}:{state}", jid_of(customer), payload, at)


def session_event(event_id: str, status: str, at: datetime, **payload: Any) -> Event:
    """Return the event for a session's status."""
    return _event("session", event_id, "", {"status": status, **payload}, at)


def contacts_event(event_id: str, at: datetime) -> Event:
    """Return the event for the telephone's address book: the customers who have WhatsApp."""
    people = SimCustomer.objects.filter(has_whatsapp=True)[:MOST_CONTACTS]
    entries = [{**_person(customer), "isSaved": True} for customer in people]
    return _event("contacts", event_id, "", {"contacts": entries}, at)
