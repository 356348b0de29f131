"""Bodies of the Cloud API's messages, as plain functions of what is sent.

Shapes: developers.facebook.com/docs/whatsapp/cloud-api/reference/messages.
"""

import re
from typing import Any

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import (
    ContactCard,
    Location,
    Menu,
    SendContext,
    TemplateSend,
)
from apps.connections.providers.official.identities import USER_ID

Payload = dict[str, Any]

BUTTON_COUNT = 3
BUTTON_TITLE_LENGTH = 20
ROW_COUNT = 10
ROW_TITLE_LENGTH = 24
ROW_DESCRIPTION_LENGTH = 72
SHORT_TEXT_LENGTH = 60

GROUP_SUFFIX = "@g.us"
LID_SUFFIX = "@lid"
NUMBER = re.compile(r"\+?[0-9]+")


def recipient(to: str) -> Payload:
    """Return the keys that name a recipient: a number, a user id or a group's id.

    Raises ProviderError for a QR session's LID ('123@lid'): Meta does not know it.
    """
    if USER_ID.fullmatch(bare := to.removesuffix(LID_SUFFIX)):
        return {"recipient_type": "individual", "recipient": bare}
    if to.endswith(LID_SUFFIX) or not to:
        raise ProviderError(
            "O número deste contato não é conhecido.",
            reason=ReasonCode.NO_NUMBER,
            code="no_number",
            permanent=True,
        )
    if NUMBER.fullmatch(to):
        return {"recipient_type": "individual", "to": to}
    return {"recipient_type": "group", "to": to.removesuffix(GROUP_SUFFIX)}


def message(context: SendContext, kind: str, content: Any) -> Payload:
    """Return a whole message: recipient, our id, the reply's target and the content."""
    payload: Payload = {
        "messaging_product": "whatsapp",
        **recipient(context.to),
        "type": kind,
        kind: content,
        "biz_opaque_callback_data": context.callback_id,
    }
    if context.reply_to:
        payload["context"] = {"message_id": context.reply_to}
    return payload


def text(context: SendContext, body: str) -> Payload:
    """Return a text message; links in it get their preview."""
    return message(context, "text", {"body": body, "preview_url": True})


def media(
    context: SendContext,
    kind: str,
    media_id: str,
    *,
    caption: str = "",
    name: str = "",
    is_voice: bool = False,
) -> Payload:
    """Return a message with an uploaded file; `kind` is image, audio, video, document, sticker."""
    content: Payload = {"id": media_id}
    if caption and kind in {"image", "video", "document"}:
        content["caption"] = caption
    if name and kind == "document":
        content["filename"] = name
    if is_voice and kind == "audio":
        content["voice"] = True
    return message(context, kind, content)


def location(context: SendContext, place: Location) -> Payload:
    content: Payload = {"latitude": place.latitude, "longitude": place.longitude}
    if place.name:
        content["name"] = place.name
    if place.address:
        content["address"] = place.address
    return message(context, "location", content)


def contacts(context: SendContext, cards: tuple[ContactCard, ...]) -> Payload:
    content = [
        {
            "name": {"formatted_name": card.name, "first_name": card.name},
            "phones": [
                {
                    "phone": phone.phone,
                    "type": phone.type,
                    **({"wa_id": phone.wa_id} if phone.wa_id else {}),
                }
                for phone in card.phones
            ],
        }
        for card in cards
    ]
    return message(context, "contacts", content)


def reaction(context: SendContext, external_id: str, emoji: str) -> Payload:
    """Return a reaction to a message; an empty emoji takes it back."""
    return message(context, "reaction", {"message_id": external_id, "emoji": emoji})


def _cut(words: str, length: int) -> str:
    return words if len(words) <= length else words[: length - 1] + "…"


def menu(context: SendContext, choices: Menu) -> Payload:
    """Return buttons, or a list when asked for or when there are more than three choices.

    Titles longer than the provider takes are cut. Raises ProviderError without choices and with
    more than ten.
    """
    if not 1 <= len(choices.choices) <= ROW_COUNT:
        raise ProviderError(
            f"Um menu leva de 1 a {ROW_COUNT} opções.",
            reason=ReasonCode.MENU_SIZE,
            code="menu_size",
            permanent=True,
        )
    as_list = choices.as_list or len(choices.choices) > BUTTON_COUNT
    content: Payload = {
        "type": "list" if as_list else "button",
        "action": _list_action(choices) if as_list else _button_action(choices),
        "body": {"text": choices.body},
    }
    if choices.header:
        content["header"] = {"type": "text", "text": _cut(choices.header, SHORT_TEXT_LENGTH)}
    if choices.footer:
        content["footer"] = {"text": _cut(choices.footer, SHORT_TEXT_LENGTH)}
    return message(context, "interactive", content)


def _button_action(choices: Menu) -> Payload:
    return {
        "buttons": [
            {
                "type": "reply",
                "reply": {"id": choice.id, "title": _cut(choice.title, BUTTON_TITLE_LENGTH)},
            }
            for choice in choices.choices
        ]
    }


def _list_action(choices: Menu) -> Payload:
    rows: list[Payload] = []
    for choice in choices.choices:
        row: Payload = {"id": choice.id, "title": _cut(choice.title, ROW_TITLE_LENGTH)}
        if choice.description:
            row["description"] = _cut(choice.description, ROW_DESCRIPTION_LENGTH)
        rows.append(row)
    button = _cut(choices.button, BUTTON_TITLE_LENGTH)
    return {
        "button": button,
        "sections": [{"title": _cut(choices.button, ROW_TITLE_LENGTH), "rows": rows}],
    }


def template(context: SendContext, chosen: TemplateSend) -> Payload:
    """Return an approved template with its filled components."""
    content: Payload = {"name": chosen.name, "language": {"code": chosen.language}}
    if chosen.components:
        content["components"] = list(chosen.components)
    return message(context, "template", content)


def mark_read(external_id: str) -> Payload:
    """Return the read receipt of a received message."""
    return {"messaging_product": "whatsapp", "status": "read", "message_id": external_id}


def reject_call(call_id: str) -> Payload:
    """Return the refusal of a call that rings."""
    return {"messaging_product": "whatsapp", "call_id": call_id, "action": "reject"}
