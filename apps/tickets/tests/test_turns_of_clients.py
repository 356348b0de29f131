"""Asaas, Dialogflow and Typebot's menus, from the turn to the conversation."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from apps.automation.models import IntegrationCall, IntegrationSession, QueueIntegration
from apps.automation.tests.service_account import service_account
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from apps.companies.models import Company
from apps.companies.services import change_setting
from apps.connections.models import FALLBACK_MESSAGE, Connection
from apps.tickets.models import BotTurn, Message, Ticket, TicketActivity
from apps.tickets.services.bot.turn_worker import take_due
from tests.factories import make_integration, make_message, make_ticket

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("emitted")]
CPF = "529.982.247-25"


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    cache.clear()
    with wire_server() as running:
        settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
        settings.DIALOGFLOW_ENDPOINT = running.url
        settings.ASAAS_URL = f"{running.url}/v3"
        yield running


def led(integration: QueueIntegration, connection: Connection) -> Ticket:
    return make_ticket(
        integration.company,
        connection=connection,
        integration=integration,
        use_integration=True,
        chatbot=True,
        last_inbound_at=timezone.now(),
    )


def say(ticket: Ticket, text: str, **payload: Any) -> list[Message]:
    """Have the contact write, and return what is answered."""
    before = Message.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    BotTurn.objects.create(
        company_id=ticket.company_id,
        ticket=ticket,
        message=make_message(ticket, body=text),
        kind="integration",
        integration=ticket.integration,
        event_id=uuid.uuid4(),
        payload=payload,
    )
    assert take_due(limit=1) == 1
    return list(Message.objects.filter(pk__gt=before, from_me=True).order_by("pk"))


def endings(ticket: Ticket) -> list[str]:
    activities = TicketActivity.objects.filter(ticket=ticket, kind="bot_ended")
    return [activity.detail["reason"] for activity in activities]


def asaas_answers(request: Received) -> Answer:
    path = request.path.partition("?")[0]
    if path == "/v3/customers":
        return Answer(body={"data": [{"id": "cus_1", "name": "Ana Souza"}]})
    if path == "/v3/payments":
        row = {
            "id": "pay_1",
            "value": 99.9,
            "dueDate": "2026-10-05",
            "invoiceUrl": "https://www.asaas.com/i/1",
        }
        return Answer(body={"data": [row] if "OVERDUE" in request.path else []})
    return Answer(body={"payload": "000201", "identificationField": "00190"})


def test_a_cpf_is_answered_with_the_charge_and_then_a_person_goes_on(
    acme: Company, connection: Connection, server: WireServer
) -> None:
    change_setting(company_id=acme.pk, key="asaas", value="$aact_prod_x")
    server.handler = asaas_answers
    ticket = led(make_integration(acme, type="asaas", url=""), connection)
    assert [each.body for each in say(ticket, "Oi")] == [
        "Para consultar a sua cobrança, envie o CPF ou o CNPJ do titular."
    ]
    told, *codes = [each.body for each in say(ticket, CPF)]
    assert "*Valor:* R$ 99,90" in told
    assert codes == ["Pix copia e cola:", "000201", "Linha digitável do boleto:", "00190"]
    for row in IntegrationCall.objects.all():
        kept = f"{row.url} {row.request_body} {row.response_text} {row.error}"
        assert not any(secret in kept for secret in ("52998224725", "Ana Souza", "$aact"))
    kept = str(IntegrationSession.objects.get().data)
    assert "529.982" not in kept and "529982" not in kept
    say(ticket, "obrigada, mas já paguei")
    assert endings(ticket) == ["finished"]
    assert not IntegrationSession.objects.exists()


def test_without_a_token_the_ticket_waits_for_a_person(
    acme: Company, connection: Connection, server: WireServer
) -> None:
    ticket = led(make_integration(acme, type="asaas", url=""), connection)
    assert [reply.body for reply in say(ticket, CPF)] == [FALLBACK_MESSAGE]
    assert endings(ticket) == ["failed"]
    assert server.received == []


def test_an_agent_answers_until_its_conversation_ends(
    acme: Company, connection: Connection, server: WireServer
) -> None:
    result: dict[str, Any] = {"fulfillmentMessages": [{"text": {"text": ["Oi!"]}}]}
    server.handler = lambda request: Answer(body={"queryResult": result})
    agent = make_integration(
        acme, type="dialogflow", project_name="loja", json_content=service_account(), url=""
    )
    ticket = led(agent, connection)
    [reply] = say(ticket, "Olá")
    assert (reply.body, reply.source) == ("Oi!", "integration")
    result["diagnosticInfo"] = {"end_conversation": True}
    say(ticket, "Tchau")
    assert endings(ticket) == ["finished"]
    first, second = [request.path.partition("?")[0] for request in server.received]
    assert first == second


def test_a_refused_key_leaves_the_ticket_to_a_person_and_says_so_in_the_log(
    acme: Company, connection: Connection, server: WireServer
) -> None:
    server.handler = lambda request: Answer(401, {"error": {"code": 401, "message": "no"}})
    agent = make_integration(
        acme, type="dialogflow", project_name="loja", json_content=service_account(), url=""
    )
    ticket = led(agent, connection)
    assert [reply.body for reply in say(ticket, "Olá")] == [FALLBACK_MESSAGE]
    assert endings(ticket) == ["failed"]
    logged = IntegrationCall.objects.get()
    assert (logged.status_code, "recusou a chave" in logged.error) == (401, True)


def test_a_flows_choices_are_native_on_the_official_line(
    acme: Company, connection: Connection, server: WireServer
) -> None:
    items = [{"id": "a", "content": "Vendas"}, {"id": "b", "content": "Suporte"}]
    block = {"id": "q", "type": "choice input", "items": items}
    server.handler = lambda request: Answer(body={"sessionId": "s", "messages": [], "input": block})
    flow = make_integration(acme, type="typebot", url=server.url, typebot_slug="x")
    ticket = led(flow, connection)
    [menu] = say(ticket, "Oi")
    assert menu.data is not None
    assert [choice["id"] for choice in menu.data["choices"]] == ["a", "b"]
    say(ticket, "Suporte", choice_id="b")
    assert server.received[-1].json["message"] == "Suporte"
