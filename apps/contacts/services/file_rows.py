"""The validation of a row, by the rules of the contact form (rules/contacts §12).

Pure functions: `file_plans` finds the existing contacts.
"""

import re
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from apps.common.csv_files import meant_text
from apps.common.errors import InvalidInput
from apps.connections.providers.official.identities import USER_ID
from apps.contacts.models import LID_LENGTH, USERNAME_LENGTH
from apps.contacts.numbers import GROUP_SUFFIX, LID_SUFFIX, canonical_number, lid_of, with_country
from apps.contacts.services.given_values import MAX_FIELDS
from apps.contacts.services.senders import PERSON_NAME_LENGTH
from apps.contacts.services.typed_numbers import plain_number
from apps.contacts.sheets import VALUE_LENGTH, ContactRow

NUMBER_LENGTHS = range(8, 51)
EMAIL_LENGTH = 254
# The limit on all lines of extra info together, because a batch is held in memory.
EXTRA_LENGTH = 20_000
_NUMBER = re.compile(r"\+?[\d\s().\-]+")
_ID = re.compile(rf"[A-Za-z0-9.]{{1,{LID_LENGTH}}}")


class RowRefused(Exception):
    """The row is faulty; `code` is the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Person:
    """The person that a row describes; `number` is digits with country code, '' if not known.

    At least one of `number` and `lid` (a LID or user id) is set. `name` is '' if the row has none.
    """

    number: str
    lid: str
    name: str = ""
    username: str = ""
    email: str = ""
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def shown_number(self) -> str:
        """Return the contact's `number`: the number, else the id with its suffix."""
        return self.number or f"{self.lid}{LID_SUFFIX}"

    @property
    def canonical_number(self) -> str:
        """Return the contact's canonical number."""
        return canonical_number(self.shown_number)


def person_of(row: ContactRow, country: str) -> Person:
    """Return the person that a row describes; raises RowRefused.

    A number without country code gets that of `country` (the company's setting).
    """
    number, lid = _identities(row.own("number"), row.own("user_id"), country)
    name, email = meant_text(row.own("name")), meant_text(row.own("email"))
    username = meant_text(row.own("username")).removeprefix("@")
    if len(name) > PERSON_NAME_LENGTH:
        raise RowRefused("ERR_ROW_CONTACT_NAME")
    if email and not _is_email(email):
        raise RowRefused("ERR_ROW_EMAIL")
    if len(username) > USERNAME_LENGTH:
        raise RowRefused("ERR_ROW_USERNAME")
    extra = {name: meant_text(value) for name, value in row.extra().items()}
    is_too_long = any(len(value) > VALUE_LENGTH for value in extra.values())
    if is_too_long or sum(map(len, extra.values())) > EXTRA_LENGTH or len(extra) > MAX_FIELDS:
        raise RowRefused("ERR_ROW_EXTRA")
    return Person(number, lid, name, username, email, extra)


def _identities(number: str, user_id: str, country: str) -> tuple[str, str]:
    """Return a row's number and its LID or user id; either in the column of numbers is an id."""
    if number.endswith(GROUP_SUFFIX):
        raise RowRefused("ERR_ROW_GROUP")
    if number.endswith(LID_SUFFIX) or USER_ID.fullmatch(number):
        number, user_id = "", user_id or number
    lid = lid_of(user_id)
    if user_id and not _ID.fullmatch(lid):
        raise RowRefused("ERR_ROW_USER_ID")
    if not number:
        if not lid:
            raise RowRefused("ERR_ROW_NOBODY")
        return "", lid
    if not _NUMBER.fullmatch(number) or len(number) not in NUMBER_LENGTHS:
        raise RowRefused("ERR_ROW_NUMBER")
    try:
        plain_number(number)
    except InvalidInput:
        raise RowRefused("ERR_ROW_NUMBER") from None
    return with_country(number, country), lid


def _is_email(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return len(text) <= EMAIL_LENGTH
