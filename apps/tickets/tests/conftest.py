from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import QueueIntegration
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue, QueueOption
from apps.tickets import events
from apps.tickets.models import Ticket
from tests.events import Listeners, Told
from tests.factories import make_queue, make_ticket

Emitted = list[tuple[str, dict[str, Any]]]
OWN = {events.TICKET.name, events.MESSAGE.name}


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    """An open conversation of the agent, whose 24-hour window is open."""
    return make_ticket(
        acme,
        connection=connection,
        queue=queue,
        user=agent,
        status="open",
        last_inbound_at=timezone.now(),
    )


@pytest.fixture
def emitted(listeners: Listeners) -> Emitted:
    """What the app told browsers: event and payload, in order."""
    seen: Emitted = []
    listeners.append(
        lambda each: seen.append((each.event, each.payload)) if each.event in OWN else None
    )
    return seen


@pytest.fixture
def told(listeners: Listeners) -> list[Told]:
    """What the app told browsers, with the company and the rooms it went to."""
    seen: list[Told] = []
    listeners.append(lambda each: seen.append(each) if each.event in OWN else None)
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
