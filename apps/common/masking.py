"""Numbers of contacts as they are shown to who may not see them in full (rules/accounts §2).

The last step before an answer or event leaves: whatever a call reads, its numbers are masked here.
"""

import re
from contextlib import suppress
from typing import Any

import orjson

from apps.common.renderers import to_json

# The fields that hold a contact's number; of `remoteJid` what stands before the @.
_FIELDS = ("number", "remoteJid")
_HIDDEN = "•"
# Of a number stay country and area code, and the last digits, by which people tell it from others.
_HEAD, _TAIL = 4, 2
_NOT_DIGITS = re.compile(r"\D")
# What is shown of a contact without the number beside it; one without a name is called by it.
_NAMES = ("name", "contactName")
_NUMBER = re.compile(r"\+?[\d\s().-]+")
_LEAST_DIGITS = 10
_DIGITS = re.compile(r"\d+")
# Calls whose numbers are the company's own, or what the caller has just typed or uploaded.
_OWN_NUMBERS = (
    *("connections-", "costs", "contacts-number", "contacts-import", "contact-lists-preview"),
)


def masked_number(number: str) -> str:
    """Return a number with its middle hidden; a short one is hidden whole."""
    address, at, server = number.partition("@")
    if len(address) <= _HEAD + _TAIL:
        return _HIDDEN * len(address) + at + server
    hidden = _HIDDEN * (len(address) - _HEAD - _TAIL)
    return address[:_HEAD] + hidden + address[-_TAIL:] + at + server


def is_masked(number: str) -> bool:
    return _HIDDEN in number


def is_part_of_number(term: str) -> bool:
    """Tell whether a folded term has a run of fewer than ten digits.

    Whoever may search numbers by it finds out hidden digits one after another.
    """
    return any(len(run) < _LEAST_DIGITS for run in _DIGITS.findall(term))


def masked_name(name: str, number: str = "") -> str:
    """Return a contact's name; masked if it is only the number, or any number of ten digits."""
    digits = _NOT_DIGITS.sub("", name)
    if number and digits == _NOT_DIGITS.sub("", number.partition("@")[0]) != "":
        return masked_number(number)
    if len(digits) >= _LEAST_DIGITS and _NUMBER.fullmatch(name):
        return masked_number(digits)
    return name


def masked(data: Any) -> Any:
    """Return JSON data with the numbers of contacts masked.

    A record with a `provider` is a connection, whose number is the company's.
    """
    if isinstance(data, list):
        return [masked(each) for each in data]
    if not isinstance(data, dict):
        return data
    changed = {key: masked(value) for key, value in data.items()}
    if "provider" in data:
        return changed
    number = data.get("number")
    number = number if isinstance(number, str) else ""
    for field in _NAMES:
        if isinstance(data.get(field), str):
            changed[field] = masked_name(data[field], number)
    for field in _FIELDS:
        if isinstance(data.get(field), str):
            changed[field] = masked_number(data[field])
    # Older browsers read a refused ticket's twin from this text (rules/tickets §4).
    error = data.get("error")
    if isinstance(error, str) and error.startswith("{"):
        with suppress(orjson.JSONDecodeError):  # a text that only begins like JSON
            changed["error"] = masked_json(error).decode()
    return changed


def masked_json(text: bytes | str) -> bytes:
    """Return JSON with the numbers of contacts masked."""
    return to_json(masked(orjson.loads(text)))


def mask_answer(request: Any, name: str) -> None:
    """Have the answer to an admitted request masked; `name` is the call's, of the address."""
    if not name.startswith(_OWN_NUMBERS):
        request.masks_numbers = True


def masks_numbers(request: Any) -> bool:
    """Tell whether the answer to a request must be masked; one that was not admitted shows none."""
    return bool(getattr(request, "masks_numbers", False))


def hides_matches(request: Any, term: str) -> bool:
    """Tell whether nobody may be found by a folded term, because it may be a part of a number that
    the answer masks.
    """
    return masks_numbers(request) and is_part_of_number(term)
