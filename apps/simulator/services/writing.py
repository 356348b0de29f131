"""Messages of a customer's telephone, in the format of Meta's webhook."""

import json
from typing import Any

from apps.simulator.models import SimConversation, SimCustomer, SimMedia, SimMessage
from apps.simulator.services.conversations import UnknownSimulated, customer_writes
from apps.simulator.services.media import as_voice_note, store_sample

MEDIA_KINDS = {"image", "voice", "audio", "video", "document", "sticker"}


def _media_body(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    if fields.get("sample"):
        try:
            media = store_sample(str(fields["sample"]))
        except FileNotFoundError as error:
            raise UnknownSimulated(f"no sample {fields['sample']}") from error
    else:
        found = SimMedia.objects.filter(media_id=str(fields.get("media") or "")).first()
        if found is None:
            raise UnknownSimulated("no such media")
        media = as_voice_note(found) if kind == "voice" else found
    body: dict[str, Any] = {
        "id": media.media_id,
        "mime_type": media.mime,
        "sha256": media.sha256,
    }
    if kind == "document":
        body["filename"] = media.name
    if kind == "voice":
        body["voice"] = True
    if kind == "audio":
        body["voice"] = False
    if kind == "sticker":
        body["animated"] = False
    if fields.get("caption"):
        body["caption"] = str(fields["caption"])
    return body


def _contacts_body(fields: dict[str, Any]) -> list[dict[str, Any]]:
    name, phone = str(fields["name"]), str(fields["phone"])
    digits = "".join(c for c in phone if c.isdigit())
    return [
        {
            "name": {
                "formatted_name": name,
                "first_name": next(iter(name.split()), ""),
            },
            "phones": [{"phone": phone, "wa_id": digits, "type": "CELL"}],
        }
    ]


def _shared_contact(customer: SimCustomer) -> list[dict[str, Any]]:
    """Return the answer to a request for the contact's own number."""
    fields = {"name": customer.name, "phone": f"+{customer.wa_id}"}
    return [{**card, "origin": "contact_request"} for card in _contacts_body(fields)]


def _interactive_body(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    choice = {"id": str(fields["id"]), "title": str(fields["title"])}
    if kind == "list_reply" and fields.get("description"):
        choice["description"] = str(fields["description"])
    return {"type": kind, kind: choice}


def _form_body(conversation: SimConversation, fields: dict[str, Any]) -> dict[str, Any]:
    """Return a filled-in form; its message says which token goes back with the values."""
    sent = SimMessage.objects.filter(
        conversation=conversation, wamid=str(fields["reply_to"]), type="interactive"
    ).first()
    if sent is None or sent.body.get("type") != "flow":
        raise UnknownSimulated("no such form")
    values = {str(key): str(value) for key, value in dict(fields["values"]).items()}
    token = sent.body["action"]["parameters"]["flow_token"]
    response = json.dumps({**values, "flow_token": token}, ensure_ascii=False)
    reply = {"name": "flow", "body": "Sent", "response_json": response}
    return {"type": "nfm_reply", "nfm_reply": reply}


def _unsupported_body() -> dict[str, Any]:
    return {
        "errors": [
            {
                "code": 131051,
                "title": "Message type unknown",
                "message": "Message type unknown",
                "error_data": {"details": "Message type is currently not supported."},
            }
        ]
    }


def write(conversation: SimConversation, fields: dict[str, Any]) -> SimMessage:
    """Send the customer's message that the phone page or a test describes.

    `fields['type']` is text (body), image, voice, audio, video, document, sticker (media or sample,
    caption), location (latitude, longitude, name, address), contacts (name, phone), share_contact
    (the own number, as asked for), button_reply and list_reply (id, title), form (values), button
    (payload, text), reaction (message_id, emoji), or unsupported; `reply_to` is the id of a quoted
    message. Raises KeyError for a missing field, ValueError for an unknown type and
    UnknownSimulated for unknown media.
    """
    kind = str(fields.get("type", "text"))
    body: Any
    wire = kind
    if kind == "text":
        body = {"body": str(fields["body"])}
    elif kind in MEDIA_KINDS:
        body = _media_body(kind, fields)
        wire = "audio" if kind == "voice" else kind
    elif kind == "location":
        body = {"latitude": float(fields["latitude"]), "longitude": float(fields["longitude"])}
        body |= {key: str(fields[key]) for key in ("name", "address") if fields.get(key)}
    elif kind == "contacts":
        body = _contacts_body(fields)
    elif kind == "share_contact":
        body, wire = _shared_contact(conversation.customer), "contacts"
    elif kind in ("button_reply", "list_reply"):
        body, wire = _interactive_body(kind, fields), "interactive"
    elif kind == "form":
        body, wire = _form_body(conversation, fields), "interactive"
    elif kind == "button":
        body = {"payload": str(fields["payload"]), "text": str(fields["text"])}
    elif kind == "reaction":
        body = {"message_id": str(fields["message_id"])}
        if fields.get("emoji"):  # Meta omits the emoji when a reaction is removed
            body["emoji"] = str(fields["emoji"])
    elif kind == "unsupported":
        body = _unsupported_body()
    else:
        raise ValueError(f"unknown type {kind}")
    return customer_writes(
        conversation=conversation,
        kind=wire,
        body=body,
        reply_to=str(fields.get("reply_to") or ""),
    )
