"""The fake Graph API takes templates, reviews them and posts its word, as Meta does."""

import json
from typing import Any

import pytest
from django.utils import timezone

from apps.simulator.models import SimNumber, SimTemplate, SimWebhook
from apps.simulator.tests.conftest import TOKEN, Graph

pytestmark = pytest.mark.django_db

BODY = {"type": "BODY", "text": "Olá, {{1}}!", "example": {"body_text": [["Bia"]]}}
TEMPLATE = {
    "name": "novo_modelo",
    "language": "pt_BR",
    "category": "UTILITY",
    "components": [BODY],
}


def create(graph: Graph, number: SimNumber, **changes: Any) -> Any:
    return graph.post(f"{number.waba_id}/message_templates", {**TEMPLATE, **changes})


def row_of(graph: Graph, number: SimNumber, name: str = "novo_modelo") -> Any:
    path = f"{number.waba_id}/message_templates"
    rows = graph.get(path, limit="100", name=name).json()["data"]
    return rows[0] if rows else None


def review(graph: Graph) -> None:
    SimTemplate.objects.update(decided_at=timezone.now())


def test_a_template_is_reviewed_and_the_word_is_posted_then(
    graph: Graph, number: SimNumber
) -> None:
    answer = create(graph, number).json()
    assert answer["status"] == "PENDING"
    assert row_of(graph, number)["status"] == "PENDING"
    webhook = SimWebhook.objects.get()
    assert webhook.next_attempt_at > timezone.now()
    [entry] = json.loads(webhook.body)["entry"]
    assert entry["id"] == number.waba_id
    [change] = entry["changes"]
    assert change["field"] == "message_template_status_update"
    assert change["value"]["event"] == "APPROVED"
    assert "metadata" not in change["value"]
    review(graph)
    assert row_of(graph, number)["status"] == "APPROVED"


def test_one_that_asks_for_it_is_refused_and_mended(graph: Graph, number: SimNumber) -> None:
    create(graph, number, name="para_recusar")
    review(graph)
    row = row_of(graph, number, "para_recusar")
    assert (row["status"], row["rejected_reason"]) == ("REJECTED", "PROMOTIONAL")
    create(graph, number)
    review(graph)
    found = row_of(graph, number)
    other = {**BODY, "text": "Oi, {{1}}, tudo bem?"}
    assert graph.post(found["id"], {"components": [other]}).json() == {"success": True}
    assert row_of(graph, number)["components"] == [other]
    assert row_of(graph, number)["status"] == "PENDING"


def test_what_meta_refuses_is_refused(graph: Graph, number: SimNumber) -> None:
    assert create(graph, number).status_code == 200
    assert create(graph, number).json()["error"]["error_subcode"] == 2388024
    edge = {**BODY, "text": "{{1}}, olá!"}
    answer = create(graph, number, name="outro", components=[edge])
    assert answer.json()["error"]["error_subcode"] == 2388299
    wrongs: list[dict[str, Any]] = [
        {"name": "Com Espaço"},
        {"components": []},
        {"components": ["x"]},
    ]
    for wrong in wrongs:
        assert create(graph, number, **wrong).status_code == 400, wrong


def test_bundled_ones_can_be_deleted_too(graph: Graph, number: SimNumber) -> None:
    found = row_of(graph, number, "retomar_conversa")
    path = f"/simulator/graph/v26.0/{number.waba_id}/message_templates"
    query = f"?name=retomar_conversa&hsm_id={found['id']}"
    assert graph.client.delete(path + query, headers=TOKEN).json() == {"success": True}
    assert row_of(graph, number, "retomar_conversa") is None
    assert graph.client.delete(path + query, headers=TOKEN).status_code == 400
