"""One message or status of a notification in the wire-neutral form; odd fields never raise."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from apps.common.reasons import NO_REASON
from apps.connections.providers.inbound import (
    FORM_ANSWER,
    SHARED_NUMBER,
    InboundCall,
    InboundIdentity,
    InboundMedia,
    InboundMessage,
    InboundStatus,
    Pricing,
)
from apps.connections.providers.official.errors import reason_of, sentence_of
from apps.connections.providers.official.identities import person_of
from apps.connections.providers.official.sent import read_menu, read_sent_template

EXTERNAL_ID_LENGTH = 200
NAME_LENGTH = 255
MIME_LENGTH = 150
# Times further away than this are faults of the provider's clock.
FURTHEST = timedelta(days=3653)

MEDIA_TYPES = {
    "image": "image",
    "sticker": "sticker",
    "audio": "audio",
    "video": "video",
    "document": "application",
}
# See rules/messages §2.
ACKS = {"accepted": 1, "sent": 2, "delivered": 3, "read": 4, "played": 5, "failed": -1}
UNKNOWN = "unknown"
# The origin of a card that answers `request_contact_info`.
CONTACT_REQUEST = "contact_request"
PHONE_LENGTHS = range(8, 16)
# The parts of a notification that are stored with each of its messages and passed on.
ENVELOPE = ("field", "waba_id", "time", "metadata", "contact")

JsonObject = dict[str, Any]


def as_dict(value: Any) -> dict[str, Any]:
    """Return the value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return the value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Return text as it is and a whole number as text; anything else is empty."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def person(part: JsonObject, numbers: Iterable[str], user_ids: Iterable[str]) -> tuple[str, str]:
    """Return number and user id of the person whom these keys of a part name (`person_of`)."""
    return person_of(
        (as_text(part.get(key)) for key in numbers), (as_text(part.get(key)) for key in user_ids)
    )


def _number(value: Any) -> float | int | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None


