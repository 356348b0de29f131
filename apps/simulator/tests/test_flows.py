"""Flows: pywa makes them, and a customer fills one in."""

import json
from typing import Any

import pytest
from django.test import Client
from pywa.client import WhatsApp
from pywa.errors import FlowBlocked, FlowThrottled, WhatsAppError
from pywa.types.callback import FlowButton
from pywa.types.flows import FlowActionType, FlowCategory

from apps.queues.forms import Form, FormField, flow_json
from apps.simulator.models import SimConversation, SimFlow, SimMessage, SimWebhook
from apps.simulator.services.flows import flow_row
from apps.simulator.services.writing import write
from apps.simulator.tests.conftest import CUSTOMER
from apps.simulator.tests.test_pywa import last, pywa

__all__ = ["pywa"]
pytestmark = pytest.mark.django_db(transaction=True)
FORM = Form(
    "Cadastro",
    (FormField("name_1", "name", "Nome", ""), FormField("email_2", "email", "E-mail", "Qual?")),
)
ACCOUNT = "200000000000001"


def send(client: WhatsApp, flow_id: str, screen: str = "FORM") -> None:
    client.send_message(
        to=CUSTOMER,
        text="Seu nome?",
        buttons=FlowButton(
            title="Responder",
            flow_id=flow_id,
            flow_token="token-7",
            flow_action_type=FlowActionType.NAVIGATE,
            flow_action_screen=screen,
        ),
    )


def test_a_flow_is_made_published_sent_and_filled_in(pywa: WhatsApp) -> None:
    made = pywa.create_flow("cadastro", categories=[FlowCategory.OTHER], waba_id=ACCOUNT)
    assert pywa.update_flow_json(made.id, flow_json=flow_json(FORM, "7.3")).success
    with pytest.raises(WhatsAppError):
        send(pywa, made.id)
    assert pywa.publish_flow(made.id)
    with pytest.raises(WhatsAppError):
        send(pywa, made.id, "OTHER")
    send(pywa, made.id)
    sent = last()
    assert sent.body["shown"]["title"] == "Cadastro"
    chat = SimConversation.objects.get()
    values = {"name_1": "Ana", "email_2": "ana@casa.com.br"}
    write(chat, {"type": "form", "reply_to": sent.wamid, "values": values})
    reply = SimMessage.objects.filter(from_customer=True).last()
    assert reply is not None
    told = json.loads(reply.body["nfm_reply"]["response_json"])
    assert told == {**values, "flow_token": "token-7"}
    with pytest.raises(WhatsAppError):
        pywa.delete_flow(made.id)
    assert pywa.deprecate_flow(made.id)
    assert SimFlow.objects.get().status == "DEPRECATED"


def test_what_is_not_valid_is_told_and_not_published(pywa: WhatsApp) -> None:
    made = pywa.create_flow("cadastro", categories=[FlowCategory.OTHER], waba_id=ACCOUNT)
    with pytest.raises(WhatsAppError):
        pywa.create_flow("cadastro", categories=[FlowCategory.OTHER], waba_id=ACCOUNT)
    wrong: dict[str, Any] = flow_json(FORM, "1.0")
    parts = wrong["screens"][0]["layout"]["children"][0]["children"]
    parts[0] |= {"label": "x" * 21, "colour": "red"}
    answer = pywa.update_flow_json(made.id, flow_json=wrong)
    assert [each.message for each in answer.validation_errors] == [
        "Invalid Flow JSON version: 1.0.",
        "The property 'colour' cannot be specified in TextInput.",
        "Property 'label' of TextInput must have 1 to 20 characters.",
    ]
    with pytest.raises(WhatsAppError):
        pywa.publish_flow(made.id)
    assert pywa.delete_flow(made.id)
    assert not SimFlow.objects.exists()


def told() -> list[tuple[str, str]]:
    """Return the statuses of flows that were reported, with those before."""
    changes = [json.loads(each.body)["entry"][0]["changes"][0] for each in SimWebhook.objects.all()]
    return [
        (each["value"].get("old_status", ""), each["value"]["new_status"])
        for each in changes
        if each["field"] == "flows"
    ]


def shown(flow_id: str) -> str:
    return str(flow_row(SimFlow.objects.get(flow_id=flow_id))["status"])


@pytest.mark.parametrize(
    ("kind", "status", "error"),
    [("form_blocked", "BLOCKED", FlowBlocked), ("form_throttled", "THROTTLED", FlowThrottled)],
)
def test_a_fault_stops_published_flows_and_tells_both_ways(
    pywa: WhatsApp, client: Client, kind: str, status: str, error: type[WhatsAppError]
) -> None:
    made = pywa.create_flow("cadastro", categories=[FlowCategory.OTHER], waba_id=ACCOUNT)
    pywa.update_flow_json(made.id, flow_json=flow_json(FORM, "7.3"))
    pywa.publish_flow(made.id)
    draft = pywa.create_flow("outro", categories=[FlowCategory.OTHER], waba_id=ACCOUNT)
    before = told()
    assert before == [("", "DRAFT"), ("DRAFT", "PUBLISHED"), ("", "DRAFT")]
    faults = "/simulator/api/faults"
    for _ in range(2):
        client.post(faults, {"kind": kind}, content_type="application/json")
    assert told()[3:] == [("PUBLISHED", status)]
    assert [shown(each.id) for each in (made, draft)] == [status, "DRAFT"]
    with pytest.raises(error):
        send(pywa, made.id)
    client.delete(f"{faults}?kind={kind}", headers={"X-Simulator": "1"})
    assert told()[4:] == [(status, "PUBLISHED")]
    send(pywa, made.id)
