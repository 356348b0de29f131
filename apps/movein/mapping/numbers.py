"""Numbers, LIDs and groups as older products store them, as ours (rules/moving-in §4)."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import uuid4

import phonenumbers

from apps.contacts.models import LID_LENGTH, NUMBER_LENGTH
from apps.contacts.numbers import (
    GROUP_SUFFIX,
    LID_SUFFIX,
    canonical_number,
    digits,
    lid_of,
)
from apps.movein.mapping.values import Row, flag, text

# A LID has 14 or 15 digits; a number that long is rare, and then a valid one.
LID_DIGITS = range(14, 17)
# A group's id of before 2021 is the number of who made it and the second in which it was made.
_SECONDS_LENGTH = 10
_OLDER_GROUP_LENGTH = 20
_NEWER_GROUP = "120363"


@dataclass(frozen=True)
class Address:
    """Where a contact is reached: our `number`, `canonical_number` and `lid`."""

    number: str
    canonical: str
    lid: str = ""


def group_address(number: str) -> Address:
    """Return a group's address, from its id with or without `-` and `@g.us`."""
    plain = "".join(each for each in number.partition("@")[0] if each.isdigit() or each == "-")
    if (
        "-" not in plain
        and len(plain) >= _OLDER_GROUP_LENGTH
        and not plain.startswith(_NEWER_GROUP)
    ):
        plain = f"{plain[:-_SECONDS_LENGTH]}-{plain[-_SECONDS_LENGTH:]}"
    shown = f"{plain}{GROUP_SUFFIX}"[:NUMBER_LENGTH]
    return Address(shown, canonical_number(shown))


def looks_like_lid(row: Row) -> bool:
    """Tell whether a number is too long to be one, and no other column says what it is."""
    number = digits(text(row.get("number")))
    return len(number) in LID_DIGITS and not _is_valid(number) and not flag(row.get("isGroup"))


def address_of(row: Row, lids: Collection[str] = ()) -> Address:
    """Return the address of a contact of theirs.

    `lids` are the LIDs that the source knows otherwise: from addresses in messages, or from the
    table of LIDs as the contact's own (`row["_lid"]`). A contact with neither number nor LID gets
    a canonical number of its own.
    """
    stored = text(row.get("number")).strip()
    if flag(row.get("isGroup")) or stored.endswith(GROUP_SUFFIX):
        return group_address(stored)
    named, phone = text(row.get("contactId")).strip(), text(row.get("phoneNumber")).strip()
    lid = lid_of(text(row.get("_lid") or row.get("lid")))
    for each in (named, stored):
        if each.endswith(LID_SUFFIX):
            lid = lid or lid_of(each)
    number = "" if stored.endswith(LID_SUFFIX) else digits(stored)
    if number == lid or (looks_like_lid(row) and (number in lids or not _could_be_number(number))):
        lid, number = lid or number, ""
    number = digits(phone) or number
    if not number and named and not named.endswith(LID_SUFFIX):
        number = digits(named)
    lid = lid[:LID_LENGTH]
    if number:
        number = number[: NUMBER_LENGTH - 10]
        return Address(number, canonical_number(number), lid)
    if lid:
        shown = f"{lid}{LID_SUFFIX}"
        return Address(shown, canonical_number(shown), lid)
    return Address("", f"none:{uuid4().hex}")


def _is_valid(number: str) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(f"+{number}"))
    except phonenumbers.NumberParseException:
        return False


def _could_be_number(number: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(f"+{number}"))
    except phonenumbers.NumberParseException:
        return False
