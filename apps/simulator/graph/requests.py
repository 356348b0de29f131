"""Checks of the bodies that a business posts to /messages, as strict as Meta's."""

import re
from collections.abc import Callable
from typing import Any

from apps.simulator.graph.errors import bad_value, invalid, missing
from apps.simulator.graph.interactive import check_interactive
from apps.simulator.graph.parts import Part, check_part, check_text
from apps.simulator.graph.user_ids import USER_ID

# The categories of Direct Send; a service message is an ordinary one.
CATEGORIES = ("authentication", "service", "utility")
DIRECT_LENGTH = 1024
MEDIA_TYPES = ("image", "audio", "video", "document", "sticker")


def _text_message(part: Part) -> None:
    check_text(part, "body", "text", 4096)


def _media_message(kind: str) -> Callable[[Part], None]:
    def check(part: Part) -> None:
        if not part.get("id") and not part.get("link"):
            raise missing(f"{kind}['id'] or {kind}['link']")
        if part.get("id") and part.get("link"):
            raise invalid(f"Only one of {kind}['id'] and {kind}['link'] is allowed.")
        if "caption" in part and kind in ("audio", "sticker"):
            raise invalid(f'Unexpected key "caption" on param "{kind}".')
        check_text(part, "caption", kind, 1024, required=False)

    return check


def _location_message(part: Part) -> None:
    for key, bound in (("latitude", 90), ("longitude", 180)):
        if part.get(key) is None:
            raise missing(f"location['{key}']")
        try:
            degrees = float(part[key])
        except (TypeError, ValueError) as error:
            raise invalid(f"Param location['{key}'] must be a number.") from error
        if abs(degrees) > bound:
            raise bad_value(f"location['{key}'] must be between -{bound} and {bound}.")


def _contacts_message(cards: Any) -> None:
    if not isinstance(cards, list) or not cards:
        raise invalid("Param contacts must be a non-empty array.")
    for card in cards:
        name = check_part(check_part(card, "contacts[0]").get("name"), "contacts[0]['name']")
        check_text(name, "formatted_name", "contacts[0]['name']", 1000)
        others = ("first_name", "last_name", "middle_name", "suffix", "prefix")
        if not any(name.get(key) for key in others):
            raise invalid("At least one name field besides formatted_name is required.")


def _reaction_message(part: Part) -> None:
    check_text(part, "message_id", "reaction", 200)
    if not isinstance(part.get("emoji"), str):
        raise missing("reaction['emoji']")


def _template_message(part: Part) -> None:
    check_text(part, "name", "template", 512)
    check_text(
        check_part(part.get("language"), "template['language']"), "code", "template['language']", 20
    )


CHECKS: dict[str, Callable[[Any], None]] = {
    "text": _text_message,
    "location": _location_message,
    "contacts": _contacts_message,
    "reaction": _reaction_message,
    "interactive": check_interactive,
    "template": _template_message,
    **{kind: _media_message(kind) for kind in MEDIA_TYPES},
}


def check_message(body: Part) -> tuple[str, str, Any]:
    """Return recipient, type and content of a message; raises GraphError like Meta.

    The recipient is a number's digits (`to`, which takes precedence) or a user id (`recipient`).
    """
    if body.get("messaging_product") != "whatsapp":
        raise missing("messaging_product")
    recipient = _recipient(body)
    if body.get("recipient_type", "individual") not in ("individual", "group"):
        raise invalid("Param recipient_type must be one of {individual, group}.")
    kind = body.get("type", "text")
    if not isinstance(kind, str) or kind not in CHECKS:
        allowed = ", ".join(sorted(CHECKS))
        raise invalid(f'Param type must be one of {{{allowed}}} - got "{kind}".')
    content = body.get(kind)
    if kind != "contacts":
        content = check_part(content, kind)
    CHECKS[kind](content)
    if body.get("category") is not None:
        content = _categorized(body["category"], kind, content)
    if len(str(body.get("biz_opaque_callback_data", ""))) > 512:
        raise invalid("Param biz_opaque_callback_data must be at most 512 characters long.")
    context = body.get("context")
    if context is not None:
        check_text(check_part(context, "context"), "message_id", "context", 200)
    return recipient, kind, content


def _categorized(category: Any, kind: str, content: Any) -> Any:
    """Return the content of a Direct Send message with its category beside it."""
    if category not in CATEGORIES:
        allowed = ", ".join(CATEGORIES).upper()
        raise invalid(f'Param category must be one of {{{allowed}}} - got "{category}".')
    if category == "service":
        return content
    if kind not in ("text", "interactive"):
        raise invalid(f"Param type {kind} is not supported with a category.")
    if kind == "text":
        check_text(content, "body", "text", DIRECT_LENGTH)
    return {**content, "category": category}


def _recipient(body: Part) -> str:
    number, user_id = body.get("to"), body.get("recipient")
    if not number and not user_id:
        raise missing("to")
    if not number:
        if not USER_ID.fullmatch(str(user_id)):
            raise bad_value("recipient is not a business-scoped user ID.")
        return str(user_id)
    digits = re.sub(r"[\s()+-]", "", str(number))
    if not re.fullmatch(r"\d{5,20}", digits):
        raise bad_value("to is not a phone number.")
    return digits
