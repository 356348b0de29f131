from collections.abc import Iterator
from typing import Any

import pytest

from tests.graph import GraphServer

Emitted = list[tuple[str, dict[str, Any]]]


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
