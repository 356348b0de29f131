from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TrackingCycle
from conftest import ClientFor
from tests.factories import (
    make_company,
    make_connection,
    make_contact,
    make_queue,
    make_ticket,
    make_user,
)

Post = Any


@pytest.fixture
def contact(acme: Company) -> Contact:
    return make_contact(acme)


@pytest.fixture
def post(client_for: ClientFor) -> Post:
    def send(user: User, **body: Any) -> Any:
        return client_for(user).post("/api/tickets", body, format="json")

    return send


def test_the_dialog_opens_a_ticket_held_by_the_caller(
    post: Post, agent: User, contact: Contact, connection: Connection, queue: Queue
) -> None:
    response = post(
        agent,
        contactId=contact.pk,
        queueId=queue.pk,
        whatsappId=connection.pk,
        userId=agent.pk,
        status="open",
    )
    row = response.json()
    assert response.status_code == 201
    assert (row["status"], row["userId"], row["queueId"]) == ("open", agent.pk, queue.pk)
    assert (row["whatsappId"], row["contact"]["id"]) == (connection.pk, contact.pk)
    cycle = TrackingCycle.objects.get()
    assert (cycle.user_id, cycle.started_at is not None) == (agent.pk, True)


def test_a_contact_without_a_number_opens_no_ticket(
    post: Post, admin: User, acme: Company, connection: Connection
) -> None:
    nameless = make_contact(acme, number="", canonical_number="")
    response = post(admin, contactId=nameless.pk)
    assert response.status_code == 400
    assert "número" in response.json()["fields"]["contactId"][0]
    assert not Ticket.objects.exists()


def test_another_user_of_the_queue_can_be_named(
    post: Post, acme: Company, agent: User, contact: Contact, connection: Connection, queue: Queue
) -> None:
    carla = make_user(acme, queues=[queue])
    row = post(agent, contactId=contact.pk, queueId=queue.pk, userId=carla.pk).json()
    assert row["userId"] == carla.pk
    stranger = make_user(acme)
    other = make_contact(acme)
    refused = post(agent, contactId=other.pk, queueId=queue.pk, userId=stranger.pk)
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["userId"])


def test_a_pending_one_has_no_holder(
    post: Post, agent: User, contact: Contact, connection: Connection, queue: Queue
) -> None:
    row = post(
        agent, contactId=contact.pk, queueId=queue.pk, userId=agent.pk, status="pending"
    ).json()
    assert (row["status"], row["user"]) == ("pending", None)
    assert TrackingCycle.objects.get().started_at is None


def test_a_user_must_choose_an_own_queue_and_an_admin_need_not(
    post: Post, acme: Company, agent: User, admin: User, contact: Contact, connection: Connection
) -> None:
    response = post(agent, contactId=contact.pk)
    assert (response.status_code, response.json()["message"]) == (400, "Selecione uma fila")
    assert list(response.json()["fields"]) == ["queueId"]
    assert post(agent, contactId=contact.pk, queueId=make_queue(acme).pk).status_code == 400
    assert post(admin, contactId=contact.pk, queueId="").status_code == 201


def test_the_connection_is_the_named_the_own_the_default_or_any_connected(
    post: Post, acme: Company, admin: User, contact: Contact
) -> None:
    def opened(**body: Any) -> int:
        row = post(admin, contactId=contact.pk, **body).json()
        Ticket.objects.all().delete()
        connection_id: int = row["whatsappId"]
        return connection_id

    default = make_connection(acme)
    second, third = make_connection(acme), make_connection(acme)
    assert opened() == default.pk
    admin.connection = second
    admin.save()
    assert opened() == second.pk
    assert opened(whatsappId=third.pk) == third.pk
    User.objects.update(connection=None)
    admin.refresh_from_db()
    default.delete()
    Connection.objects.filter(pk=second.pk).update(status=ConnectionStatus.DISCONNECTED)
    assert opened() == third.pk
    Connection.objects.update(status=ConnectionStatus.DISCONNECTED)
    response = post(admin, contactId=contact.pk)
    assert (response.status_code, response.json()["code"]) == (400, "ERR_NO_DEF_WAPP_FOUND")
    assert response.json()["error"] == "ERR_NO_DEF_WAPP_FOUND"


def test_a_live_ticket_is_answered_as_json_text_for_older_browsers(
    post: Post, agent: User, contact: Contact, connection: Connection, queue: Queue, acme: Company
) -> None:
    live = make_ticket(
        acme, contact=contact, connection=connection, queue=queue, user=agent, status="open"
    )
    response = post(agent, contactId=contact.pk, queueId=queue.pk)
    body = response.json()
    assert (response.status_code, body["code"]) == (409, "ERR_OTHER_OPEN_TICKET")
    in_error = orjson.loads(body["error"])
    assert in_error == body["ticket"]
    assert (in_error["id"], in_error["userId"]) == (live.pk, agent.pk)
    assert in_error["user"] == {"id": agent.pk, "name": "Bob"}
    assert in_error["queue"]["name"] == "Vendas"


def test_the_new_ticket_knows_when_the_contact_last_wrote(
    post: Post, agent: User, contact: Contact, connection: Connection, queue: Queue, acme: Company
) -> None:
    wrote_at = timezone.now() - timedelta(hours=5)
    make_ticket(
        acme, contact=contact, connection=connection, status="closed", last_inbound_at=wrote_at
    )
    post(agent, contactId=contact.pk, queueId=queue.pk)
    assert Ticket.objects.get(status="open").last_inbound_at == wrote_at


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("contactId", "ERR_NO_CONTACT_FOUND"),
        ("queueId", "ERR_NOT_FOUND"),
        ("whatsappId", "ERR_NO_WAPP_FOUND"),
        ("userId", "ERR_NO_USER_FOUND"),
    ],
)
def test_foreign_ids_are_not_found(
    post: Post,
    admin: User,
    contact: Contact,
    connection: Connection,
    field: str,
    code: str,
) -> None:
    globex = make_company()
    foreign = {
        "contactId": make_contact(globex).pk,
        "queueId": make_queue(globex).pk,
        "whatsappId": make_connection(globex).pk,
        "userId": make_user(globex).pk,
    }
    response = post(admin, **{"contactId": contact.pk, field: foreign[field]})
    assert (response.status_code, response.json()["code"]) == (404, code)
    assert not Ticket.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("contactId", None), ("contactId", "x"), ("status", "closed"), ("whatsappId", [1])],
)
def test_a_malformed_body_is_refused_by_field(
    post: Post, admin: User, contact: Contact, field: str, value: Any
) -> None:
    response = post(admin, **{"contactId": contact.pk, field: value})
    assert (response.status_code, list(response.json()["fields"])) == (400, [field])


def test_a_body_that_is_no_object_is_refused(client_for: ClientFor, admin: User) -> None:
    for path in ("/api/tickets", "/api/messages/1"):
        for body in ("[1]", "{", "5"):
            response = client_for(admin).post(path, body, content_type="application/json")
            assert 400 <= response.status_code < 500
