"""`thread_control` and routing roles of the fake Graph API."""

from typing import Any

import pytest
from django.test import Client

from apps.simulator.models import SimConversation, SimNumber
from apps.simulator.tests.conftest import CUSTOMER, NUMBER, Graph
from apps.simulator.tests.test_responders import changes, control

pytestmark = pytest.mark.django_db


def ask(graph: Graph, **body: Any) -> Any:
    given = {"messaging_product": "whatsapp", "to": CUSTOMER, **body}
    return graph.post(f"{NUMBER}/thread_control", given)


def test_what_is_taken_is_ours_and_what_is_released_goes_to_the_other_responder(
    graph: Graph, conversation: SimConversation
) -> None:
    control("handover", taken=True)
    for action, field in (("take", "messages"), ("release", "standby"), ("take", "messages")):
        assert ask(graph, action=action).json() == {"success": True}
        control("send", type="text", body="Oi")
        assert changes()[-1]["field"] == field
    assert ask(graph, action="pass").status_code == 200
    # Of what the business did itself it is told nothing.
    assert [each["field"] for each in changes()].count("messaging_handovers") == 1


def test_taking_can_be_refused(graph: Graph, conversation: SimConversation) -> None:
    control("handover", taken=True)
    Client().post(
        "/simulator/api/faults",
        {"kind": "control_refused", "number": NUMBER, "times": 1},
        content_type="application/json",
    )
    refused = ask(graph, action="take")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, 2494191)
    control("send", type="text", body="Oi")
    assert changes()[-1]["field"] == "standby"
    assert ask(graph, action="take").status_code == 200


@pytest.mark.parametrize("body", [{"action": "seize"}, {}, {"action": "take", "to": None}])
def test_what_meta_would_not_take_is_refused(
    graph: Graph, conversation: SimConversation, body: dict[str, Any]
) -> None:
    assert ask(graph, **body).json()["error"]["code"] == 100
    assert ask(graph, action="take", to="5511900000000").json()["error"]["code"] == 131026


def test_the_roles_are_told(graph: Graph, number: SimNumber) -> None:
    told = graph.get(f"{NUMBER}/routing_roles").json()
    assert told == {"roles": ["organic", "calls", "escalation_partner"], "is_standby": True}


def test_the_app_tells_its_fields_to_its_own_token(
    graph: Graph, number: SimNumber, settings: Any
) -> None:
    app, place = settings.META_APP_ID, f"/simulator/graph/v26.0/{settings.META_APP_ID}"
    assert graph.get(f"{app}/subscriptions").status_code == 400
    own = {"Authorization": f"Bearer {app}|{settings.META_APP_SECRET}"}
    [row] = Client().get(f"{place}/subscriptions", headers=own).json()["data"]
    assert row["object"] == "whatsapp_business_account"
    assert {"standby", "messaging_handovers"} <= {each["name"] for each in row["fields"]}
