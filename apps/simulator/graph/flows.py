"""Meta's checks of Flow JSON, as far as forms of one screen need them.

developers.facebook.com/docs/whatsapp/flows/reference/flowjson and /components.
"""

import re
from collections.abc import Iterator
from typing import Any

VERSIONS = frozenset({"5.1", "6.0", "6.1", "6.2", "6.3", "7.0", "7.1", "7.2", "7.3"})
MOST_COMPONENTS = 50
_KEYS: dict[str, tuple[set[str], set[str]]] = {
    # Of each component the properties that it needs, and others that it takes.
    "TextHeading": ({"text"}, {"visible"}),
    "TextSubheading": ({"text"}, {"visible"}),
    "TextBody": ({"text"}, {"visible", "markdown", "font-weight", "strikethrough"}),
    "TextCaption": ({"text"}, {"visible", "markdown", "font-weight", "strikethrough"}),
    "TextInput": (
        {"name", "label"},
        {
            *("input-type", "required", "min-chars", "max-chars", "helper-text", "pattern"),
            *("label-variant", "enabled", "visible", "init-value", "error-message"),
        },
    ),
    "TextArea": (
        {"name", "label"},
        {"required", "max-length", "helper-text", "enabled", "visible", "init-value"},
    ),
    "Footer": ({"label", "on-click-action"}, {"left-caption", "right-caption", "enabled"}),
}
_LENGTHS = {
    ("TextHeading", "text"): 80,
    ("TextSubheading", "text"): 80,
    ("TextBody", "text"): 4096,
    ("TextCaption", "text"): 409,
    ("TextInput", "label"): 20,
    ("TextInput", "helper-text"): 80,
    ("TextArea", "label"): 20,
    ("TextArea", "helper-text"): 80,
    ("Footer", "label"): 35,
}
INPUT_TYPES = frozenset({"text", "number", "email", "password", "passcode", "phone"})


def faults_of(content: Any) -> list[dict[str, Any]]:
    """Return the validation errors of a Flow JSON, as Meta words them."""
    return [
        {
            "error": "INVALID_PROPERTY_VALUE",
            "error_type": "FLOW_JSON_ERROR",
            "message": words,
            "line_start": 1,
            "line_end": 1,
            "column_start": 1,
            "column_end": 1,
        }
        for words in _faults(content)
    ]


def _faults(content: Any) -> Iterator[str]:
    if not isinstance(content, dict) or not isinstance(content.get("screens"), list):
        yield "Expected property 'screens' of type Array."
        return
    if content.get("version") not in VERSIONS:
        yield f"Invalid Flow JSON version: {content.get('version')}."
    if not any(each.get("terminal") is True for each in content["screens"]):
        yield "Flow JSON must have at least one terminal screen."
    for screen in content["screens"]:
        if not re.fullmatch(r"[A-Za-z_]+", str(screen.get("id"))):
            yield "Property 'id' should only consist of alphabets and underscores."
        if len(str(screen.get("title") or "")) > 30:
            yield "Property 'title' must be at most 30 characters."
        yield from _screen(screen)


def form_parts(screen: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the components of a screen, those of its form among them."""
    parts: list[dict[str, Any]] = []
    for each in screen.get("layout", {}).get("children", []):
        parts += each.get("children", []) if each.get("type") == "Form" else [each]
    return parts


def _screen(screen: dict[str, Any]) -> Iterator[str]:
    parts = form_parts(screen)
    if not 0 < len(parts) <= MOST_COMPONENTS:
        yield f"A screen must have 1 to {MOST_COMPONENTS} components."
    names = [each["name"] for each in parts if "name" in each]
    if len(names) != len(set(names)):
        yield "Component names must be unique in a screen."
    for each in parts:
        yield from _component(each, names)
    if sum(each.get("type") == "Footer" for each in parts) != 1:
        yield "Missing Footer component for terminal screen."


def _component(part: dict[str, Any], names: list[str]) -> Iterator[str]:
    kind = str(part.get("type"))
    if kind not in _KEYS:
        yield f"Unknown component type '{kind}'."
        return
    needed, others = _KEYS[kind]
    for key in sorted(needed - part.keys()):
        yield f"Required property '{key}' is missing in {kind}."
    for key in sorted(part.keys() - needed - others - {"type"}):
        yield f"The property '{key}' cannot be specified in {kind}."
    for (of, key), length in _LENGTHS.items():
        if of == kind and not 0 < len(str(part.get(key, "x"))) <= length:
            yield f"Property '{key}' of {kind} must have 1 to {length} characters."
    if kind == "TextInput" and part.get("input-type", "text") not in INPUT_TYPES:
        yield f"Invalid value for 'input-type': {part['input-type']}."
    if kind == "Footer":
        yield from _action(part.get("on-click-action"), names)


def _action(action: Any, names: list[str]) -> Iterator[str]:
    if not isinstance(action, dict) or action.get("name") not in ("complete", "navigate"):
        yield "Invalid value for 'on-click-action'."
        return
    for value in (action.get("payload") or {}).values():
        used = re.fullmatch(r"\$\{form\.(\w+)\}", str(value))
        if used and used[1] not in names:
            yield f"Missing dynamic data '{value}'."