def moment_of(value: Any) -> datetime | None:
    """Return a time within ten years of now, else None: the time of arrival then counts."""
    try:
        moment = datetime.fromtimestamp(int(as_text(value)), tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if abs(moment - datetime.now(tz=UTC)) <= FURTHEST else None


def _text(message: JsonObject) -> JsonObject | None:
    body = as_text(as_dict(message.get("text")).get("body"))
    return {"media_type": "conversation", "body": body} if body else None


def _media(message: JsonObject, kind: str) -> JsonObject | None:
    part = as_dict(message.get(kind))
    media_id = as_text(part.get("id"))
    if not media_id:
        return None
    name = as_text(part.get("filename"))[:NAME_LENGTH]
    media = InboundMedia(
        media_id=media_id,
        mime=as_text(part.get("mime_type"))[:MIME_LENGTH],
        name=name,
        sha256=as_text(part.get("sha256")),
        is_voice=kind == "audio" and part.get("voice") is True,
    )
    body = as_text(part.get("caption")) or name
    return {"media_type": MEDIA_TYPES[kind], "body": body, "media": media}


def _location(message: JsonObject) -> JsonObject | None:
    place = as_dict(message.get("location"))
    latitude, longitude = _number(place.get("latitude")), _number(place.get("longitude"))
    if latitude is None or longitude is None:
        return None
    link = f"https://maps.google.com/?q={latitude},{longitude}"
    words = [as_text(place.get("name")), as_text(place.get("address"))]
    description = ", ".join(word for word in words if word).replace("|", "/")
    # rules/messages §1: image, link and description; the Cloud API sends no picture of the map.
    return {"media_type": "locationMessage", "body": f"|{link}|{description}", "data": place}


def _escaped(text: str) -> str:
    for plain, escaped in (("\\", "\\\\"), (",", "\\,"), (";", "\\;"), ("\n", "\\n"), ("\r", "")):
        text = text.replace(plain, escaped)
    return text


def vcard(card: JsonObject) -> str:
    """Return a contact of the Cloud API as a vCard 3.0 (RFC 2426) with its name and numbers."""
    names = as_dict(card.get("name"))
    full = as_text(names.get("formatted_name")) or as_text(names.get("first_name"))
    last, first = as_text(names.get("last_name")), as_text(names.get("first_name"))
    lines = [
        "BEGIN:VCARD",
        "VERSION:3.0",
        f"N:{_escaped(last)};{_escaped(first or full)};;;",
        f"FN:{_escaped(full)}",
    ]
    for phone in map(as_dict, as_list(card.get("phones"))):
        wa_id = "".join(filter(str.isalnum, as_text(phone.get("wa_id"))))
        number = as_text(phone.get("phone")) or (f"+{wa_id}" if wa_id else "")
        kind = "".join(filter(str.isalnum, as_text(phone.get("type")))) or "CELL"
        if number:
            waid = f";waid={wa_id}" if wa_id else ""
            lines.append(f"TEL;type={kind.upper()}{waid}:{_escaped(number)}")
    return "\n".join([*lines, "END:VCARD"])


def _contacts(message: JsonObject) -> JsonObject | None:
    cards = [card for card in as_list(message.get("contacts")) if isinstance(card, dict)]
    if not cards:
        return None
    body = "\n".join(map(vcard, cards))
    data: JsonObject = {"contacts": cards}
    if number := _shared_number(message):
        data[SHARED_NUMBER] = number
    return {"media_type": "vcard", "body": body, "data": data}


def _shared_number(message: JsonObject) -> str:
    """Return the digits of the own number that a person shared when asked; '' for any other card.

    docs.kapso.ai/docs/whatsapp/send-messages/request-contact-info
    """
    card = as_dict(next(iter(as_list(message.get("contacts"))), None))
    if card.get("origin") != CONTACT_REQUEST:
        return ""
    phones = map(as_dict, as_list(card.get("phones")))
    told = (person(phone, ("wa_id", "phone"), ())[0] for phone in phones)
    numbers = ("".join(filter(str.isdecimal, each)) for each in told)
    return next((each for each in numbers if len(each) in PHONE_LENGTHS), "")


def _button(message: JsonObject) -> JsonObject | None:
    button = as_dict(message.get("button"))
    words, choice = as_text(button.get("text")), as_text(button.get("payload"))
    if not (words or choice):
        return None
    return {"media_type": "conversation", "body": words or choice, "choice_id": choice}


# Answers to a request for call permission, as lines of the conversation.
PERMISSIONS = {"accept": "Permitiu ligações", "reject": "Não permitiu ligações"}


def _permission(interactive: JsonObject) -> JsonObject | None:
    """Return the answer to a request for call permission; it is no answer to a menu.

    developers.facebook.com/documentation/business-messaging/whatsapp/calling/user-call-permissions
    """
    reply = as_dict(interactive.get("call_permission_reply"))
    words = PERMISSIONS.get(as_text(reply.get("response")))
    if words is None:
        return None
    if words == PERMISSIONS["accept"] and reply.get("is_permanent") is not True:
        until = moment_of(reply.get("expiration_timestamp"))
        words += " por enquanto" if until else ""
    return {"media_type": "call_log", "body": words, "data": {"callPermission": reply}}


def _interactive(message: JsonObject) -> JsonObject | None:
    interactive = as_dict(message.get("interactive"))
    if permission := _permission(interactive):
        return permission
    for kind in ("button_reply", "list_reply"):
        reply = as_dict(interactive.get(kind))
        title, choice = as_text(reply.get("title")), as_text(reply.get("id"))
        if title or choice:
            return {"media_type": "conversation", "body": title or choice, "choice_id": choice}
    if form := _form(as_dict(interactive.get("nfm_reply"))):
        return form
    # One of ours that another program sent.
    return read_menu(interactive) if isinstance(interactive.get("action"), dict) else None


def _template(message: JsonObject) -> JsonObject | None:
    return read_sent_template(as_dict(message.get("template")))


MOST_ANSWERS, KEY_LENGTH, ANSWER_LENGTH, FORM_LENGTH = 50, 100, 1000, 50_000
FORM_WORDS = "Formulário respondido"


def _form(form: JsonObject) -> JsonObject | None:
    """Return the answer to a form as lines 'key: value', with what was told.

    developers.facebook.com/docs/whatsapp/flows/reference/responsemsgwebhook
    """
    if not form:
        return None
    told = as_text(form.get("response_json"))
    try:
        values = as_dict(orjson.loads(told)) if len(told) <= FORM_LENGTH else {}
    except orjson.JSONDecodeError:
        values = {}
    token = as_text(values.pop("flow_token", ""))[:KEY_LENGTH]
    answers = {
        key.replace("\x00", "")[:KEY_LENGTH]: _form_value(value)
        for key, value in list(values.items())[:MOST_ANSWERS]
    }
    lines = "\n".join(f"{key}: {value}" for key, value in answers.items())
    data = {**form, FORM_ANSWER: {"token": token, "answers": answers, "given": []}}
    body = lines or as_text(form.get("body")) or FORM_WORDS
    return {"media_type": "conversation", "body": body, "data": data}


def _form_value(value: Any) -> str:
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return text.replace("\x00", "")[:ANSWER_LENGTH]


def _reaction(message: JsonObject) -> JsonObject | None:
    reaction = as_dict(message.get("reaction"))
    target = as_text(reaction.get("message_id"))
    if not target:
        return None
    emoji = as_text(reaction.get("emoji"))
    return {"media_type": "reaction", "body": emoji, "reaction_to": target, "reaction": emoji}


def _edit(message: JsonObject) -> JsonObject | None:
    edit = as_dict(message.get("edit"))
    target, content = as_text(edit.get("original_message_id")), as_dict(edit.get("message"))
    if not target or "edit" in content:
        return None
    return {**_content(content), "edits": target}


def _revoke(message: JsonObject) -> JsonObject | None:
    target = as_text(as_dict(message.get("revoke")).get("original_message_id"))
    return {"media_type": "conversation", "body": "", "deletes": target} if target else None


READERS = {
    "text": _text,
    "location": _location,
    "contacts": _contacts,
    "button": _button,
    "interactive": _interactive,
    "template": _template,
    "reaction": _reaction,
    "edit": _edit,
    "revoke": _revoke,
}


def _content(message: JsonObject) -> JsonObject:
    kind = as_text(message.get("type"))
    if not kind:  # some notifications leave the type out; their content tells it
        kind = next((key for key in (*READERS, *MEDIA_TYPES) if key in message), "")
    read: JsonObject | None = None
    if kind in MEDIA_TYPES:
        read = _media(message, kind)
    elif kind in READERS:
        read = READERS[kind](message)
    return read or {"media_type": UNKNOWN, "body": UNKNOWN}


def is_system(message: JsonObject) -> bool:
    """Tell whether it is a system message of Meta about the person, which is not stored as a
    message.
    """
    return as_text(message.get("type")) == "system"


# The name of 'user_changed_number' before 2025.
_MOVES = frozenset({"user_changed_number", "user_changed_user_id", "customer_changed_number"})


def read_identity(message: JsonObject) -> InboundIdentity | None:
    """Return how somebody is named from now on; None for any other word of Meta's about a person.

    developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/system
    """
    system = as_dict(message.get("system"))
    if as_text(system.get("type")) not in _MOVES:
        return None
    told = {**message, **system}
    number, lid = person(told, ("from", "customer"), ("previous_user_id", "from_user_id"))
    new_number, new_lid = person(system, ("wa_id", "new_wa_id"), ("user_id",))
    if not (number or lid) or not (new_number or new_lid):
        return None
    return InboundIdentity(number, lid, new_number, new_lid)


REFERRAL_LENGTH = 1000
_REFERRAL = (
    "source_type",
    "source_id",
    "source_url",
    "headline",
    "body",
    "media_type",
    "ctwa_clid",
)


def _referral(message: JsonObject) -> JsonObject:
    """Return the advertisement or post by which somebody came, empty for none.

    developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
    """
    told = as_dict(message.get("referral"))
    words = {key: as_text(told.get(key))[:REFERRAL_LENGTH] for key in _REFERRAL}
    return {key: text for key, text in words.items() if text}


def read_message(payload: JsonObject) -> InboundMessage | None:
    """Read a stored message; None without a writer. `sender` is the conversation: the contact's
    number, empty if Meta tells only the user id (`lid`); a group's id in groups; for an echo of the
    phone its recipient.
    """
    message, contact = as_dict(payload.get("message")), as_dict(payload.get("contact"))
    is_echo = payload.get("is_echo") is True
    side = "to" if is_echo else "from"
    number, user_id = person(
        {**message, **contact}, ("wa_id", side), ("user_id", f"{side}_user_id")
    )
    group = as_text(message.get("group_id"))
    if not (number or group or is_echo):
        number = _shared_number(message)
    external_id = as_text(message.get("id"))
    if not (group or number or user_id):
        return None
    if not external_id or len(external_id) > EXTERNAL_ID_LENGTH:
        return None
    profile = as_dict(contact.get("profile"))
    name = as_text(profile.get("name"))[:NAME_LENGTH]
    content, context = _content(message), as_dict(message.get("context"))
    if context.get("forwarded") is True or context.get("frequently_forwarded") is True:
        content = {**content, "data": {**(content.get("data") or {}), "forwarded": True}}
    if referral := _referral(message):
        content = {**content, "data": {**(content.get("data") or {}), "referral": referral}}
    return InboundMessage(
        external_id=external_id,
        sender=group or number,
        sender_name="" if group else name,
        sent_at=moment_of(message.get("timestamp")) or datetime.now(tz=UTC),
        from_me=is_echo,
        is_group=bool(group),
        participant=number if group else "",
        participant_name=name if group else "",
        participant_lid=user_id if group else "",
        lid="" if group else user_id,
        sender_username="" if group else as_text(profile.get("username"))[:NAME_LENGTH],
        reply_to=as_text(context.get("id")),
        raw=message,
        envelope={key: payload[key] for key in ENVELOPE if key in payload},
        **content,
    )


PRICING_LENGTH = 40


def _pricing(status: JsonObject) -> Pricing | None:
    """Read a message's pricing, which comes with its first statuses.

    A later API version drops `billable`; `type` tells it then.
    """
    told = as_dict(status.get("pricing"))
    category, kind = as_text(told.get("category")), as_text(told.get("type"))
    if not category:
        return None
    return Pricing(
        is_billable=kind == "regular" if kind else told.get("billable") is True,
        category=category.upper()[:PRICING_LENGTH],
        model=as_text(told.get("pricing_model"))[:PRICING_LENGTH],
        type=kind[:PRICING_LENGTH],
    )


def read_status(payload: JsonObject) -> InboundStatus | None:
    """Read a stored status; None for one that changes no ack."""
    status = as_dict(payload.get("status"))
    external_id, ack = as_text(status.get("id")), ACKS.get(as_text(status.get("status")))
    if not external_id or ack is None:
        return None
    code = error = ""
    reason = NO_REASON
    if ack < 0:
        fault = as_dict(next(iter(as_list(status.get("errors"))), None))
        code = as_text(fault.get("code"))
        title = as_text(fault.get("message")) or as_text(fault.get("title"))
        details = as_text(as_dict(fault.get("error_data")).get("details"))
        error = sentence_of(code, details or title)
        reason = reason_of(code, details or title)
    number, user_id = _recipient(status, as_dict(payload.get("contact")))
    return InboundStatus(
        external_id=external_id,
        ack=ack,
        callback_id=as_text(status.get("biz_opaque_callback_data")),
        error=error,
        code=code,
        reason=reason,
        at=moment_of(status.get("timestamp")),
        pricing=_pricing(status),
        number=number,
        user_id=user_id,
    )


def _recipient(status: JsonObject, contact: JsonObject) -> tuple[str, str]:
    """Return number and user id of whom a message went to, as far as the status tells them.

    developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/status
    """
    if as_text(status.get("recipient_type")) == "group":
        return "", ""
    return person(
        {**status, **contact}, ("wa_id", "recipient_id"), ("user_id", "recipient_user_id")
    )


def read_call(payload: JsonObject) -> InboundCall | None:
    """Read a call that a contact starts; None for our own calls and later events.

    developers.facebook.com/docs/whatsapp/cloud-api/calling/user-initiated-calls
    """
    call, contact = as_dict(payload.get("call")), as_dict(payload.get("contact"))
    call_id = as_text(call.get("id"))
    number, user_id = person({**call, **contact}, ("wa_id", "from"), ("user_id", "from_user_id"))
    if as_text(call.get("event")) != "connect" or call.get("direction") == "BUSINESS_INITIATED":
        return None
    if not call_id or len(call_id) > EXTERNAL_ID_LENGTH or not (number or user_id):
        return None
    return InboundCall(
        call_id=call_id,
        sender=number,
        sender_name=as_text(as_dict(contact.get("profile")).get("name"))[:NAME_LENGTH],
        at=moment_of(call.get("timestamp")) or datetime.now(tz=UTC),
        is_video="m=video" in as_text(as_dict(call.get("session")).get("sdp")),
        lid=user_id,
    )
