"""/whatsapp/{id}/test: a message with which an admin tests a connection."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection, ConnectionStatus, ProviderKind
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.tests.conftest import Emitted
from conftest import ClientFor
from tests.factories import make_connection, make_contact, make_ticket
from tests.graph import GraphServer

pytestmark = pytest.mark.django_db

NUMBER = "5511987654321"
BODY = {
    "type": "BODY",
    "text": "Olá, {{1}}! O pedido {{2}} saiu.",
    "example": {"body_text": [["Ana", "10482"]]},
}
NAMED = {
    "type": "BODY",
    "text": "Olá, {{nome}}!",
    "example": {"body_text_named_params": [{"param_name": "nome", "example": "Bia"}]},
}
HEADER = {
    "type": "HEADER",
    "format": "TEXT",
    "text": "Pedido {{1}}",
    "example": {"header_text": ["77"]},
}
LINK = {
    "type": "BUTTONS",
    "buttons": [
        {
            "type": "URL",
            "text": "Rastrear",
            "url": "https://loja.example/{{1}}",
            "example": ["https://loja.example/10482"],
        }
    ],
}


def row(name: str, *components: Any, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"90{len(name)}",
        "name": name,
        "language": "pt_BR",
        "status": "APPROVED",
        "category": "UTILITY",
        "parameter_format": "POSITIONAL",
        "components": list(components),
        **fields,
    }


@pytest.fixture(autouse=True)
def _templates(graph: GraphServer) -> None:
    picture = {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": ["https://x/a"]}}
    graph.templates = [
        row("ola", {"type": "BODY", "text": "Olá!"}),
        row("pedido", HEADER, BODY, LINK),
        row("nome", NAMED, parameter_format="NAMED"),
        row("foto", picture, {"type": "BODY", "text": "Voltou!"}),
    ]


@pytest.fixture
def session(acme: Company) -> Connection:
    """A QR session, which knows no window of 24 hours."""
    return make_connection(acme, provider=ProviderKind.BETA)


@pytest.fixture
def send(client_for: ClientFor, admin: User) -> Any:
    """Return a function that asks for a test as acme's admin."""

    def post(connection: Connection, user: User = admin, **fields: Any) -> Any:
        body = {"number": NUMBER, "body": "Oi", "clientId": str(uuid.uuid4()), **fields}
        return client_for(user).post(f"/api/whatsapp/{connection.pk}/test", body, format="json")

    return post


def test_a_text_goes_as_a_persons_and_opens_nothing(
    send: Any, session: Connection, admin: User, emitted: Emitted
) -> None:
    answer = send(session, number="+55 (11) 98765-4321")
    assert answer.status_code == 201, answer.content
    message, ticket = Message.objects.get(), Ticket.objects.get()
    assert (answer.json()["id"], answer.json()["ack"]) == (message.pk, Ack.PENDING)
    assert answer.json()["ticketId"] == ticket.pk
    assert (message.body, message.source, message.user) == ("Oi", "agent", admin)
    assert (ticket.status, ticket.user, ticket.contact.number) == ("closed", None, NUMBER)
    assert Delivery.objects.get().message == message
    assert any(payload.get("action") == "create" for _, payload in emitted)
    entry = AuditEntry.objects.get(action="connection.tested")
    assert (entry.actor, entry.detail) == (admin, {"message": message.pk})


def test_it_lands_where_the_conversation_is_and_leaves_it_alone(
    send: Any, session: Connection, acme: Company, agent: User
) -> None:
    contact = make_contact(acme, number=NUMBER)
    ticket = make_ticket(
        acme, connection=session, contact=contact, status="open", user=agent, unread_count=2
    )
    assert send(session).json()["ticketId"] == ticket.pk
    ticket.refresh_from_db()
    assert (ticket.status, ticket.user, ticket.unread_count) == ("open", agent, 2)


def test_the_same_id_again_answers_how_the_message_stands_now(
    send: Any, session: Connection
) -> None:
    client_id = str(uuid.uuid4())
    first = send(session, clientId=client_id)
    Message.objects.update(ack=Ack.DELIVERED)
    Connection.objects.filter(pk=session.pk).update(status=ConnectionStatus.DISCONNECTED)
    again = send(session, clientId=client_id)
    assert (again.status_code, again.json()["id"]) == (201, first.json()["id"])
    assert again.json()["ack"] == Ack.DELIVERED
    assert (Message.objects.count(), Delivery.objects.count()) == (1, 1)


