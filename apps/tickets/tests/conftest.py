from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from apps.common.renderers import to_json
from tests.graph import GraphServer

Emitted = list[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Told:
    """One event, as it left for the browsers."""

    event: str
    payload: dict[str, Any]
    company_id: int
    rooms: list[str]


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> Emitted:
    """What the app told browsers: event and payload, in order."""
    told: Emitted = []

    def record(event: str, payload: dict[str, Any], **_: Any) -> None:
        told.append((event, payload))

    monkeypatch.setattr("apps.tickets.events.emit", record)
    return told


@pytest.fixture
def graph(settings: Any) -> Iterator[GraphServer]:
    """A provider that speaks the Graph API's wire."""
    server = GraphServer()
    settings.GRAPH_API_URL = server.url
    yield server
    server.stop()


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Told]:
    """What the app told browsers, with the company and the rooms it went to."""
    seen: list[Told] = []

    def record(
        event: str, payload: dict[str, Any], *, company_id: int, rooms: Sequence[str]
    ) -> None:
        to_json(payload)  # it must have a wire form
        seen.append(Told(event, payload, company_id, list(rooms)))

    monkeypatch.setattr("apps.tickets.events.emit", record)
    return seen
