"""Meta's embedded signup: the window issues a code, which is exchanged for a token."""

import secrets

from django.db import transaction

from apps.simulator.graph import errors
from apps.simulator.models import SimCode, SimNumber


@transaction.atomic
def sign_up(*, display: str, name: str, is_on_app: bool) -> tuple[str, SimNumber]:
    """Create a number in a new account; returns the code and the number."""
    number = SimNumber.objects.create(
        phone_number_id=_new_id("1"),
        waba_id=_new_id("2"),
        display_phone_number=display,
        verified_name=name,
        is_registered=is_on_app,
        is_on_app=is_on_app,
    )
    code = SimCode.objects.create(code=f"AQD{secrets.token_urlsafe(40)}")
    return code.code, number


def exchange_code(code: str) -> str:
    """Return a token for a code; raises GraphError for a code that is used or unknown."""
    used, _ = SimCode.objects.filter(code=code).delete()
    if not used:
        raise errors.used_code()
    return f"EAAG{secrets.token_urlsafe(40)}"


def register_number(number: SimNumber) -> None:
    """Register a number with the Cloud API, which removes it from the phone's app."""
    number.is_registered, number.is_on_app = True, False
    number.save(update_fields=["is_registered", "is_on_app"])


def _new_id(first: str) -> str:
    return first + f"{secrets.randbelow(10**14):014}"