def test_anothers_id_is_refused(
    send: Any, session: Connection, connection: Connection, globex: Company, outsider: User
) -> None:
    client_id = str(uuid.uuid4())
    send(session, clientId=client_id)
    own = make_connection(globex, provider=ProviderKind.BETA)
    for answer in (
        send(connection, clientId=client_id),
        send(own, user=outsider, clientId=client_id),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "ERR_DUPLICATED_MESSAGE")
    assert Message.objects.count() == 1


@pytest.mark.parametrize(
    "status", [each for each in ConnectionStatus if each != ConnectionStatus.CONNECTED]
)
def test_a_connection_that_is_down_is_not_tried(
    send: Any, session: Connection, status: ConnectionStatus
) -> None:
    Connection.objects.filter(pk=session.pk).update(status=status)
    answer = send(session)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_CONNECTION_DOWN")
    assert not Message.objects.exists()
    assert not Ticket.objects.exists()


def test_an_official_number_writes_freely_within_24_hours_alone(
    send: Any, connection: Connection, acme: Company
) -> None:
    answer = send(connection)
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_OUTSIDE_24H_WINDOW")
    assert not Ticket.objects.exists()
    make_ticket(
        acme,
        connection=connection,
        contact=make_contact(acme, number=NUMBER),
        last_inbound_at=timezone.now() - timedelta(hours=23),
    )
    assert send(connection).status_code == 201


@pytest.mark.parametrize(
    ("name", "components"),
    [
        ("ola", []),
        (
            "pedido",
            [
                ("HEADER", ["77"]),
                ("BODY", ["Ana", "10482"]),
                ("button", ["10482"]),
            ],
        ),
        ("nome", [("BODY", ["Bia"])]),
    ],
)
def test_a_template_goes_at_any_hour_with_its_own_examples(
    send: Any,
    connection: Connection,
    graph: GraphServer,
    name: str,
    components: list[tuple[str, list[str]]],
) -> None:
    answer = send(connection, body="", template={"name": name, "language": "pt_BR"})
    assert answer.status_code == 201, answer.content
    deliver_due(limit=10)
    [sent] = graph.messages
    assert sent["template"]["name"] == name
    found = [
        (part["type"], [each["text"] for each in part["parameters"]])
        for part in sent["template"].get("components", [])
    ]
    assert found == components


def test_a_template_that_asks_for_a_file_is_refused(send: Any, connection: Connection) -> None:
    answer = send(connection, body="", template={"name": "foto", "language": "pt_BR"})
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TEMPLATE_SAMPLES")
    assert list(answer.json()["fields"]) == ["template"]
    assert not Ticket.objects.exists()


def test_a_qr_session_has_no_templates(send: Any, session: Connection) -> None:
    answer = send(session, body="", template={"name": "ola", "language": "pt_BR"})
    assert answer.json()["code"] == "ERR_TEMPLATES_NOT_SUPPORTED"


@pytest.mark.parametrize(
    ("fields", "wrong", "rule"),
    [
        ({"number": "123"}, "number", "phone_number"),
        ({"number": ""}, "number", "blank"),
        ({"body": "  "}, "body", "blank"),
        ({"clientId": "x"}, "clientId", "invalid"),
        ({"template": {"name": "ola"}}, "template", "invalid"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(
    send: Any, session: Connection, fields: dict[str, Any], wrong: str, rule: str
) -> None:
    answer = send(session, **fields)
    assert answer.status_code == 400
    assert wrong in next(iter(answer.json()["fields"]))
    assert rule in answer.json()["fieldCodes"].values() or rule == "invalid"
    assert not Message.objects.exists()


def test_attendants_and_strangers_do_not(
    send: Any, session: Connection, agent: User, outsider: User
) -> None:
    assert send(session, user=agent).status_code == 403
    assert send(session, user=outsider).status_code == 404
    assert not Message.objects.exists()
