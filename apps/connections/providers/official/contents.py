"""What a message holds, by its type: text, file, place, cards, an answer or a change."""

from typing import Any

import orjson

from apps.connections.providers.inbound import FORM_ANSWER, SHARED_NUMBER, InboundMedia
from apps.connections.providers.official.sent import read_menu, read_sent_template
from apps.connections.providers.official.values import (
    JsonObject,
    as_dict,
    as_list,
    as_text,
    moment_of,
    person,
)

NAME_LENGTH = 255
MIME_LENGTH = 150
MEDIA_TYPES = {
    "image": "image",
    "sticker": "sticker",
    "audio": "audio",
    "video": "video",
    "document": "application",
}
UNKNOWN = "unknown"
# The origin of a card that answers `request_contact_info`.
CONTACT_REQUEST = "contact_request"
PHONE_LENGTHS = range(8, 16)


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


def _number(value: Any) -> float | int | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None


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
    if number := shared_number(message):
        data[SHARED_NUMBER] = number
    return {"media_type": "vcard", "body": body, "data": data}


def shared_number(message: JsonObject) -> str:
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
    return {**content_of(content), "edits": target}


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


def content_of(message: JsonObject) -> JsonObject:
    """Return what a message holds, as fields of `InboundMessage`; what nobody reads is unknown."""
    kind = as_text(message.get("type"))
    if not kind:  # some notifications leave the type out; their content tells it
        kind = next((key for key in (*READERS, *MEDIA_TYPES) if key in message), "")
    read: JsonObject | None = None
    if kind in MEDIA_TYPES:
        read = _media(message, kind)
    elif kind in READERS:
        read = READERS[kind](message)
    return read or {"media_type": UNKNOWN, "body": UNKNOWN}
