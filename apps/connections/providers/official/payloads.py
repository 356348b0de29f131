"""Bodies of the Cloud API's messages, as plain functions of what is sent.

Shapes: developers.facebook.com/docs/whatsapp/cloud-api/reference/messages.
"""

import re
from collections.abc import Callable
from itertools import groupby
from typing import Any

from apps.common.reasons import ReasonCode
from apps.connections.providers.base import ProviderError
from apps.connections.providers.content import (
    Choice,
    ContactCard,
    FormSend,
    Location,
    Menu,
    MenuKind,
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
    """Return a text message; links in it get their preview, except in one with a category."""
    if context.category:
        return message(context, "text", {"body": body}) | {"category": context.category}
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


def menu(context: SendContext, content: Menu) -> Payload:
    """Return an interactive message; a menu without a kind becomes a list when asked for or when
    there are more than three choices.

    Titles longer than the provider takes are cut. Raises ProviderError for buttons and lists
    without choices and with more than ten.
    """
    kind = content.kind
    if kind in ("", MenuKind.BUTTONS, MenuKind.LIST):
        if not 1 <= len(content.choices) <= ROW_COUNT:
            raise ProviderError(
                f"Um menu leva de 1 a {ROW_COUNT} opções.",
                reason=ReasonCode.MENU_SIZE,
                code="menu_size",
                permanent=True,
            )
        as_list = content.as_list or len(content.choices) > BUTTON_COUNT
        kind = MenuKind.LIST if as_list else MenuKind.BUTTONS
    name, action = ACTIONS[MenuKind(kind)]
    interactive: Payload = {"type": name, "action": action(content)}
    if content.body:
        interactive["body"] = {"text": content.body}
    if content.header:
        interactive["header"] = {"type": "text", "text": _cut(content.header, SHORT_TEXT_LENGTH)}
    if content.footer:
        interactive["footer"] = {"text": _cut(content.footer, SHORT_TEXT_LENGTH)}
    return message(context, "interactive", interactive)


def _button_action(content: Menu) -> Payload:
    return {
        "buttons": [
            {
                "type": "reply",
                "reply": {"id": choice.id, "title": _cut(choice.title, BUTTON_TITLE_LENGTH)},
            }
            for choice in content.choices
        ]
    }


def _row(choice: Choice) -> Payload:
    row: Payload = {"id": choice.id, "title": _cut(choice.title, ROW_TITLE_LENGTH)}
    if choice.description:
        row["description"] = _cut(choice.description, ROW_DESCRIPTION_LENGTH)
    return row


def _sections(content: Menu, key: str, item: Callable[[Choice], Payload]) -> list[Payload]:
    """Return the choices by section; one without a title takes that of the button."""
    return [
        {
            "title": _cut(title or content.button, ROW_TITLE_LENGTH),
            key: [item(choice) for choice in choices],
        }
        for title, choices in groupby(content.choices, key=lambda choice: choice.section)
    ]


def _list_action(content: Menu) -> Payload:
    button = _cut(content.button, BUTTON_TITLE_LENGTH)
    return {"button": button, "sections": _sections(content, "rows", _row)}


def _link_action(content: Menu) -> Payload:
    button = _cut(content.button, BUTTON_TITLE_LENGTH)
    return {"name": "cta_url", "parameters": {"display_text": button, "url": content.url}}


def _product_action(content: Menu) -> Payload:
    [product] = content.choices
    return {"catalog_id": content.catalog_id, **_item(product)}


def _item(product: Choice) -> Payload:
    return {"product_retailer_id": product.id}


def _products_action(content: Menu) -> Payload:
    sections = _sections(content, "product_items", _item)
    return {"catalog_id": content.catalog_id, "sections": sections}


def _catalog_action(content: Menu) -> Payload:
    action: Payload = {"name": "catalog_message"}
    for product in content.choices:
        action["parameters"] = {"thumbnail_product_retailer_id": product.id}
    return action


# Meta's name of each kind, and what its `action` holds.
ACTIONS: dict[MenuKind, tuple[str, Callable[[Menu], Payload]]] = {
    MenuKind.BUTTONS: ("button", _button_action),
    MenuKind.LIST: ("list", _list_action),
    MenuKind.LINK: ("cta_url", _link_action),
    MenuKind.LOCATION_REQUEST: ("location_request_message", lambda _: {"name": "send_location"}),
    MenuKind.CONTACT_REQUEST: (
        "request_contact_info",
        lambda _: {"name": "request_contact_info"},
    ),
    MenuKind.PRODUCT: ("product", _product_action),
    MenuKind.PRODUCT_LIST: ("product_list", _products_action),
    MenuKind.CATALOG: ("catalog_message", _catalog_action),
}


FLOW_MESSAGE_VERSION = "3"


def form(context: SendContext, shown: FormSend) -> Payload:
    """Return a published form, opened by a button. Its answer names our id of the message.

    developers.facebook.com/docs/whatsapp/flows/guides/sendingaflow
    """
    parameters = {
        "mode": "published",
        "flow_message_version": FLOW_MESSAGE_VERSION,
        "flow_token": context.callback_id,
        "flow_id": shown.flow_id,
        "flow_cta": _cut(shown.button, BUTTON_TITLE_LENGTH),
        "flow_action": "navigate",
        "flow_action_payload": {"screen": shown.screen},
    }
    content = {
        "type": "flow",
        "action": {"name": "flow", "parameters": parameters},
        "body": {"text": shown.body},
    }
    return message(context, "interactive", content)


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
