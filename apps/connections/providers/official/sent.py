"""What another program sent from the number: menus and templates, read from the call of the send.

Shapes: `payloads`; for templates developers.facebook.com/documentation/business-messaging/whatsapp/
templates/marketing-templates (media-card-carousel-templates, limited-time-offer-templates).
"""

from datetime import UTC, datetime
from typing import Any

from apps.connections.providers.content import Choice, Menu, MenuKind, menu_text, shown_menu
from apps.connections.providers.official.payloads import ACTIONS
from apps.connections.templates import (
    MEDIA_FORMATS,
    HeaderMedia,
    Part,
    as_part,
    as_parts,
    as_text,
    body_text,
    kind_of_part,
    read_template,
    shown_components,
)

MOST_CHOICES, MOST_CARDS = 50, 10
TEXT_LENGTH = 4096
KINDS = {name: kind for kind, (name, _) in ACTIONS.items()}
ANY = "-"


def _words(part: Part, key: str) -> str:
    return as_text(as_part(part.get(key)).get("text"))[:TEXT_LENGTH]


def read_menu(interactive: Part) -> dict[str, Any] | None:
    """Return media type, body and data of a sent interactive message; None for one without text.

    Of a kind that we do not send, the texts are read.
    """
    action = as_part(interactive.get("action"))
    header, body = _words(interactive, "header"), _words(interactive, "body")
    if as_text(interactive.get("type")) == "carousel":
        cards = [_menu_card(card) for card in as_parts(action.get("cards"))[:MOST_CARDS]]
        return _template({}, [{"type": "BODY", "text": body}], cards, body)
    kind = KINDS.get(as_text(interactive.get("type")))
    if kind is None:
        text = "\n".join(filter(None, (header, body)))
        return {"media_type": "conversation", "body": text} if text else None
    link = as_part(action.get("parameters"))
    menu = Menu(
        body=body,
        choices=tuple(_choices(action)),
        as_list=kind == MenuKind.LIST,
        button=as_text(link.get("display_text")) or as_text(action.get("button")),
        header=header,
        footer=_words(interactive, "footer"),
        kind=kind,
        url=as_text(link.get("url"))[:TEXT_LENGTH],
    )
    data = {"interactive": shown_menu(menu)}
    return {"media_type": "interactive_list", "body": menu_text(menu).strip(), "data": data}


def _choices(action: Part) -> list[Choice]:
    found = [as_part(button.get("reply")) for button in as_parts(action.get("buttons"))]
    sections = as_parts(action.get("sections"))
    choices = [_choice(reply, {}) for reply in found]
    choices += [
        _choice(row, section) for section in sections for row in as_parts(section.get("rows"))
    ]
    products = [(each, section) for section in sections for each in _products(section)]
    if product := as_text(action.get("product_retailer_id")):
        products.append((product, {}))
    choices += [
        Choice(product, product, section=as_text(section.get("title"))[:TEXT_LENGTH])
        for product, section in products
    ]
    return choices[:MOST_CHOICES]


def _products(section: Part) -> list[str]:
    items = as_parts(section.get("product_items"))
    return [name for each in items if (name := as_text(each.get("product_retailer_id")))]


def _choice(told: Part, section: Part) -> Choice:
    return Choice(
        as_text(told.get("id"))[:TEXT_LENGTH],
        as_text(told.get("title"))[:TEXT_LENGTH],
        as_text(told.get("description"))[:TEXT_LENGTH],
        as_text(section.get("title"))[:TEXT_LENGTH],
    )


def _menu_card(card: Part) -> list[Part]:
    """Return a card of an interactive carousel as components of a template's."""
    action, header = as_part(card.get("action")), as_part(card.get("header"))
    kind = as_text(header.get("type"))
    shown: list[Part] = []
    if kind.upper() in MEDIA_FORMATS:
        file = as_part(header.get(kind))
        shown.append({"type": "HEADER", "format": kind.upper(), "link": as_text(file.get("link"))})
    shown.append({"type": "BODY", "text": _words(card, "body")})
    link = as_part(action.get("parameters"))
    buttons: list[Part] = [
        {"type": "QUICK_REPLY", "text": choice.title} for choice in _choices(action)
    ]
    if url := as_text(link.get("url")):
        buttons.append({"type": "URL", "text": as_text(link.get("display_text")), "url": url})
    return [*shown, {"type": "BUTTONS", "buttons": buttons}]


