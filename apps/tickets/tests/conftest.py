from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from apps.automation.models import QueueIntegration
from apps.common.renderers import to_json
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue, QueueOption
from tests.factories import make_queue
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


@pytest.fixture
def orders(acme: Company, connection: Connection) -> Queue:
    """A second queue of the connection, with a tree of options."""
    orders = make_queue(acme, name="Pedidos", greeting_message="O que houve?", order=1)
    connection.queues.add(orders)
    connection.greeting_message = "Bem-vindo, {{firstName}}!"
    connection.save()
    option = QueueOption.objects.create(queue=orders, title="Trocar", message="Como?", position=1)
    QueueOption.objects.create(queue=orders, title="Prazos", message="30 dias.", position=2)
    QueueOption.objects.create(queue=orders, parent=option, title="Por outro", position=1)
    return orders


@pytest.fixture
def typebot(acme: Company) -> QueueIntegration:
    return QueueIntegration.objects.create(company=acme, type="typebot", name="Fluxo")
