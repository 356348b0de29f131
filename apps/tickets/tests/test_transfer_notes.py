"""A queue may ask for a note with each transfer (rules/tickets §3)."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.companies.models import Company
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TicketActivity
from conftest import ClientFor
from tests.factories import make_admin, make_connection, make_queue, make_user

Put = Any


@pytest.fixture
def put(client_for: ClientFor) -> Put:
    def send(user: User, ticket: Ticket, **body: Any) -> Any:
        response = client_for(user).put(f"/api/tickets/{ticket.pk}", body, format="json")
        ticket.refresh_from_db()
        return response

    return send


def test_a_queue_may_ask_for_a_note_with_each_transfer(
    put: Put, acme: Company, queue: Queue, agent: User, ticket: Ticket
) -> None:
    orders = make_queue(acme, name="Pedidos", asks_transfer_note=True)
    for note in ({}, {"note": ""}, {"note": "  "}):
        answer = put(agent, ticket, status="pending", userId=None, queueId=orders.pk, **note)
        assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TRANSFER_NOTE_REQUIRED")
        assert answer.json()["fieldCodes"] == {"note": "required"}
        assert (ticket.status, ticket.queue_id) == ("open", queue.pk)
    assert not TicketActivity.objects.exists()
    answer = put(
        agent, ticket, status="pending", userId=None, queueId=orders.pk, note="Quer trocar o P"
    )
    assert (answer.status_code, ticket.queue_id) == (200, orders.pk)
    assert TicketActivity.objects.get().detail["note"] == "Quer trocar o P"


def test_inside_such_a_queue_only_handing_over_needs_a_note(
    put: Put, acme: Company, queue: Queue, agent: User, ticket: Ticket
) -> None:
    Queue.objects.filter(pk=queue.pk).update(asks_transfer_note=True)
    colleague = make_user(acme, queues=[queue])
    admin = make_admin(acme)
    other = make_connection(acme, queues=[queue])
    assert put(agent, ticket, userId=colleague.pk).status_code == 400
    assert put(agent, ticket, userId=colleague.pk, note="Volta às 15h").status_code == 200
    # Neither another number nor taking it, returning it or resolving it hands it over.
    assert put(colleague, ticket, whatsappId=other.pk).status_code == 200
    assert put(admin, ticket, userId=admin.pk).status_code == 200
    assert put(admin, ticket, status="pending", userId=None).status_code == 200
    assert put(agent, ticket, status="closed").status_code == 200
