"""Numbers of a portfolio share its limit, as Meta's do."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.simulator.models import SimConversation, SimCustomer, SimNumber
from apps.simulator.services.conversations import conversation_of, number_for
from apps.simulator.tests.conftest import NUMBER, TOKEN, Graph, webhook_values
from apps.simulator.tests.test_control import call

pytestmark = pytest.mark.django_db
OTHER = "100000000000002"
WORDS = [{"type": "text", "text": text} for text in ("Mariana", "a troca")]
TEMPLATE = {
    "name": "retomar_conversa",
    "language": {"code": "pt_BR"},
    "components": [{"type": "body", "parameters": WORDS}],
}


def template_to(graph: Graph, wa_id: str, number: str = NUMBER) -> Any:
    return graph.client.post(
        f"/simulator/graph/v26.0/{number}/messages",
        {"messaging_product": "whatsapp", "to": wa_id, "type": "template", "template": TEMPLATE},
        content_type="application/json",
        headers=TOKEN,
    )


def fields_of(graph: Graph, identifier: str, fields: str) -> dict[str, Any]:
    address = f"/simulator/graph/v26.0/{identifier}?fields={fields}"
    answer = graph.client.get(address, headers=TOKEN)
    assert answer.status_code == 200, answer.content
    row: dict[str, Any] = answer.json()
    return row


@pytest.fixture
def people(number: SimNumber) -> list[str]:
    numbers = [f"551198432120{place}" for place in range(4)]
    for wa_id in numbers:
        SimCustomer.objects.create(wa_id=wa_id, name=wa_id)
    return numbers


def test_a_number_and_its_account_tell_the_portfolio(graph: Graph, number: SimNumber) -> None:
    owner = fields_of(graph, number.waba_id, "owner_business_info,business_verification_status")
    assert owner == {
        "id": number.waba_id,
        "owner_business_info": {"id": number.portfolio, "name": "Portfólio de demonstração"},
        "business_verification_status": "verified",
    }
    limit = "whatsapp_business_manager_messaging_limit"
    assert fields_of(graph, NUMBER, limit)[limit] == "TIER_2K"
    changed = {"number": NUMBER, "limit": 250, "name": "Loja", "verification": "not_verified"}
    row = call("portfolio", changed)
    assert row == {
        "id": number.portfolio,
        "name": "Loja",
        "limit": 250,
        "verification": "not_verified",
    }
    assert fields_of(graph, NUMBER, limit)[limit] == "TIER_250"
    for value, tier in ((-1, "TIER_UNLIMITED"), (100_000, "TIER_100K"), (3, "TIER_3")):
        call("portfolio", {"number": NUMBER, "limit": value})
        assert fields_of(graph, NUMBER, limit)[limit] == tier


def test_a_new_limit_is_reported_once_to_each_account(graph: Graph, number: SimNumber) -> None:
    number_for(OTHER)
    call("portfolio", {"number": NUMBER, "limit": 250})
    call("portfolio", {"number": NUMBER, "limit": 250})
    told = [value["max_daily_conversations_per_business"] for value in webhook_values()]
    assert told == [250, 250], "two accounts"


@pytest.mark.parametrize(
    "fields", [{"limit": 0}, {"limit": -2}, {"limit": "x"}, {"portfolio_id": "abc"}]
)
def test_odd_values_are_refused(number: SimNumber, fields: dict[str, Any]) -> None:
    call("portfolio", {"number": NUMBER, **fields}, 400)


def test_above_the_limit_a_message_is_refused_as_meta_does(graph: Graph, people: list[str]) -> None:
    number_for(OTHER)
    call("portfolio", {"number": NUMBER, "limit": 2})
    assert template_to(graph, people[0]).status_code == 200
    assert template_to(graph, people[1], OTHER).status_code == 200
    refused = template_to(graph, people[2])
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, 131048)
    # A person counts once, whichever number writes.
    assert template_to(graph, people[1]).status_code == 200
    # Who wrote has an open window with that number only.
    chat = conversation_of(number_for(NUMBER), SimCustomer.objects.get(wa_id=people[3]))
    chat.last_customer_at = timezone.now()
    chat.save()
    assert template_to(graph, people[3]).status_code == 200
    assert template_to(graph, people[3], OTHER).status_code == 400
    # Another portfolio has a limit of its own.
    call("portfolio", {"number": OTHER, "portfolio_id": "300000000000002", "limit": 250})
    assert template_to(graph, people[3], OTHER).status_code == 200
    # After a day there is room again.
    SimConversation.objects.update(last_begun_at=timezone.now() - timedelta(hours=25))
    assert template_to(graph, people[2]).status_code == 200
