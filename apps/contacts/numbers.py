"""Phone numbers, LIDs and user ids, as typed by users and as sent by providers."""

import re
from dataclasses import dataclass
from typing import Literal

import phonenumbers

from apps.connections.providers.official.identities import USER_ID

GROUP_SUFFIX = "@g.us"
LID_SUFFIX = "@lid"
# WhatsApp's address of a number, perhaps with a device: '5511987654321:4@s.whatsapp.net'.
_NUMBER_ADDRESS = re.compile(r"(\d+)(?::\d+)?@(?:s\.whatsapp\.net|c\.us)")
# Besides Meta's user id the id of a person without a known number.
_LID = re.compile(r"[A-Za-z0-9.]{1,140}(?::\d+)?@lid")
# Area code and subscriber of most countries, and of Brazil in particular.
NATIONAL_LENGTHS = frozenset({10, 11})
# 55, area code and eight digits beginning with a mobile's digit: the form before 2016, which
# WhatsApp still uses for many Brazilian accounts.
_OLD_BRAZILIAN_MOBILE = re.compile(r"(55[1-9]\d)([6-9]\d{7})")
_BRAZILIAN_MOBILE = re.compile(r"(55[1-9]\d)9([6-9]\d{7})")


def digits(number: str) -> str:
    """Return the number's digits, with country code; '' for a user id, which has no number.

    A number typed with `+` or `00` is read as international, which removes a trunk zero ('+55 (011)
    …'). From any other text only the non-digits are removed.
    """
    text = number.partition("@")[0].strip()
    if text.isascii() and text.isdigit() and not text.startswith("00"):
        return text
    if USER_ID.fullmatch(text):
        return ""
    plain = re.sub(r"[^0-9]", "", text)
    international = plain if text.startswith("+") else plain.removeprefix("00")
    if text.startswith(("+", "00")):
        try:
            parsed = phonenumbers.parse(f"+{international}")
        except phonenumbers.NumberParseException:
            return international
        return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)[1:]
    return plain


def typed_number(text: str) -> str:
    """Return a typed number without WhatsApp's suffix, or '' for a text that is not a number.

    A text with letters or another address is not a number, and its digits could be the number of
    another person.
    """
    text = text.strip()
    if address := _NUMBER_ADDRESS.fullmatch(text):
        return address[1]
    return "" if any(each.isalpha() or each == "@" for each in text) else text


def lacks_country(text: str) -> bool:
    """Return whether a typed number has no country code: it has 10 or 11 digits.

    A trunk zero before them does not count, because no country code begins with 0. A number that is
    typed with `+` or `00`, and a WhatsApp address, are complete.
    """
    plain = digits(typed_number(text))
    if "+" in text or "@" in text or plain != re.sub(r"[^0-9]", "", text):
        return False
    return len(plain) in NATIONAL_LENGTHS or (
        plain[:1] == "0" and len(plain[1:]) in NATIONAL_LENGTHS
    )


def with_country(text: str, region: str) -> str:
    """Return the digits of a typed number, with the calling code of `region` if it has none.

    `region` is the ISO code of a country, as in the company's setting `country`. The library
    removes trunk zeros; a number that it does not know gets the calling code before its digits.
    """
    plain = digits(typed_number(text))
    if not lacks_country(text):
        return plain
    try:
        parsed = phonenumbers.parse(plain, region)
    except phonenumbers.NumberParseException:
        parsed = None
    if parsed is not None and phonenumbers.is_valid_number(parsed):
        return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)[1:]
    return f"{phonenumbers.country_code_for_region(region)}{plain.removeprefix('0')}"


def shown_number(number: str) -> str:
    """Return a number with its country code as people write it: '+55 11 98000-0200'."""
    try:
        parsed = phonenumbers.parse(f"+{number}")
    except phonenumbers.NumberParseException:
        return f"+{number}"
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.INTERNATIONAL)


def named_lid(text: str) -> str:
    """Return the bare LID or user id of a text ('123@lid', 'BR.123', 'BR.123@lid'), or ''."""
    text = text.strip()
    return lid_of(text) if USER_ID.fullmatch(text) or _LID.fullmatch(text) else ""


def lid_of(text: str) -> str:
    """Return a bare LID without server and device ('123:4@lid' is '123').

    Meta's business-scoped user id ('BR.123') stays the same.
    """
    return text.partition("@")[0].partition(":")[0].strip()


def id_field(lid: str) -> Literal["lid", "user_id"]:
    """Return the contact's field for an id, by the id's form.

    Meta's business-scoped user id ('BR.123') belongs in `user_id`, any other id (WhatsApp's LID) in
    `lid`.
    """
    return "user_id" if USER_ID.fullmatch(lid) else "lid"


def canonical_number(number: str) -> str:
    """Return the form of a number that is unique in a company.

    Brazilian mobile numbers get their ninth digit (rules/contacts §2). A group's form is its id.
    The form of a LID or user id without a known number is `lid:` and the id.
    """
    if number.endswith(GROUP_SUFFIX):
        return number.removesuffix(GROUP_SUFFIX)
    if number.endswith(LID_SUFFIX) or USER_ID.fullmatch(number):
        return f"lid:{lid_of(number)}"
    plain = digits(number)
    old = _OLD_BRAZILIAN_MOBILE.fullmatch(plain)
    return f"{old[1]}9{old[2]}" if old else plain


def former_number(canonical: str) -> str:
    """Return a Brazilian mobile number without its ninth digit; other numbers stay the same."""
    new = _BRAZILIAN_MOBILE.fullmatch(canonical)
    return f"{new[1]}{new[2]}" if new else canonical


@dataclass(frozen=True)
class Country:
    """The country of a number: ISO code and calling code; both empty if unknown."""

    region: str = ""
    calling_code: str = ""


# The number of first digits that tell the country, also under the shared calling codes 1 and 7.
COUNTRY_DIGITS = 4
SHARED_CODES = frozenset({1, 7})
LONGEST_CODE = 3


def country_of(number: str) -> Country:
    """Return the country of a canonical number.

    Countries that share a calling code count as the largest of them, as in Meta's price list,
    except under 1 and 7.
    """
    if not (number.isascii() and number.isdecimal()):
        return Country()
    for length in range(1, LONGEST_CODE + 1):
        code = int(number[:length])
        regions = phonenumbers.COUNTRY_CODE_TO_REGION_CODE.get(code)
        if regions is None:
            continue
        found = regions[0]
        if code in SHARED_CODES:
            parsed = phonenumbers.PhoneNumber(
                country_code=code, national_number=int(number[length:] or "0")
            )
            found = phonenumbers.region_code_for_number(parsed) or found
        is_country = found != phonenumbers.REGION_CODE_FOR_NON_GEO_ENTITY
        return Country(found if is_country else "", str(code))
    return Country()
