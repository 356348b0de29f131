"""Turns as tests hand them to a client."""

import uuid
from datetime import UTC, datetime
from typing import Any

from apps.automation.clients.base import Person, Turn

NOW = datetime(2026, 11, 21, 15, 0, tzinfo=UTC)
ANA = Person(
    uuid="3b0c9b0e-1d66-4e4f-9d0b-0d6c1c0a7a11",
    name="Ana Souza",
    number="5511987654321",
    email="ana@example.com",
    extra={"cidade": "Santos"},
)


def make_turn(text: str = "Oi", **fields: Any) -> Turn:
    """Return a text of Ana's, with any field of a turn changed."""
    return Turn(
        **{
            "event_id": uuid.uuid4(),
            "text": text,
            "media_type": "conversation",
            "contact": ANA,
            "now": NOW,
            **fields,
        }
    )
