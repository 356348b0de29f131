"""Customers with a username, who hide their number from businesses."""

from typing import Any

import pytest
from django.test import Client

from apps.simulator.graph.user_ids import USER_ID, number_of, user_id_of
from apps.simulator.models import SimConversation, SimMessage
from apps.simulator.tests.conftest import CUSTOMER, NUMBER, Graph, webhook_values

pytestmark = pytest.mark.django_db
ID = user_id_of(CUSTOMER)
CODE = {
    "name": "codigo_de_acesso",
    "language": {"code": "pt_BR"},
    "components": [
        {"type": "body", "parameters": [{"type": "text", "text": "123456"}]},
        {
            "type": "button",
            "sub_type": "url",
            "index": 0,
            "parameters": [{"type": "text", "text": "123456"}],
        },
    ],
}


def call(path: str, body: dict[str, Any], status: int = 200) -> Any:
    answer = Client().post(f"/simulator/api/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def profile(status: int = 200, **fields: Any) -> Any:
    return call("customers", {"wa_id": CUSTOMER, **fields}, status)


def write(kind: str = "send", **fields: Any) -> dict[str, Any]:
    call(kind, {"number": NUMBER, "customer": CUSTOMER, **fields})
    return webhook_values()[-1]


def test_a_user_id_is_of_a_number_and_no_number_itself() -> None:
    assert USER_ID.fullmatch(ID)
    assert number_of(ID) == CUSTOMER
    assert CUSTOMER not in ID
    assert [number_of(each) for each in ("BR.12", "BR.x", "US.1")] == ["", "", ""]


def test_who_hides_the_number_is_named_by_user_id_and_username(
    conversation: SimConversation,
) -> None:
    row = profile(username="@Mari.Albuquerque", hides_number=True)
    assert (row["username"], row["hidesNumber"]) == ("mari.albuquerque", True)
    own = write(type="text", body="Oi")["messages"][0]
    value = write(type="text", body="De novo", reply_to=own["id"])
    assert value["contacts"] == [
        {
            "profile": {"name": "Mariana Albuquerque", "username": "mari.albuquerque"},
            "user_id": ID,
        }
    ]
    message = value["messages"][0]
    assert message["from_user_id"] == message["context"]["from_user_id"] == ID
    ring = write("call")
    assert ring["calls"][0]["from_user_id"] == ID
    assert CUSTOMER not in f"{value}{ring}"

    # Nobody who only has the name changed gets the number back by it.
    assert profile(name="Mari")["hidesNumber"] is True
    assert profile(hides_number=False)["username"] == "mari.albuquerque"
    assert write(type="text", body="Meu número")["contacts"][0]["wa_id"] == CUSTOMER


def test_only_who_has_a_username_hides_the_number(conversation: SimConversation) -> None:
    assert profile(hides_number=True)["hidesNumber"] is False
    profile(username="mari", hides_number=True)
    assert profile(username="")["hidesNumber"] is False
    for refused in ("ab", "mari ana", "123", "x" * 36):
        profile(400, username=refused)


def test_a_message_to_a_user_id_arrives_and_is_told_of_by_it(
    conversation: SimConversation, graph: Graph
) -> None:
    profile(username="mari", hides_number=True)
    answer = graph.send(to=None, recipient=ID)
    assert answer.status_code == 200, answer.content
    assert answer.json()["contacts"] == [{"input": ID, "user_id": ID}]
    assert SimMessage.objects.get(from_customer=False).conversation == conversation
    status = webhook_values()[-1]["statuses"][0]
    assert status["recipient_user_id"] == ID
    assert "recipient_id" not in status


@pytest.mark.parametrize(("recipient", "code"), [("BR.12", 131026), ("5511984321107", 131009)])
def test_a_user_id_that_nobody_has_is_refused(
    conversation: SimConversation, graph: Graph, recipient: str, code: int
) -> None:
    answer = graph.send(to=None, recipient=recipient)
    assert answer.json()["error"]["code"] == code


def test_a_code_goes_to_numbers_alone(conversation: SimConversation, graph: Graph) -> None:
    refused = graph.send(to=None, recipient=ID, type="template", text=None, template=CODE)
    assert refused.json()["error"]["code"] == 131062
    assert graph.send(type="template", text=None, template=CODE).status_code == 200
