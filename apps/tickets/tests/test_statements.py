"""How many statements a person's changes and messages take, outside of authentication."""

import uuid
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
from django.db import connection as database
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from apps.tickets.services.outbox.deliveries import deliver_due
from conftest import ClientFor
from tests.factories import make_contact, make_message, make_ticket
from tests.graph import GraphServer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def waiting(acme: Company, connection: Connection, queue: Queue) -> Ticket:
    fields = {"connection": connection, "queue": queue, "status": "pending"}
    ticket = make_ticket(acme, contact=make_contact(acme), **fields)
    message = make_message(ticket, from_me=False)
    Ticket.objects.filter(pk=ticket.pk).update(last_inbound_at=message.created_at)
    return ticket


@pytest.fixture
def held(waiting: Ticket, agent: User) -> Ticket:
    changes = {"status": "open", "user": agent, "last_inbound_at": timezone.now()}
    Ticket.objects.filter(pk=waiting.pk).update(**changes)
    return waiting


def statements(call: Callable[[], Any]) -> int:
    """Return how many statements a call makes, with those that begin and end transactions."""
    with CaptureQueriesContext(database) as captured:
        call()
    return len(captured)


def test_accept_takes_twelve_statements_and_close_ten(
    waiting: Ticket, agent: User, client_for: ClientFor
) -> None:
    client, counts, address = client_for(agent), [], f"/api/tickets/{waiting.pk}"
    for body in ({"status": "open", "userId": agent.pk}, {"status": "closed"}):
        with CaptureQueriesContext(database) as captured:
            answer = client.put(address, body)
        counts.append(len(captured))
        assert answer.status_code == 200
        assert answer.json() == client.get(address).json()
    assert counts == [12, 10]


def test_a_message_takes_twelve_statements_until_it_is_stored_and_fourteen_until_it_is_sent(
    held: Ticket, agent: User, client_for: ClientFor, graph: GraphServer
) -> None:
    client = client_for(agent)

    def post() -> Any:
        body = {"body": "Olá", "clientId": str(uuid.uuid4())}
        answer = client.post(f"/api/messages/{held.pk}", body)
        assert answer.status_code == 201, answer.content
        return answer.json()

    answer = post()
    shown = client.get(f"/api/messages/{held.pk}?pageNumber=1").json()["messages"][-1]
    assert (answer, answer["userName"]) == (shown, agent.name)
    deliver_due(limit=1)
    assert statements(post) == 12
    # Four claim it, one marks it as being sent, the others record the outcome and tell of it.
    assert statements(lambda: deliver_due(limit=1)) == 14
    assert graph.bodies == ["Olá", "Olá"]
    assert statements(lambda: deliver_due(limit=1)) == 3  # nothing is due


def test_a_message_is_sent_without_compiling_a_statement(
    held: Ticket, agent: User, client_for: ClientFor, graph: GraphServer
) -> None:
    client = client_for(agent)

    def post() -> None:
        body = {"body": "Olá", "clientId": str(uuid.uuid4())}
        assert client.post(f"/api/messages/{held.pk}", body).status_code == 201

    post()
    deliver_due(limit=1)
    compile_it = SQLCompiler.as_sql
    with mock.patch.object(SQLCompiler, "as_sql", autospec=True, side_effect=compile_it) as used:
        post()
        deliver_due(limit=1)
    assert used.call_count == 0
    assert graph.bodies == ["Olá", "Olá"]
