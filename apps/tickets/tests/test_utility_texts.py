"""Utility texts outside the window, and what Meta's answers tell of the account."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.common.reasons import Reason
from apps.companies.models import Company
from apps.connections.models import Connection, DirectSend, ProviderKind
from apps.connections.providers.inbound import InboundStatus
from apps.queues.models import Queue
from apps.tickets.models import Ack, Delivery, Message, Ticket
from apps.tickets.services.outbox.deliveries import deliver_due
from apps.tickets.services.outbox.statuses import apply_statuses
from conftest import ClientFor
from tests.events import Listeners
from tests.factories import make_connection, make_message, make_ticket
from tests.graph import GraphServer, graph_error

ACCOUNT = "200000000000001"
NOT_ENABLED = (
    "Parameter Invalid: The 'category' value requires Direct Send, which isn't enabled for this"
    " account. Use an approved message template instead."
)
UTILITY = {"body": "Seu pedido saiu para entrega.", "category": "utility"}


@pytest.fixture
def connection(connection: Connection) -> Connection:
    connection.waba_id, connection.verified_at = ACCOUNT, timezone.now()
    connection.save()
    return connection


@pytest.fixture
def ticket(acme: Company, connection: Connection, queue: Queue, agent: User) -> Ticket:
    """Return a conversation whose window is closed."""
    return make_ticket(
        acme,
        connection=connection,
        queue=queue,
        user=agent,
        status="open",
        last_inbound_at=timezone.now() - timedelta(hours=25),
    )


@pytest.fixture
def post(client_for: ClientFor) -> Any:
    def send(user: User, ticket: Ticket, body: Any) -> Any:
        return client_for(user).post(f"/api/messages/{ticket.pk}", body, format="json")

    return send


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def known(connection: Connection) -> tuple[str, str]:
    connection.refresh_from_db()
    return connection.direct_send, connection.direct_send_reason_code


def test_a_utility_text_goes_outside_the_window_with_its_category(
    post: Any, agent: User, ticket: Ticket, connection: Connection, graph: GraphServer
) -> None:
    answer = post(agent, ticket, UTILITY)
    assert answer.status_code == 201
    assert answer.json()["dataJson"] == '{"category":"utility"}'
    deliver_due(limit=10)
    message = Message.objects.get()
    # As Meta writes it, beside our own id: direct-send/send-utility-and-authentication-messages.
    assert graph.messages == [
        {
            "messaging_product": "whatsapp",
            "recipient_type": "individual",
            "to": ticket.contact.number,
            "type": "text",
            "text": {"body": UTILITY["body"]},
            "category": "utility",
            "biz_opaque_callback_data": str(message.callback_id),
        }
    ]
    assert (message.ack, message.media_type) == (Ack.SENT, "conversation")
    assert known(connection) == (DirectSend.MAY, "")


def test_an_ordinary_text_has_no_category(
    post: Any, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    Ticket.objects.update(last_inbound_at=timezone.now())
    assert post(agent, ticket, {"body": "Oi", "category": None}).status_code == 201
    deliver_due(limit=10)
    assert "category" not in graph.messages[0]
    assert graph.messages[0]["text"] == {"body": "Oi", "preview_url": True}
    assert Message.objects.get().data is None


def test_inside_the_window_a_category_is_refused(post: Any, agent: User, ticket: Ticket) -> None:
    Ticket.objects.update(last_inbound_at=timezone.now())
    assert code_of(post(agent, ticket, UTILITY)) == (409, "ERR_WINDOW_OPEN")
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"category": "marketing"}, "category"),
        ({"category": "authentication"}, "category"),
        ({"mediaPath": "public/company1/nota.pdf"}, "category"),
        ({"body": "x" * 1025}, "body"),
        ({"body": "  "}, "body"),
    ],
)
def test_what_direct_send_does_not_take_is_refused_by_field(
    post: Any, agent: User, ticket: Ticket, more: dict[str, Any], field: str
) -> None:
    answer = post(agent, ticket, UTILITY | more)
    assert code_of(answer) == (400, "ERR_VALIDATION")
    assert field in answer.json()["fields"]
    assert not Message.objects.exists()


def test_it_quotes_nothing(post: Any, agent: User, ticket: Ticket) -> None:
    quoted = make_message(ticket)
    answer = post(agent, ticket, UTILITY | {"quotedMsg": {"id": quoted.pk}})
    assert code_of(answer) == (400, "ERR_VALIDATION")


def test_a_qr_session_and_a_group_have_none(
    post: Any, agent: User, acme: Company, queue: Queue, ticket: Ticket
) -> None:
    session = make_connection(acme, provider=ProviderKind.BETA, queues=[queue])
    on_qr = make_ticket(acme, connection=session, queue=queue, user=agent, status="open")
    assert code_of(post(agent, on_qr, UTILITY)) == (409, "ERR_NO_UTILITY_TEXTS")
    Ticket.objects.filter(pk=ticket.pk).update(is_group=True)
    assert code_of(post(agent, ticket, UTILITY)) == (409, "ERR_NO_UTILITY_TEXTS")


def test_who_may_not_write_may_not_write_utility_texts(
    post: Any, outsider: User, agent: User, ticket: Ticket
) -> None:
    assert post(outsider, ticket, UTILITY).status_code == 404
    Ticket.objects.update(status="closed")
    assert code_of(post(agent, ticket, UTILITY)) == (409, "ERR_TICKET_NOT_OPEN")


def test_the_same_client_id_sends_once(
    post: Any, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    body = UTILITY | {"clientId": "9f1c2a54-7a53-4c25-9d5e-3b0f6a0f1b11"}
    first = post(agent, ticket, body).json()["id"]
    assert post(agent, ticket, body).json()["id"] == first
    # Also when the contact has written since: the message is stored.
    Ticket.objects.update(last_inbound_at=timezone.now())
    assert post(agent, ticket, body).json()["id"] == first
    assert Delivery.objects.count() == 1


@pytest.mark.parametrize(
    ("fault", "reason", "days"),
    [
        (graph_error(100, details=NOT_ENABLED), "direct_send_off", 7),
        (graph_error(139200), "direct_send_blocked", 7),
        (graph_error(131064), "direct_send_limit", 1),
        (graph_error(131047), "window_closed", 7),
    ],
)
def test_a_refusal_of_the_account_is_kept_with_its_time(
    post: Any,
    agent: User,
    ticket: Ticket,
    connection: Connection,
    graph: GraphServer,
    fault: Any,
    reason: str,
    days: int,
) -> None:
    graph.fault = lambda payload: fault
    post(agent, ticket, UTILITY)
    deliver_due(limit=10)
    message = Message.objects.get()
    assert (message.ack, message.reason_code) == (Ack.ERROR, reason)
    assert "modelo" in message.error_reason
    assert message.body == UTILITY["body"]
    assert known(connection) == (DirectSend.MAY_NOT, reason)
    assert connection.direct_send_at is not None and connection.direct_send_until is not None
    assert connection.direct_send_until - connection.direct_send_at == timedelta(days=days)
    assert code_of(post(agent, ticket, UTILITY)) == (409, "ERR_UTILITY_TEXTS_REFUSED")
    assert Message.objects.count() == 1


@pytest.mark.parametrize(
    "fault", [graph_error(100), graph_error(132015), graph_error(131026), graph_error(131049)]
)
def test_a_refusal_of_the_text_or_the_contact_says_nothing_of_the_account(
    post: Any,
    agent: User,
    ticket: Ticket,
    connection: Connection,
    graph: GraphServer,
    fault: Any,
) -> None:
    graph.fault = lambda payload: fault
    post(agent, ticket, UTILITY)
    deliver_due(limit=10)
    assert Message.objects.get().ack == Ack.ERROR
    assert known(connection) == (DirectSend.UNKNOWN, "")
    assert post(agent, ticket, UTILITY).status_code == 201


def test_a_refused_text_is_not_sent_again_while_the_account_may_not(
    client_for: ClientFor,
    post: Any,
    agent: User,
    ticket: Ticket,
    connection: Connection,
    graph: GraphServer,
) -> None:
    graph.fault = lambda payload: graph_error(139200)
    post(agent, ticket, UTILITY)
    deliver_due(limit=10)
    path = f"/api/messages/{Message.objects.get().pk}/resend"
    assert code_of(client_for(agent).post(path)) == (409, "ERR_UTILITY_TEXTS_REFUSED")
    Connection.objects.update(direct_send_until=timezone.now())
    graph.fault = lambda payload: False
    assert client_for(agent).post(path).status_code == 200
    deliver_due(limit=10)
    assert graph.messages[0]["category"] == "utility"
    assert known(connection) == (DirectSend.MAY, "")


def test_a_refused_text_is_an_ordinary_one_when_the_contact_has_written(
    client_for: ClientFor, post: Any, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    graph.fault = lambda payload: graph_error(139200)
    post(agent, ticket, UTILITY)
    deliver_due(limit=10)
    Ticket.objects.update(last_inbound_at=timezone.now())
    graph.fault = lambda payload: False
    path = f"/api/messages/{Message.objects.get().pk}/resend"
    answer = client_for(agent).post(path)
    assert (answer.status_code, answer.json()["dataJson"]) == (200, None)
    deliver_due(limit=10)
    assert "category" not in graph.messages[0]


def test_a_late_refusal_counts_after_the_answer(
    post: Any, agent: User, ticket: Ticket, connection: Connection, graph: GraphServer
) -> None:
    post(agent, ticket, UTILITY)
    deliver_due(limit=10)
    assert known(connection)[0] == DirectSend.MAY
    failed = InboundStatus(
        external_id="wamid.sent1",
        ack=Ack.ERROR,
        code="131047",
        error="Fora da janela.",
        reason=Reason("window_closed"),
    )
    apply_statuses([(connection, failed)])
    assert known(connection) == (DirectSend.MAY_NOT, "window_closed")


def test_an_ordinary_message_tells_nothing_of_the_account(
    post: Any, agent: User, ticket: Ticket, connection: Connection, graph: GraphServer
) -> None:
    Ticket.objects.update(last_inbound_at=timezone.now())
    graph.fault = lambda payload: graph_error(131047)
    post(agent, ticket, {"body": "Oi"})
    deliver_due(limit=10)
    assert Message.objects.get().ack == Ack.ERROR
    assert known(connection) == (DirectSend.UNKNOWN, "")


def test_all_numbers_of_the_account_hear_of_it_and_no_others(
    post: Any,
    agent: User,
    acme: Company,
    globex: Company,
    ticket: Ticket,
    graph: GraphServer,
    listeners: Listeners,
) -> None:
    second = make_connection(acme, waba_id=ACCOUNT, verified_at=timezone.now())
    stranger = make_connection(globex, waba_id="2" * 15, verified_at=timezone.now())
    heard: list[Any] = []
    listeners.append(heard.append)
    graph.fault = lambda payload: graph_error(139200)
    post(agent, ticket, UTILITY)
    deliver_due(limit=10)
    assert known(second)[0] == DirectSend.MAY_NOT
    assert known(stranger)[0] == DirectSend.UNKNOWN
    rows = [each.payload["whatsapp"] for each in heard if each.event == "whatsapp"]
    assert {row["directSend"] for row in rows} == {"may_not"} and len(rows) == 2
    assert {each.company_id for each in heard if each.event == "whatsapp"} == {acme.pk}
