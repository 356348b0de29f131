"""CPF and CNPJ in what a contact wrote: found, told from other numbers, checked.

A CNPJ may hold letters (Instrução Normativa RFB 2.229/2024, from July 2026): the first twelve
places are letters or digits, each worth its ASCII code less 48, the two check digits stay digits.
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
    """Sum the places from the right with weights 2, 3, … `highest_weight`, 2, 3, …, modulo 11."""
    total = sum(
        (ord(place) - 48) * (2 + index % (highest_weight - 1))
        for index, place in enumerate(reversed(places))
    )
    rest = total % 11
    return "0" if rest < 2 else str(11 - rest)


def is_document(document: str) -> bool:
    """Tell whether bare letters and digits are a CPF or a CNPJ with valid check digits."""
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
    """Tell whether somebody seems to have tried: a number of nine digits or more."""
    return _LONG_NUMBER.search(text) is not None
