"""Business-scoped user ids, as the simulated Meta gives them: another one for another number."""

import re

USER_ID = re.compile(r"[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128}")
# Far enough from any number that nobody takes an id for one.
_STEP, _START = 104_729, 1_349


def user_id_of(wa_id: str) -> str:
    """Return the id of the person with this number."""
    return f"BR.{int(wa_id) * _STEP + _START}"


def number_of(user_id: str) -> str:
    """Return the number of the person with this id, '' for an id that nobody has."""
    digits = user_id.removeprefix("BR.")
    if not digits.isascii() or not digits.isdecimal():
        return ""
    number, rest = divmod(int(digits) - _START, _STEP)
    return str(number) if rest == 0 and number > 0 else ""
