"""Checks of the parts of a posted body."""

from typing import Any

from apps.simulator.graph.errors import invalid, missing

Part = dict[str, Any]


def check_part(value: Any, name: str) -> Part:
    """Return the value if it is an object; raises GraphError."""
    if value is None:
        raise missing(name)
    if not isinstance(value, dict):
        raise invalid(f"Param {name} must be a JSON object.")
    return value


def check_text(part: Part, key: str, name: str, limit: int, *, required: bool = True) -> None:
    """Raise GraphError for a text that is missing, empty or too long."""
    value = part.get(key)
    if value is None and not required:
        return
    if value is None:
        raise missing(f"{name}['{key}']")
    if not isinstance(value, str):
        raise invalid(f"Param {name}['{key}'] must be a string.")
    if required and not value.strip():
        raise invalid(f"Param {name}['{key}'] must be a non-empty string.")
    if len(value) > limit:
        raise invalid(f"Param {name}['{key}'] must be at most {limit} characters long.")
