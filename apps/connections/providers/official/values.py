"""Values in Meta's JSON; odd ones never raise."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from apps.connections.providers.official.identities import person_of

# Times further away than this are faults of the provider's clock.
FURTHEST = timedelta(days=3653)
JsonObject = dict[str, Any]


def as_dict(value: Any) -> dict[str, Any]:
    """Return the value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return the value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Return text as it is and a whole number as text; anything else is empty."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def person(part: JsonObject, numbers: Iterable[str], user_ids: Iterable[str]) -> tuple[str, str]:
    """Return number and user id of the person whom these keys of a part name (`person_of`)."""
    return person_of(
        (as_text(part.get(key)) for key in numbers), (as_text(part.get(key)) for key in user_ids)
    )


def moment_of(value: Any) -> datetime | None:
    """Return a time within ten years of now, else None: the time of arrival then counts."""
    try:
        moment = datetime.fromtimestamp(int(as_text(value)), tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if abs(moment - datetime.now(tz=UTC)) <= FURTHEST else None
