"""The plain values exchanged with every provider of Pix.

A client receives the operator's credentials, sets time-outs, raises `PixError` and never touches
the ORM. What it says of a charge is the record: a notification only says when to ask.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Protocol

TIMEOUT_SECONDS = 15.0


class PixError(Exception):
    """A provider did not do what it was asked; `permanent` where asking again changes nothing.

    The text is for the operator: what went wrong, without secrets.
    """

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        self.permanent = permanent
        super().__init__(message)


@dataclass(frozen=True)
class NewCharge:
    """What is to be charged; `seconds` is for how long its code can be paid."""

    txid: str
    value: Decimal
    description: str
    seconds: int


@dataclass(frozen=True)
class IssuedCharge:
    """A charge that can be paid: the provider's name for it and the code to copy.

    `expires_at` is None for a code that never expires.
    """

    reference: str
    code: str
    expires_at: datetime | None


@dataclass(frozen=True)
class ReceivedPix:
    """Money that arrived; `reference` names it once for ever."""

    reference: str
    value: Decimal
    paid_at: datetime


@dataclass(frozen=True)
class Standing:
    """How a charge stands; one that is not open can't be paid any more."""

    is_open: bool
    payments: tuple[ReceivedPix, ...] = ()


class PixClient(Protocol):
    def create(self, charge: NewCharge) -> IssuedCharge:
        """Make a charge; raises PixError."""

    def look_up(self, *, txid: str, reference: str) -> Standing:
        """Tell how a charge stands; one that is unknown is not open. Raises PixError."""

    def withdraw(self, *, txid: str, reference: str) -> None:
        """Keep a charge from being paid, if it was not; raises PixError."""
