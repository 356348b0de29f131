"""How many statements a person's changes of a ticket take, outside of authentication."""

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from conftest import ClientFor
from tests.factories import make_contact, make_message, make_ticket

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def waiting(acme: Company, connection: Connection, queue: Queue) -> Ticket:
    fields = {"connection": connection, "queue": queue, "status": "pending"}
    ticket = make_ticket(acme, contact=make_contact(acme), **fields)
    message = make_message(ticket, from_me=False)
    Ticket.objects.filter(pk=ticket.pk).update(last_inbound_at=message.created_at)
    return ticket


def test_accept_takes_fifteen_statements_and_close_eleven(
    waiting: Ticket, agent: User, client_for: ClientFor
) -> None:
    client, counts = client_for(agent), []
    for body in ({"status": "open", "userId": agent.pk}, {"status": "closed"}):
        with CaptureQueriesContext(database) as captured:
            assert client.put(f"/api/tickets/{waiting.pk}", body).status_code == 200
        counts.append(len(captured))
    assert counts == [15, 11]
