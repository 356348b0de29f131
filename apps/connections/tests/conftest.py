"""What the tests of this app share."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from apps.common.renderers import to_json
from apps.connections import events
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.tests.graph import VERSION, Answer, GraphServer, graph_server

PHONE_NUMBER_ID = "100000000000009"


@pytest.fixture
def graph(settings: Any) -> Iterator[GraphServer]:
    """A Graph API that the settings point to."""
    with graph_server() as server:
        settings.GRAPH_API_URL = server.url
        settings.GRAPH_API_VERSION = VERSION
        yield server


@pytest.fixture
def numbered(graph: GraphServer) -> GraphServer:
    """A Graph API that knows every number."""
    graph.answers = [Answer({"display_phone_number": "+55 11 98888-7777", "id": PHONE_NUMBER_ID})]
    return graph


@pytest.fixture
def provider(graph: GraphServer) -> OfficialProvider:
    """A provider that talks to the server of the test."""
    return OfficialProvider(
        phone_number_id=PHONE_NUMBER_ID,
        access_token="segredo",
        base_url=graph.url,
        version=VERSION,
        read_seconds=0.3,
    )


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any], int]]:
    """The events that connections emit: name, payload, company."""
    seen: list[tuple[str, dict[str, Any], int]] = []

    def emit(event: str, payload: dict[str, Any], *, company_id: int) -> None:
        seen.append((event, orjson.loads(to_json(payload)), company_id))

    monkeypatch.setattr(events, "emit", emit)
    return seen
