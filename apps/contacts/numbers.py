"""Numbers as people type them and as providers send them."""

import re

import phonenumbers

GROUP_SUFFIX = "@g.us"
LID_SUFFIX = "@lid"
# 55, area code, and eight digits of which the first is a mobile's: the form before 2016, in which
# WhatsApp still names many Brazilian accounts.
_OLD_BRAZILIAN_MOBILE = re.compile(r"(55[1-9]\d)([6-9]\d{7})")


def digits(number: str) -> str:
    """Return the number's digits, with country code.

    A number typed with `+` or `00` is read as an international one, so that a trunk zero
    ('+55 (011) …') goes; any other text merely loses what is no digit.
    """
    text = number.partition("@")[0].strip()
    if text.isascii() and text.isdigit() and not text.startswith("00"):
        return text
    plain = re.sub(r"[^0-9]", "", text)
    international = plain if text.startswith("+") else plain.removeprefix("00")
    if text.startswith(("+", "00")):
        try:
            parsed = phonenumbers.parse(f"+{international}")
        except phonenumbers.NumberParseException:
            return international
        return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)[1:]
    return plain


def lid_of(text: str) -> str:
    """Return a LID bare: a QR session's without server and device ('123:4@lid' is '123'), Meta's
    business-scoped user id ('BR.123') as it is.
    """
    return text.partition("@")[0].partition(":")[0].strip()


def canonical_number(number: str) -> str:
    """Return the one form under which a number is unique in a company.

    Brazilian mobiles get their ninth digit (rules/contacts §2). A group is known by its id and
    a WhatsApp LID without a known phone number by `lid:` and itself.
    """
    if number.endswith(GROUP_SUFFIX):
        return number.removesuffix(GROUP_SUFFIX)
    if number.endswith(LID_SUFFIX):
        return f"lid:{lid_of(number)}"
    plain = digits(number)
    old = _OLD_BRAZILIAN_MOBILE.fullmatch(plain)
    return f"{old[1]}9{old[2]}" if old else plain