def read_sent_template(sent: Part) -> dict[str, Any] | None:
    """Return media type, body and data of a sent template; its `definition` stands in it.

    Without a definition only its name is known.
    """
    name = as_text(sent.get("name"))[:TEXT_LENGTH]
    definition = as_parts(as_part(sent.get("definition")).get("components"))
    given = as_parts(sent.get("components"))
    language = as_text(as_part(sent.get("language")).get("code"))
    about = {"name": name, "language": language}
    body, shown = _filled(definition, given)
    cards = _cards(definition, given)
    if not (body or shown or cards):
        return {"media_type": "template", "body": name, "data": about} if name else None
    return _template(about, shown, cards, body or name)


def _template(about: Part, shown: list[Part], cards: list[list[Part]], body: str) -> dict[str, Any]:
    lines = [body]
    offers = [part for part in shown if part["type"] == "LIMITED_TIME_OFFER"]
    lines += [part["text"] for part in offers]
    for number, card in enumerate(cards, 1):
        words = next((part["text"] for part in card if part["type"] == "BODY"), "")
        lines.append(f"*{number}* - {words}")
    if cards:
        carousel = {"type": "CAROUSEL", "cards": [{"components": card} for card in cards]}
        shown = [*shown, carousel]
    text = "\n".join(filter(None, lines))
    return {"media_type": "template", "body": text, "data": {**about, "components": shown}}


def _filled(definition: list[Part], given: list[Part]) -> tuple[str, list[Part]]:
    """Return the text of the body, and the components as the contact sees them."""
    values, media = _values(given)
    template = read_template({"name": ANY, "language": ANY, "components": definition})
    if template is None or not definition:
        return "", []
    form = next((kind_of_part(each, "format") for each in definition if _is(each, "HEADER")), "")
    if media is None and form in MEDIA_FORMATS:
        media = HeaderMedia(MEDIA_FORMATS[form])
    shown = shown_components(template, values, media)
    offers = [_offer(part, given) for part in definition if _is(part, "LIMITED_TIME_OFFER")]
    return body_text(template, values), [*shown, *offers]


def _is(part: Part, kind: str) -> bool:
    return kind_of_part(part) == kind


def _values(given: list[Part]) -> tuple[dict[str, str], HeaderMedia | None]:
    """Return the parameters of a send by `Slot.field`, and the file of its header."""
    values: dict[str, str] = {}
    media: HeaderMedia | None = None
    for part in given:
        kind, parameters = kind_of_part(part).lower(), as_parts(part.get("parameters"))
        for place, each in enumerate(parameters, 1):
            form = as_text(each.get("type")).lower()
            file = as_part(each.get(form))
            if kind == "header" and form.upper() in MEDIA_FORMATS:
                link, name = as_text(file.get("link")), as_text(file.get("filename"))
                media = HeaderMedia(form, as_text(file.get("id")), link, name)
                continue
            words = as_text(each.get("coupon_code")) or as_text(each.get("text"))
            words = words or as_text(file.get("fallback_value"))
            name = as_text(each.get("parameter_name")) or str(place)
            field = (
                f"buttons.{as_text(part.get('index'))}" if kind == "button" else f"{kind}.{name}"
            )
            if words:
                values[field] = words[:TEXT_LENGTH]
    return values, media


def _offer(part: Part, given: list[Part]) -> Part:
    """Return a limited-time offer; `expiresAt` is ISO 8601, '' for one without an end."""
    sent = next((each for each in given if _is(each, "LIMITED_TIME_OFFER")), {})
    [parameter] = as_parts(sent.get("parameters"))[:1] or [{}]
    told = as_text(as_part(parameter.get("limited_time_offer")).get("expiration_time_ms"))
    try:
        expires_at = datetime.fromtimestamp(int(told) / 1000, tz=UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        expires_at = ""
    text = as_text(as_part(part.get("limited_time_offer")).get("text"))[:TEXT_LENGTH]
    return {"type": "LIMITED_TIME_OFFER", "text": text, "expiresAt": expires_at}


def _cards(definition: list[Part], given: list[Part]) -> list[list[Part]]:
    """Return the components of each card of a carousel, in the order of the send."""
    carousel = next((each for each in definition if _is(each, "CAROUSEL")), {})
    sent = next((each for each in given if _is(each, "CAROUSEL")), {})
    parts = {
        as_text(card.get("card_index")) or str(place): as_parts(card.get("components"))
        for place, card in enumerate(as_parts(sent.get("cards")))
    }
    cards = as_parts(carousel.get("cards"))[:MOST_CARDS]
    return [
        _filled(as_parts(card.get("components")), parts.get(str(place), []))[1]
        for place, card in enumerate(cards)
    ]
