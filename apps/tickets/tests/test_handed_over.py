"""A ticket that came to somebody is marked until they open it (rules/tickets §7)."""

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Ticket
from apps.tickets.tests.conftest import Emitted
from conftest import ClientFor
from tests.factories import make_contact, make_queue, make_ticket, make_user

Put = Any


@pytest.fixture
def put(client_for: ClientFor) -> Put:
    def send(user: User, ticket: Ticket, **body: Any) -> Any:
        response = client_for(user).put(f"/api/tickets/{ticket.pk}", body, format="json")
        assert response.status_code == 200, response.content
        ticket.refresh_from_db()
        return response.json()

    return send


@pytest.fixture
def ticket(acme: Company, agent: User, connection: Connection, queue: Queue) -> Ticket:
    return make_ticket(acme, connection=connection, queue=queue, user=agent, status="open")


@pytest.fixture
def colleague(acme: Company, queue: Queue) -> User:
    return make_user(acme, name="Carla", queues=[queue])


def read(client_for: ClientFor, user: User, ticket: Ticket, **query: str) -> bool:
    """Open the conversation; tell whether the ticket is still marked."""
    answer = client_for(user).get(f"/api/messages/{ticket.pk}", query)
    assert answer.status_code == 200
    ticket.refresh_from_db()
    assert answer.json()["ticket"]["handedOver"] == ticket.is_handed_over
    return ticket.is_handed_over


def test_a_transfer_to_a_person_is_marked_until_that_person_opens_it(
    put: Put,
    client_for: ClientFor,
    emitted: Emitted,
    agent: User,
    admin: User,
    colleague: User,
    ticket: Ticket,
) -> None:
    row = put(agent, ticket, userId=colleague.pk, note="Falta o recibo.")
    assert (row["handedOver"], row["handedOverById"]) == (True, agent.pk)
    told = next(payload for name, payload in emitted if "event" in payload)
    assert told["ticket"]["handedOver"] is True
    assert (told["event"]["kind"], told["event"]["note"]) == ("transferred", "Falta o recibo.")
    # Neither another reader nor a prefetch opens it.
    assert read(client_for, agent, ticket)
    assert read(client_for, admin, ticket)
    assert read(client_for, colleague, ticket, peek="true")
    before = ticket.updated_at
    emitted.clear()
    assert not read(client_for, colleague, ticket)
    assert ticket.updated_at == before
    ((_, payload),) = emitted
    assert (payload["action"], payload["ticket"]["handedOver"]) == ("update", False)
    assert "event" not in payload


def test_a_transfer_to_a_queue_is_marked_until_one_of_its_members_opens_it(
    put: Put, client_for: ClientFor, acme: Company, agent: User, admin: User, ticket: Ticket
) -> None:
    other = make_queue(acme, name="Financeiro")
    member = make_user(acme, queues=[other])
    agent.queues.add(other)
    row = put(agent, ticket, status="pending", userId=None, queueId=other.pk)
    assert (row["handedOver"], row["handedOverById"]) == (True, agent.pk)
    assert read(client_for, agent, ticket)
    assert read(client_for, admin, ticket)
    assert not read(client_for, member, ticket)


def test_accepting_opens_it(put: Put, agent: User, colleague: User, ticket: Ticket) -> None:
    assert put(agent, ticket, status="pending", userId=None)["handedOver"] is True
    row = put(colleague, ticket, status="open", userId=colleague.pk)
    assert (row["handedOver"], row["handedOverById"]) == (False, None)


def test_taken_back_it_has_no_mark_and_given_back_it_is_the_others(
    put: Put, agent: User, admin: User, colleague: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="pending", userId=None)
    assert put(agent, ticket, status="open", userId=agent.pk)["handedOver"] is False
    put(agent, ticket, userId=colleague.pk)
    row = put(colleague, ticket, userId=agent.pk)
    assert (row["handedOver"], row["handedOverById"]) == (True, colleague.pk)
    # An admin who takes it needs no mark; one who assigns it leaves one.
    assert put(admin, ticket, userId=admin.pk)["handedOver"] is False
    row = put(admin, ticket, userId=agent.pk)
    assert (row["handedOver"], row["handedOverById"]) == (True, admin.pk)
    assert put(admin, ticket, status="closed")["handedOver"] is False


def test_another_queue_or_number_with_the_same_holder_changes_no_mark(
    put: Put, acme: Company, agent: User, colleague: User, ticket: Ticket
) -> None:
    other = make_queue(acme)
    agent.queues.add(other)
    colleague.queues.add(other)
    assert put(agent, ticket, status="open", queueId=other.pk)["handedOver"] is False
    put(agent, ticket, userId=colleague.pk)
    queue_id = ticket.queue_id
    assert put(colleague, ticket, status="open", queueId=queue_id)["handedOver"] is True


def test_what_the_holder_writes_opens_it(
    put: Put, client_for: ClientFor, agent: User, colleague: User, ticket: Ticket
) -> None:
    ticket.last_inbound_at = timezone.now()
    ticket.save()
    put(agent, ticket, userId=colleague.pk)
    sent = client_for(colleague).post(f"/api/messages/{ticket.pk}", {"body": "Oi"}, format="json")
    assert sent.status_code == 201
    ticket.refresh_from_db()
    assert ticket.is_handed_over is False


def test_the_tickets_of_a_user_who_leaves_are_marked_for_their_queue(
    client_for: ClientFor, admin: User, agent: User, emitted: Emitted, ticket: Ticket
) -> None:
    assert client_for(admin).delete(f"/api/users/{agent.pk}").status_code == 200
    ticket.refresh_from_db()
    assert (ticket.status, ticket.is_handed_over, ticket.handed_over_by) == ("pending", True, None)
    told = [payload for _, payload in emitted if "event" in payload]
    assert [payload["event"]["kind"] for payload in told] == ["returned"]
    assert told[0]["ticket"]["handedOver"] is True


def test_one_that_is_opened_for_somebody_else_is_marked(
    client_for: ClientFor,
    acme: Company,
    connection: Connection,
    queue: Queue,
    admin: User,
    agent: User,
) -> None:
    def opened(**body: Any) -> Any:
        asked = {"contactId": make_contact(acme).pk, "queueId": queue.pk, "status": "open", **body}
        answer = client_for(admin).post("/api/tickets", asked, format="json")
        assert answer.status_code == 201, answer.content
        return answer.json()

    assert opened(userId=agent.pk)["handedOver"] is True
    assert opened(userId=admin.pk)["handedOver"] is False


def test_a_marked_ticket_is_among_the_unread_but_not_for_who_handed_it_over(
    put: Put, client_for: ClientFor, agent: User, colleague: User, ticket: Ticket
) -> None:
    put(agent, ticket, status="pending", userId=None)

    def unread_of(user: User) -> list[int]:
        answer = client_for(user).get("/api/tickets", {"withUnreadMessages": "true"})
        return [row["id"] for row in answer.json()["tickets"]]

    assert unread_of(colleague) == [ticket.pk]
    assert unread_of(agent) == []
    assert client_for(colleague).get(
        "/api/tickets/counts", {"withUnreadMessages": "true"}
    ).json() == {"open": 0, "pending": 1, "unread": 1}
    assert client_for(colleague).get("/api/tickets/counts").json()["unread"] == 1
    assert client_for(agent).get("/api/tickets/counts").json()["unread"] == 0
