"""Values of older products as ours: databases and dumps write the same value differently."""

import json
import uuid
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

Row = dict[str, Any]
MOST = 2**31 - 1
# What a text that a person wrote may have at most; theirs are columns without a bound.
LONGEST = 1_000_000


class Remarks:
    """What the operator has to know of rows: codes of `apps.movein.words`, with an example each."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def add(self, code: str, example: object = "") -> None:
        self.found.append((code, str(example)[:120]))


def text(value: Any, most: int = LONGEST) -> str:
    """Return a text without NUL characters, cut off."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    plain = str(value)
    # Half a pair of UTF-16, which JavaScript writes where it cuts an emoji.
    plain = plain.replace("\x00", "").encode("utf-8", "ignore").decode("utf-8")
    return plain[:most]


def cut(value: Any, most: int, remarks: Remarks) -> str:
    """Return a text without white space around it, cut off with a remark."""
    whole = text(value).strip()
    if len(whole) > most:
        remarks.add("shortened", whole)
    return whole[:most].strip()


def whole(value: Any, *, default: int = 0, least: int = 0, most: int = MOST) -> int:
    """Return a whole number within bounds; the default for what is none."""
    try:
        number = int(Decimal(str(value)))
    except (InvalidOperation, ValueError, OverflowError):
        return default
    return min(max(number, least), most)


def key(value: Any) -> int | None:
    """Return the id that a row names, or None."""
    if value is None or value == "":
        return None
    try:
        return int(value)
    except (TypeError, ValueError):
        return None


def flag(value: Any, *, default: bool = False) -> bool:
    """Return a yes or no, as PostgreSQL (`t`), MySQL (1) and JSON write them."""
    if value is None or value == "":
        return default
    if isinstance(value, str):
        return value.strip().lower() in {"t", "true", "1", "y", "yes", "enabled"}
    if isinstance(value, bytes):
        return any(value)
    return bool(value)


def moment(value: Any) -> datetime | None:
    """Return a time in UTC; a time without a zone is UTC, as Sequelize stores it."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    try:
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    except (OverflowError, ValueError):
        return None


def day(value: Any) -> date | None:
    """Return a day; of a time it is the day as it is written."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(text(value).strip()[:10])
    except ValueError:
        return None


def money(value: Any) -> Decimal:
    """Return an amount of two decimals between 0 and 99,999,999.99."""
    try:
        amount = Decimal(str(value)).quantize(Decimal("0.01"))
    except InvalidOperation:
        return Decimal(0)
    return (
        min(max(amount, Decimal(0)), Decimal("99999999.99")) if amount.is_finite() else Decimal(0)
    )


def parsed(value: Any) -> Any:
    """Return JSON that is stored as JSON or as text; None for what is none."""
    if not isinstance(value, str | bytes):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def identity(value: Any) -> uuid.UUID | None:
    if isinstance(value, uuid.UUID):
        return value
    try:
        return uuid.UUID(text(value).strip())
    except ValueError:
        return None


def times(row: Row, fallback: datetime) -> dict[str, datetime]:
    """Return `created_at` and `updated_at` of a row."""
    created = moment(row.get("createdAt")) or fallback
    return {"created_at": created, "updated_at": moment(row.get("updatedAt")) or created}


def is_email(address: str) -> bool:
    name, at, domain = address.partition("@")
    plain = not any(each.isspace() for each in address)
    return bool(name and at and "." in domain and "@" not in domain and plain)
