"""POST /tickets/:id/thread-control: 'Assumir' and 'Devolver' (rules/tickets §14)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Ticket, TicketActivity
from apps.tickets.services.tickets import control
from conftest import ClientFor
from tests.factories import make_connection, make_contact, make_ticket, make_user
from tests.graph import GraphServer, graph_error

pytestmark = pytest.mark.django_db
Call = Any


@pytest.fixture
def ticket(acme: Company, connection: Connection, agent: User) -> Ticket:
    return make_ticket(
        acme,
        connection=connection,
        queue=agent.queues.get(),
        user=agent,
        status="open",
        owner="other",
        owner_at=timezone.now() - timedelta(minutes=1),
    )


@pytest.fixture
def call(client_for: ClientFor) -> Call:
    def post(user: User, ticket: Ticket, action: Any) -> Any:
        address = f"/api/tickets/{ticket.pk}/thread-control"
        response = client_for(user).post(address, {"action": action}, format="json")
        ticket.refresh_from_db()
        return response

    return post


def test_taking_and_giving_back_ask_meta_once_each(
    call: Call, agent: User, ticket: Ticket, graph: GraphServer, emitted: Any
) -> None:
    for action, owner in (("take", "us"), ("release", "idle")):
        for _ in range(2):
            response = call(agent, ticket, action)
            assert response.status_code == 200, response.json()
            assert response.json()["owner"] == ticket.owner == owner
        asked = {"messaging_product": "whatsapp", "to": ticket.contact.number, "action": action}
        assert graph.controls == [asked]
        graph.controls.clear()
    lines = TicketActivity.objects.order_by("pk").values_list("kind", "actor", "detail")
    assert list(lines) == [
        ("took_control", agent.pk, {"actor": "Bob"}),
        ("gave_control", agent.pk, {"actor": "Bob"}),
    ]
    told = [(each["event"]["kind"], each["ticket"]["owner"]) for _, each in emitted]
    assert told == [("took_control", "us"), ("gave_control", "idle")]


def test_passing_on_makes_another_lead(
    call: Call, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    Ticket.objects.update(owner="us")
    assert call(agent, ticket, "pass").json()["owner"] == "other"
    assert [each["action"] for each in graph.controls] == ["pass"]


def test_a_contact_without_a_number_is_named_by_the_user_id(
    call: Call, acme: Company, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    ticket.contact = make_contact(
        acme, number="BR.1001@lid", canonical_number="BR.1001@lid", user_id="BR.1001"
    )
    ticket.save()
    assert call(agent, ticket, "take").status_code == 200
    assert graph.controls[0]["recipient"] == "BR.1001"


@pytest.mark.parametrize(
    ("code", "reason"), [(2494191, "control_refused"), (190, "credentials_refused")]
)
def test_a_refusal_is_told_in_words_and_changes_nothing(
    call: Call, agent: User, ticket: Ticket, graph: GraphServer, code: int, reason: str
) -> None:
    graph.fault = lambda payload: graph_error(code)
    response = call(agent, ticket, "take")
    body = response.json()
    assert (response.status_code, body["code"]) == (424, "ERR_THREAD_CONTROL_REFUSED")
    assert (body["reasonCode"], ticket.owner) == (reason, "other")
    assert body["error"].startswith("A Meta ")
    assert not TicketActivity.objects.exists()


def test_no_answer_in_time_changes_nothing(
    call: Call, agent: User, ticket: Ticket, graph: GraphServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph.fault = lambda payload: True
    monkeypatch.setattr(control, "ANSWER_SECONDS", 0.2)
    response = call(agent, ticket, "take")
    assert (response.status_code, ticket.owner) == (424, "other")
    assert response.json()["reasonCode"] == "broken_connection"


def test_who_took_it_while_meta_answered_leads(
    call: Call, agent: User, ticket: Ticket, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(*asked: Any) -> None:
        at = timezone.now() + timedelta(seconds=2)
        Ticket.objects.update(owner="other", owner_at=at)

    monkeypatch.setattr(control, "_ask", taken)
    assert call(agent, ticket, "take").json()["owner"] == "other"
    assert not TicketActivity.objects.exists()


def test_a_qr_connection_has_no_other_responder(
    call: Call, acme: Company, agent: User, ticket: Ticket
) -> None:
    ticket.connection = make_connection(acme, provider="beta")
    ticket.save()
    response = call(agent, ticket, "take")
    assert (response.status_code, response.json()["code"]) == (409, "ERR_NO_THREAD_CONTROL")
    ticket.connection = None
    ticket.save()
    assert call(agent, ticket, "take").json()["code"] == "ERR_NO_DEF_WAPP_FOUND"


@pytest.mark.parametrize("action", ["", "seize", None, 1, ["take"], {"take": True}])
def test_an_unknown_action_is_refused(
    call: Call, agent: User, ticket: Ticket, graph: GraphServer, action: Any
) -> None:
    assert call(agent, ticket, action).status_code == 400
    assert graph.controls == []


def test_only_who_may_act_on_the_ticket_decides(
    call: Call, acme: Company, outsider: User, agent: User, ticket: Ticket, graph: GraphServer
) -> None:
    stranger = make_user(acme)
    colleague = make_user(acme, queues=[agent.queues.get()])
    assert call(stranger, ticket, "take").status_code == 403
    assert call(colleague, ticket, "take").status_code == 403
    assert call(outsider, ticket, "take").status_code == 404
    assert graph.controls == []
    ticket.status, ticket.user = "pending", None
    ticket.save()
    assert call(colleague, ticket, "take").status_code == 200
