"""What the tests of this app share."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest

from apps.common.renderers import to_json
from apps.connections.providers.official.provider import OfficialProvider
from apps.connections.tests.graph import VERSION, Answer, GraphServer, graph_server
from tests.events import Listeners

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
def emitted(listeners: Listeners) -> list[tuple[str, dict[str, Any], int]]:
    """What browsers are told: event, payload as they get it, company."""
    seen: list[tuple[str, dict[str, Any], int]] = []
    listeners.append(
        lambda each: seen.append((each.event, orjson.loads(to_json(each.payload)), each.company_id))
    )
    return seen
