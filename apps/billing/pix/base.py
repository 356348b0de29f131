"""The interface of Pix providers, and the values exchanged with them.

A client receives the operator's credentials, sets time-outs, raises `PixError` and never uses the
ORM. Only the result of `look_up` counts: a notification only triggers a look-up.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Protocol

TIMEOUT_SECONDS = 15.0


class PixError(Exception):
    """A provider's call failed; `permanent` means that a retry would fail too.

    The message tells the operator what went wrong, without secrets.
    """

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        self.permanent = permanent
        super().__init__(message)


@dataclass(frozen=True)
class NewCharge:
    """A charge to create; its code can be paid for `seconds`."""

    txid: str
    value: Decimal
    description: str
    seconds: int


@dataclass(frozen=True)
class IssuedCharge:
    """A created charge: the provider's id and the code to copy.

    `expires_at` is None for a code that never expires.
    """

    reference: str
    code: str
    expires_at: datetime | None


@dataclass(frozen=True)
class ReceivedPix:
    """A received payment; `reference` is the provider's permanent, unique id.

    `refunded` is the part of `value` that went back to the payer by a refund or a chargeback.
    """

    reference: str
    value: Decimal
    paid_at: datetime
    refunded: Decimal = Decimal(0)


@dataclass(frozen=True)
class Standing:
    """The state of a charge; it can be paid while `is_open`."""

    is_open: bool
    payments: tuple[ReceivedPix, ...] = ()


class PixClient(Protocol):
    def create(self, charge: NewCharge) -> IssuedCharge:
        """Create a charge; raises PixError."""

    def look_up(self, *, txid: str, reference: str) -> Standing:
        """Return the state of a charge; an unknown charge is not open. Raises PixError."""

    def withdraw(self, *, txid: str, reference: str) -> None:
        """Make an unpaid charge unpayable; raises PixError."""
