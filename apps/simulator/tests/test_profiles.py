"""Business profiles of the fake Graph API."""

from typing import Any

import pytest

from apps.simulator.models import SimNumber
from apps.simulator.tests.conftest import NUMBER, TOKEN, Graph

pytestmark = pytest.mark.django_db
PATH = f"{NUMBER}/whatsapp_business_profile"


def change(graph: Graph, **fields: Any) -> Any:
    return graph.client.post(
        f"/simulator/graph/v26.0/{PATH}",
        {"messaging_product": "whatsapp", **fields},
        content_type="application/json",
        headers=TOKEN,
    )


def shown(graph: Graph) -> Any:
    [row] = graph.get(PATH, fields="about,email,websites,vertical").json()["data"]
    return row


def test_what_is_named_changes_and_what_is_empty_is_not_shown(
    graph: Graph, number: SimNumber
) -> None:
    assert shown(graph) == {"messaging_product": "whatsapp"}
    assert change(graph, about="Aberto", email="a@b.com", vertical="RETAIL").json() == {
        "success": True
    }
    assert change(graph, email="", websites=["https://a.example"]).status_code == 200
    assert shown(graph) == {
        "messaging_product": "whatsapp",
        "about": "Aberto",
        "vertical": "RETAIL",
        "websites": ["https://a.example"],
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"messaging_product": "sms"},
        {"about": ""},
        {"about": "x" * 140},
        {"vertical": "CIRCUS"},
        {"websites": ["a", "b", "c"]},
        {"websites": "a"},
        {"email": 7},
        {"profile_picture_handle": "4::x"},
    ],
)
def test_what_meta_refuses_is_refused(
    graph: Graph, number: SimNumber, fields: dict[str, Any]
) -> None:
    assert change(graph, **fields).status_code == 400
    assert shown(graph) == {"messaging_product": "whatsapp"}
