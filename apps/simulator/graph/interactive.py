"""Checks of interactive messages, as strict as Meta's.

developers.facebook.com/documentation/business-messaging/whatsapp/messages (interactive-…) and
…/whatsapp/catalogs.
"""

from collections.abc import Callable
from typing import Any

from apps.simulator.graph.catalog import CATALOG, is_product
from apps.simulator.graph.errors import bad_value, invalid
from apps.simulator.graph.parts import Part, check_part, check_text

BODY, LIST_BODY, LINE, BUTTON, TITLE, DESCRIPTION = 1024, 4096, 60, 20, 24, 72
# What each kind takes beside its action; a '!' marks what it needs.
TAKES = {
    "button": ("header", "body!", "footer"),
    "list": ("header", "body!", "footer"),
    "cta_url": ("header", "body!", "footer"),
    "flow": ("header", "body!", "footer"),
    "location_request_message": ("body!",),
    "request_contact_info": ("body!",),
    "product": ("body", "footer"),
    "product_list": ("header!", "body!", "footer"),
    "catalog_message": ("body!", "footer"),
}


def check_interactive(part: Part) -> None:
    """Raise GraphError for what Meta refuses."""
    kind = part.get("type")
    if not isinstance(kind, str) or kind not in TAKES:
        raise invalid("Param interactive['type'] is not one of the known types.")
    action = check_part(part.get("action"), "interactive['action']")
    takes = {name.rstrip("!") for name in TAKES[kind]}
    for key in part:
        if key not in takes | {"type", "action"}:
            raise invalid(f'Unexpected key "{key}" on param "interactive".')
    for name in TAKES[kind]:
        key, limit = name.rstrip("!"), LIST_BODY if kind == "list" else BODY
        if name.endswith("!") or key in part:
            _words(part, key, limit if key == "body" else LINE)
    if kind in ACTIONS:
        ACTIONS[kind](action)


def _words(part: Part, key: str, limit: int) -> None:
    field = f"interactive['{key}']"
    words = check_part(part.get(key), field)
    if key != "header" or words.get("type") == "text":
        check_text(words, "text", field, limit)


def _choices(titles: list[tuple[str, str]], limit: int) -> None:
    for identifier, title in titles:
        if not identifier or len(identifier) > 256:
            raise bad_value("Each choice needs an id of 1 to 256 characters.")
        if not title or len(title) > limit:
            raise bad_value(f"Each title must have 1 to {limit} characters.")
    if len({identifier for identifier, _ in titles}) < len(titles):
        raise bad_value("Duplicate button id" if limit == BUTTON else "Duplicate row id")


def _buttons(action: Part) -> None:
    buttons = action.get("buttons")
    if not isinstance(buttons, list) or not 1 <= len(buttons) <= 3:
        raise bad_value("Number of buttons must be between 1 and 3.")
    replies = [check_part(button.get("reply"), "reply") for button in buttons]
    choices = [(str(r.get("id", "")), str(r.get("title", ""))) for r in replies]
    _choices(choices, BUTTON)
    if len({title for _, title in choices}) < len(choices):
        raise bad_value("Duplicate button title")


def _sections(action: Part, key: str, most: int) -> list[Any]:
    """Return what all sections hold."""
    sections = action.get("sections")
    if not isinstance(sections, list) or not 1 <= len(sections) <= 10:
        raise bad_value("1 to 10 sections are needed.")
    if len(sections) > 1 and not all(section.get("title") for section in sections):
        raise bad_value("Each section needs a title when there are several.")
    if any(len(str(section.get("title", ""))) > TITLE for section in sections):
        raise bad_value(f"A section's title must have at most {TITLE} characters.")
    if not all(section.get(key) for section in sections):
        raise bad_value(f"Each section needs {key}.")
    found = [each for section in sections for each in section[key]]
    if len(found) > most:
        raise bad_value(f"At most {most} {key} are allowed in all sections.")
    return found


def _list(action: Part) -> None:
    check_text(action, "button", "interactive['action']", BUTTON)
    rows = _sections(action, "rows", 10)
    _choices([(str(r.get("id", "")), str(r.get("title", ""))) for r in rows], TITLE)
    for row in rows:
        if len(str(row.get("description", ""))) > DESCRIPTION:
            raise bad_value(f"A row's description must have at most {DESCRIPTION} characters.")


def _named(name: str) -> Callable[[Part], None]:
    def check(action: Part) -> None:
        if action.get("name") != name:
            raise invalid(f"Param interactive['action']['name'] must be {name}.")

    return check


def _link(action: Part) -> None:
    _named("cta_url")(action)
    field = "interactive['action']['parameters']"
    parameters = check_part(action.get("parameters"), field)
    check_text(parameters, "display_text", field, BUTTON)
    check_text(parameters, "url", field, 2000)
    if not str(parameters["url"]).startswith(("https://", "http://")):
        raise bad_value(f"Param {field}['url'] is not a valid URL.")


def _product(item: Any) -> None:
    product = check_part(item, "product_items[0]").get("product_retailer_id")
    if not is_product(product):
        raise bad_value(f"Products not found in FB Catalog: {product}")


def _catalog_of(action: Part) -> None:
    if action.get("catalog_id") != CATALOG["id"]:
        raise bad_value("Param catalog_id is not the catalog of this account.")


def _one_product(action: Part) -> None:
    _catalog_of(action)
    _product(action)


def _products(action: Part) -> None:
    _catalog_of(action)
    for item in _sections(action, "product_items", 30):
        _product(item)


def _catalog(action: Part) -> None:
    _named("catalog_message")(action)
    if "parameters" in action:
        cover = check_part(action["parameters"], "parameters")
        _product({"product_retailer_id": cover.get("thumbnail_product_retailer_id")})


def _flow(action: Part) -> None:
    place = "interactive['action']['parameters']"
    parameters = check_part(action.get("parameters"), place)
    if str(parameters.get("flow_message_version")) != "3":
        raise bad_value("flow_message_version must be 3.")
    for key, length in (("flow_id", 50), ("flow_token", 200), ("flow_cta", BUTTON)):
        check_text(parameters, key, place, length)
    if parameters.get("flow_action", "navigate") not in ("navigate", "data_exchange"):
        raise bad_value("flow_action must be one of {navigate, data_exchange}.")


ACTIONS: dict[str, Callable[[Part], None]] = {
    "flow": _flow,
    "button": _buttons,
    "list": _list,
    "cta_url": _link,
    "location_request_message": _named("send_location"),
    "request_contact_info": _named("request_contact_info"),
    "product": _one_product,
    "product_list": _products,
    "catalog_message": _catalog,
}
