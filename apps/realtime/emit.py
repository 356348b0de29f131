"""The one way a process tells browsers something; called by `events.py` files alone."""

from collections.abc import Sequence
from typing import Any


def emit(
    event: str, payload: dict[str, Any], *, company_id: int, rooms: Sequence[str] | None = None
) -> None:
    """Publish `company-{company_id}-{event}` after commit, to the company's room or to `rooms`."""
