"""Numbers that are typed or imported (rules/contacts §1)."""

from apps.common.errors import InvalidInput
from apps.contacts.numbers import digits, typed_number

MIN_DIGITS, MAX_DIGITS = 8, 15  # the limit of E.164 is 15


def plain_number(number: str) -> str:
    """Return a number's digits; raises InvalidInput for an invalid number."""
    plain = digits(typed_number(number))
    if not is_well_formed(plain):
        sentence = "Informe o número com código do país e DDD, só com dígitos."
        raise InvalidInput(sentence, fields={"number": [sentence]}, rule="phone_number")
    return plain


def is_well_formed(plain: str) -> bool:
    """Return whether digits can be a number with country code."""
    return MIN_DIGITS <= len(plain) <= MAX_DIGITS
