"""A second responder of a number: what the product is told of its conversations."""

import json
from typing import Any

import pytest
from django.test import Client

from apps.common.leases import LeaseState
from apps.companies.models import Company
from apps.connections.providers.official.webhook import notices
from apps.inbound.models import InboundEvent
from apps.inbound.services import process_due
from apps.inbound.services.storing import store_notices
from apps.simulator.models import SimConversation, SimNumber, SimWebhook
from apps.simulator.services import conversations
from apps.simulator.tests.conftest import CUSTOMER, NUMBER, Graph
from apps.tickets.models import Ack, Message, TicketActivity
from tests.factories import make_connection

pytestmark = pytest.mark.django_db


def control(path: str, **body: Any) -> Any:
    given = {"number": NUMBER, "customer": CUSTOMER, **body}
    answer = Client().post(f"/simulator/api/{path}", given, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()


def changes() -> list[dict[str, Any]]:
    """Return what was told, oldest first."""
    bodies = [json.loads(body) for body in SimWebhook.objects.values_list("body", flat=True)]
    return [change for body in bodies for change in body["entry"][0]["changes"]]


def test_what_another_responder_writes_and_gets_is_told_as_standby(
    conversation: SimConversation,
) -> None:
    wamid = control("responder", body="Sou a assistente.")["id"]
    control("send", type="text", body="Quero um bolo")
    told = changes()
    assert {change["field"] for change in told} == {"standby"}
    assert all(change["value"]["metadata"]["phone_number_id"] == NUMBER for change in told)
    echo, sent, delivered, written = (change["value"]["standby"] for change in told)
    [item] = echo["message_echoes"]
    assert (item["id"], item["message"]["to"]) == (wamid, CUSTOMER)
    assert item["message"]["text"] == {"body": "Sou a assistente."}
    steps = [value["statuses"][0]["status"] for value in (sent, delivered)]
    assert steps == ["sent", "delivered"]
    assert written["messages"][0]["text"] == {"body": "Quero um bolo"}


def test_a_handover_names_the_number_as_its_recipient(conversation: SimConversation) -> None:
    control("handover", taken=True)
    control("handover")
    taken, passed = changes()
    assert {taken["field"], passed["field"]} == {"messaging_handovers"}
    assert taken["value"]["recipient"]["phone_number_id"] == NUMBER
    assert "metadata" not in taken["value"]
    assert taken["value"]["sender"] == {"phone_number": CUSTOMER}
    assert taken["value"]["control_taken"]["new_owner_role"] == "ai_agent"
    assert passed["value"]["control_passed"]["new_owner_role"] == "escalation"
    control("send", type="text", body="Oi")
    assert changes()[-1]["field"] == "messages"


def test_a_service_message_of_the_business_takes_the_conversation_over(
    graph: Graph, conversation: SimConversation
) -> None:
    control("handover", taken=True)
    graph.send()
    control("send", type="text", body="Oi")
    assert changes()[-1]["field"] == "messages"


def test_a_field_that_nobody_knows_can_be_told(number: SimNumber) -> None:
    control("report", field="novelty", value={"a": 1})
    assert changes() == [{"field": "novelty", "value": {"a": 1}}]


def test_the_product_takes_it_all_and_answers_nothing(
    acme: Company, conversation: SimConversation
) -> None:
    number = conversation.number
    connection = make_connection(acme, phone_number_id=NUMBER, waba_id=number.waba_id)
    control("responder", body="Sou a assistente.")
    control("send", type="text", body="Quero uma pessoa")
    conversations.open_conversation(conversation)
    control("handover")
    control("report", field="novelty", value={"a": 1})
    for body in SimWebhook.objects.order_by("pk").values_list("body", flat=True):
        store_notices(notices(json.loads(body)))
    while process_due(limit=50):
        pass
    assert set(InboundEvent.objects.values_list("state", flat=True)) == {LeaseState.DONE}
    assert set(InboundEvent.objects.values_list("connection", flat=True)) == {connection.pk}
    first, second = Message.objects.order_by("pk")
    assert (first.body, first.source, first.ack) == ("Sou a assistente.", "other", Ack.READ)
    assert (second.body, second.source, second.from_me) == ("Quero uma pessoa", "other", False)
    # The customer, whom the other responder has passed on, waits for a person.
    kinds = TicketActivity.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["reopened", "control_passed"]
    assert (first.ticket.status, first.ticket.unread_count) == ("pending", 0)
