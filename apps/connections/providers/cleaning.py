"""Cleans JSON from outside for the database. Pure; nothing here raises."""

import hashlib
import math
from typing import Any

import orjson

# Deeper nesting than any real notification has.
DEPTH = 50
WHOLE_NUMBER_BITS = 63


def clean(value: Any, depth: int = 0) -> Any:
    """Return JSON that the database accepts: without NUL, huge numbers and deep nesting."""
    if isinstance(value, str):
        return value.replace("\x00", "")
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and value.bit_length() > WHOLE_NUMBER_BITS:
        return str(value)
    if depth >= DEPTH and isinstance(value, dict | list):
        return None
    if isinstance(value, dict):
        return {clean(key): clean(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [clean(inner, depth + 1) for inner in value]
    return value


def digest(value: Any) -> str:
    """Return a digest that identifies a JSON value."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()[:40]


def fitting(text: str, length: int) -> str:
    """Return the text, or its beginning and its digest when it is longer than the column."""
    return text if len(text) <= length else f"{text[: length - 41]}#{digest(text)}"
