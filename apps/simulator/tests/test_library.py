"""The simulated library, marketing messages, and templates that Meta stops or assesses."""

from typing import Any

import pytest
from django.test import Client

from apps.simulator.models import SimConversation, SimMessage, SimNumber
from apps.simulator.tests.conftest import CUSTOMER, NUMBER, Graph

pytestmark = pytest.mark.django_db

NEWS = "novidades_da_colecao"


def send(graph: Graph, edge: str = "messages", name: str = NEWS) -> Any:
    body = {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": CUSTOMER,
        "type": "template",
        "template": {"name": name, "language": {"code": "pt_BR"}},
    }
    return graph.post(f"{NUMBER}/{edge}", body)


def code_of(answer: Any) -> int:
    return int(answer.json()["error"]["code"])


def switch(kind: str, *, on: bool = True) -> None:
    client = Client()
    if on:
        body = {"kind": kind, "number": NUMBER}
        client.post("/simulator/api/faults", body, content_type="application/json")
    else:
        client.delete(f"/simulator/api/faults?kind={kind}", headers={"X-Simulator": "1"})


@pytest.fixture(autouse=True)
def _chat(conversation: SimConversation) -> None:
    """The customer is known."""


def test_the_library_is_filtered_and_at_the_root_too(graph: Graph, number: SimNumber) -> None:
    path = f"{number.waba_id}/message_template_library"
    whole = graph.get(path).json()["data"]
    assert graph.get("message_template_library").json()["data"] == whole
    found = graph.get(path, topic="PAYMENTS", language="pt_BR", search="vence").json()["data"]
    assert [row["name"] for row in found] == ["payment_due_reminder_1"]
    assert graph.get(path, industry="FINANCIAL_SERVICES").json()["data"] == found


def test_a_template_of_the_library_is_approved_at_once_and_sent(
    graph: Graph, number: SimNumber
) -> None:
    body: dict[str, Any] = {
        "name": "entrega",
        "language": "pt_BR",
        "category": "UTILITY",
        "library_template_name": "delivery_update_1",
    }
    path = f"{number.waba_id}/message_templates"
    assert code_of(graph.post(path, body)) == 100
    url = {"base_url": "https://loja.example/{{1}}", "url_suffix_example": "https://loja.example/1"}
    body["library_template_button_inputs"] = [{"type": "URL", "url": url}]
    assert graph.post(path, body).json()["status"] == "APPROVED"
    [row] = graph.get(path, name="entrega").json()["data"]
    assert row["components"][-1]["buttons"][0]["url"] == "https://loja.example/{{1}}"


def test_marketing_goes_by_both_ways_until_one_is_closed(graph: Graph) -> None:
    assert send(graph).status_code == send(graph, "marketing_messages").status_code == 200
    assert code_of(send(graph, "marketing_messages", "cuidados_com_a_ceramica")) != 0
    switch("marketing_closed")
    assert code_of(send(graph)) == 131063
    assert send(graph, "marketing_messages").status_code == 200
    switch("marketing_terms")
    assert code_of(send(graph, "marketing_messages")) == 131055


def test_templates_are_held_then_delivered_or_dropped(graph: Graph) -> None:
    switch("template_held")
    first = send(graph).json()["messages"][0]
    assert first["message_status"] == "held_for_quality_assessment"
    switch("template_held", on=False)
    assert SimMessage.objects.get(wamid=first["id"]).status == "delivered"
    switch("template_held")
    second = send(graph).json()["messages"][0]
    switch("template_paused")
    assert SimMessage.objects.get(wamid=second["id"]).status == "failed"


@pytest.mark.parametrize(
    "kind, code, status", [("paused", 132015, "PAUSED"), ("disabled", 132016, "DISABLED")]
)
def test_stopped_templates_are_refused_and_listed_so(
    graph: Graph, number: SimNumber, kind: str, code: int, status: str
) -> None:
    switch(f"template_{kind}")
    assert code_of(send(graph)) == code
    listed = graph.get(f"{number.waba_id}/message_templates", name=NEWS).json()["data"]
    assert listed[0]["status"] == status
    switch(f"template_{kind}", on=False)
    assert send(graph).status_code == 200
