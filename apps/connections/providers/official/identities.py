"""Who somebody is: a number, Meta's business-scoped user id, or both.

developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
"""

import re
from collections.abc import Iterable

# Country, 'ENT' for a portfolio with a parent, letters or digits; it is kept as it came.
USER_ID = re.compile(r"[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}")
_NUMBER = re.compile(r"[\d\s().+-]*", re.ASCII)


def person_of(numbers: Iterable[str], user_ids: Iterable[str]) -> tuple[str, str]:
    """Return number and user id of somebody, each '' if unknown, from where either may stand.

    A text with letters is no number: a user id in a number's place is a user id, and its digits
    could be another person's number.
    """
    told = list(numbers)
    number = next((each for each in told if _is_number(each)), "")
    named = [*user_ids, *(each for each in told if USER_ID.fullmatch(each))]
    return number, next(filter(None, named), "")


def _is_number(text: str) -> bool:
    return any(map(str.isdecimal, text)) and _NUMBER.fullmatch(text) is not None
