"""Numbers that are typed or imported (rules/contacts §1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.common.errors import DomainError, InvalidInput
from apps.common.masking import is_masked, masked_name, masked_number
from apps.companies.queries import setting_of
from apps.contacts.numbers import (
    digits,
    lacks_country,
    shown_number,
    typed_number,
    with_country,
)

MIN_DIGITS, MAX_DIGITS = 8, 15  # the limit of E.164 is 15


class NumberWithoutCountry(DomainError):
    """A program's number of 10 or 11 digits has no country code (rules/contacts §2)."""

    code = "ERR_NUMBER_WITHOUT_COUNTRY"

    def __init__(self, completed: str, field: str = "number") -> None:
        shown = shown_number(completed)
        sentence = (
            f"O número está sem o código do país. Envie {shown}, ou envie completeNumbers: true "
            "para que ele seja completado."
        )
        super().__init__(sentence, fields={field: [sentence]}, extra={"completed": completed})


@dataclass(frozen=True)
class KeptNumber:
    """A typed number as it will be kept.

    `number` is digits with country code, '' for a text that is not a number; `shown` is its written
    form. `is_completed` tells that the country code was added.
    """

    number: str
    shown: str
    is_completed: bool


def preview_number(*, company_id: int, text: str) -> KeptNumber:
    """Return a typed number as a form keeps it; asks nobody and stores nothing."""
    is_completed = lacks_country(text)
    number = with_country(text, setting_of(company_id, "country"))
    if not is_well_formed(number):
        return KeptNumber("", "", is_completed=False)
    return KeptNumber(number, shown_number(number), is_completed)


def kept_number(
    *, company_id: int, number: str, completes: bool = True, field: str = "number"
) -> str:
    """Return the digits of a typed number, with the company's country code if it has none.

    Without `completes` such a number raises NumberWithoutCountry. Raises InvalidInput for an
    invalid number; both name `field`.
    """
    plain = plain_number(number, field=field)
    if not lacks_country(number):
        return plain
    completed = with_country(number, setting_of(company_id, "country"))
    if not completes:
        raise NumberWithoutCountry(completed, field)
    return completed


def without_masked(changes: Mapping[str, Any], *, name: str, number: str) -> dict[str, Any]:
    """Return changes without a name and number that a form showed masked and sends back.

    Raises InvalidInput for any other masked number (rules/accounts §2).
    """
    kept = dict(changes)
    typed = kept.get("number") or ""
    if is_masked(typed):
        if typed != masked_number(number):
            sentence = "Informe o número inteiro, com DDI e DDD."
            raise InvalidInput(sentence, fields={"number": [sentence]}, rule="phone_number")
        del kept["number"]
    if is_masked(kept.get("name") or "") and kept["name"] == masked_name(name, number):
        del kept["name"]
    return kept


def plain_number(number: str, *, field: str = "number") -> str:
    """Return a number's digits; raises InvalidInput for an invalid number."""
    plain = digits(typed_number(number))
    if not is_well_formed(plain):
        sentence = "Informe o número com código do país e DDD, só com dígitos."
        raise InvalidInput(sentence, fields={field: [sentence]}, rule="phone_number")
    return plain


def is_well_formed(plain: str) -> bool:
    """Return whether digits can be a number with country code."""
    return MIN_DIGITS <= len(plain) <= MAX_DIGITS
