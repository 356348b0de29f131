"""Business-scoped user ids of the simulated Meta; each is derived from the person's number."""

import re

USER_ID = re.compile(r"[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}")
# These make an id so different from a number that code can't confuse them.
_STEP, _START = 104_729, 1_349


def user_id_of(wa_id: str) -> str:
    """Return the id of the person with this number."""
    return f"BR.{int(wa_id) * _STEP + _START}"


def number_of(user_id: str) -> str:
    """Return the number of the person with this id, or '' for an invalid id."""
    digits = user_id.removeprefix("BR.")
    if not digits.isascii() or not digits.isdecimal():
        return ""
    number, rest = divmod(int(digits) - _START, _STEP)
    return str(number) if rest == 0 and number > 0 else ""
