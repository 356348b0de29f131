"""Find a valid CPF or CNPJ in a contact's text.

A CNPJ may contain letters (Instrução Normativa RFB 2.229/2024, from July 2026). Each of its first
twelve characters is a letter or a digit, and its value is the ASCII code minus 48. The two check
digits are always digits.
"""

import re

CPF_LENGTH = 11
CNPJ_LENGTH = 14

_CPF = re.compile(r"(?<!\w)\d{3}[.\s]?\d{3}[.\s]?\d{3}[-.\s]?\d{2}(?!\w)")
_CNPJ = re.compile(
    r"(?<!\w)[A-Z\d]{2}[.\s]?[A-Z\d]{3}[.\s]?[A-Z\d]{3}[/.\s]?[A-Z\d]{4}[-.\s]?\d{2}(?!\w)"
)
_LONG_NUMBER = re.compile(r"\d(?:[\s./-]?\d){8,}")
_NOT_OF_A_DOCUMENT = re.compile(r"[^A-Z\d]")


def _check_digit(places: str, highest_weight: int) -> str:
    """Weight the places from the right with 2, 3, … `highest_weight`, 2, 3, …, modulo 11."""
    total = sum(
        (ord(place) - 48) * (2 + index % (highest_weight - 1))
        for index, place in enumerate(reversed(places))
    )
    rest = total % 11
    return "0" if rest < 2 else str(11 - rest)


def is_document(document: str) -> bool:
    """Tell whether a text without punctuation is a CPF or CNPJ with valid check digits."""
    if not document.isascii() or not document[-2:].isdigit() or len(set(document)) == 1:
        return False
    if len(document) == CPF_LENGTH and document.isdigit():
        highest_weight = CPF_LENGTH
    elif len(document) == CNPJ_LENGTH and re.fullmatch(r"[A-Z\d]+", document):
        highest_weight = 9
    else:
        return False
    base = document[:-2]
    first = _check_digit(base, highest_weight)
    return document[-2:] == first + _check_digit(base + first, highest_weight)


def _candidates(text: str) -> list[str]:
    upper = text.upper()
    found = [*_CNPJ.finditer(upper), *_CPF.finditer(upper)]
    return [_NOT_OF_A_DOCUMENT.sub("", match[0]) for match in found]


def find_document(text: str) -> str:
    """Return the first CPF or CNPJ with valid check digits, without punctuation, or ''."""
    return next((found for found in _candidates(text) if is_document(found)), "")


def looks_like_document(text: str) -> bool:
    """Tell whether the text has a number of nine digits or more, perhaps a mistyped document."""
    return _LONG_NUMBER.search(text) is not None
