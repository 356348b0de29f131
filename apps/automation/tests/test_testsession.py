"""POST /queueIntegration/testSession: drafts, stored secrets, every type, refusals."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache

from apps.accounts.models import User
from apps.automation.clients.webhooks import signature_of
from apps.automation.models import IntegrationCall, QueueIntegration
from apps.automation.tests.service_account import service_account
from apps.automation.tests.wire import Answer, WireServer, wire_server
from apps.common.encryption import MASK
from apps.companies.models import Company
from apps.companies.services import change_setting
from conftest import ClientFor
from tests.factories import make_integration

pytestmark = pytest.mark.django_db
PATH = "/api/queueIntegration/testSession"


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    cache.clear()
    with wire_server() as running:
        settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
        settings.DIALOGFLOW_ENDPOINT = running.url
        settings.ASAAS_URL = f"{running.url}/v3"
        yield running


def run_test(client: Any, **body: Any) -> Any:
    return client.post(PATH, body, format="json")


def agent_says(server: WireServer, *texts: str) -> None:
    messages = [{"text": {"text": [text]}} for text in texts]
    server.handler = lambda request: Answer(body={"queryResult": {"fulfillmentMessages": messages}})


@pytest.mark.parametrize(
    ("language", "greeting"), [("pt-BR", "Olá"), ("en", "Hello"), ("es", "Hola")]
)
def test_an_agent_is_greeted_before_it_is_saved(
    client_for: ClientFor, admin: User, server: WireServer, language: str, greeting: str
) -> None:
    agent_says(server, "Oi!", "Em que posso ajudar?")
    answer = run_test(
        client_for(admin),
        projectName="loja-bot",
        jsonContent=service_account(),
        language=language,
    )
    assert answer.status_code == 200, answer.content
    assert answer.json() == {"messages": ["Oi!", "Em que posso ajudar?"]}
    [request] = server.received
    asked = {"text": greeting, "languageCode": language}
    assert request.json["queryInput"]["text"] == asked
    assert not QueueIntegration.objects.exists()


def test_the_mask_means_the_stored_key(
    client_for: ClientFor, admin: User, acme: Company, server: WireServer
) -> None:
    agent_says(server, "Oi!")
    stored = make_integration(
        acme, type="dialogflow", project_name="loja-bot", json_content=service_account()
    )
    answer = run_test(
        client_for(admin),
        integrationId=stored.pk,
        projectName="outro-projeto",
        jsonContent=MASK,
        text="Quero um boleto",
    )
    assert answer.json() == {"messages": ["Oi!"]}
    [request] = server.received
    assert "/projects/outro-projeto/" in request.path
    assert request.json["queryInput"]["text"]["text"] == "Quero um boleto"
    stored.refresh_from_db()
    assert stored.project_name == "loja-bot"


def test_a_flow_is_started(client_for: ClientFor, admin: User, server: WireServer) -> None:
    rich_text = [{"type": "p", "children": [{"text": "Bem-vindo"}]}]
    bubble = {"id": "m", "type": "text", "content": {"type": "richText", "richText": rich_text}}
    block = {"id": "q", "type": "choice input", "items": [{"id": "a", "content": "Vendas"}]}
    body = {"sessionId": "s", "messages": [bubble], "input": block}
    server.handler = lambda request: Answer(body=body)
    answer = run_test(client_for(admin), type="typebot", urlN8N=server.url, typebotSlug="loja")
    assert answer.json() == {"messages": ["Bem-vindo\n\n*1* - Vendas"]}
    [request] = server.received
    assert request.path == "/api/v1/typebots/loja/startChat"
    assert request.json["prefilledVariables"]["name"] == admin.name


@pytest.mark.parametrize("kind", ["n8n", "webhook", "webhook_official"])
def test_an_address_gets_a_signed_ping(
    client_for: ClientFor, admin: User, acme: Company, server: WireServer, kind: str
) -> None:
    stored = make_integration(acme, type=kind, url=f"{server.url}/oi", signing_secret="segredo")
    answer = run_test(client_for(admin), integrationId=stored.pk)
    assert answer.status_code == 200, answer.json()
    [message] = answer.json()["messages"]
    assert message.startswith("127.0.0.1 respondeu com o código 200 em ")
    # For every language.
    assert answer.json()["reasonCode"] == "server_answered"
    assert answer.json()["reasonDetail"].startswith("127.0.0.1 (200, ")
    [request] = server.received
    assert request.json["event"] == "ping"
    assert request.json["integration"] == {"id": stored.pk, "name": stored.name, "type": kind}
    stamp = request.headers["x-balcao-timestamp"]
    signature = signature_of(request.body, secret="segredo", timestamp=stamp)
    assert request.headers["x-balcao-signature"] == signature


def test_a_token_of_asaas_is_tried(
    client_for: ClientFor, admin: User, acme: Company, server: WireServer
) -> None:
    client = client_for(admin)
    answer = run_test(client, type="asaas")
    assert answer.status_code == 424
    assert "Falta o token" in answer.json()["message"]
    change_setting(company_id=acme.pk, key="asaas", value="$aact_prod_x")
    server.handler = lambda request: Answer(body={"data": []})
    assert run_test(client, type="asaas").json() == {
        "messages": ["O Asaas aceitou o token."],
        "reasonCode": "asaas_token_accepted",
        "reasonDetail": "",
    }
    assert server.received[0].headers["access_token"] == "$aact_prod_x"


@pytest.mark.parametrize(
    ("body", "field", "rule"),
    [
        ({}, "projectName", "required"),
        ({"projectName": "x"}, "jsonContent", "required"),
        ({"projectName": "x", "jsonContent": MASK}, "jsonContent", "required"),
        ({"projectName": "x", "jsonContent": "{"}, "jsonContent", None),
        (
            {
                "projectName": "x",
                "jsonContent": service_account(token_uri="http://169.254.169.254/"),
            },
            "jsonContent",
            None,
        ),
        ({"type": "webhook"}, "urlN8N", "required"),
        ({"type": "webhook", "urlN8N": "http://10.0.0.1/"}, "urlN8N", None),
        ({"type": "typebot", "urlN8N": "https://b.example"}, "typebotSlug", "required"),
        ({"type": "fax"}, "type", "invalid_choice"),
        ({"integrationId": 0}, "integrationId", "min_value"),
        ({"integrationId": 987654}, "integrationId", "does_not_exist"),
        ({"text": "x" * 300}, "text", "max_length"),
    ],
)
def test_what_can_not_be_tried_is_refused_at_its_field(
    client_for: ClientFor,
    admin: User,
    server: WireServer,
    body: dict[str, Any],
    field: str,
    rule: str | None,
) -> None:
    answer = run_test(client_for(admin), **body)
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    if rule is not None:
        assert answer.json()["fieldCodes"][field] == rule
    assert server.received == []


def test_another_companys_key_is_not_tried(
    client_for: ClientFor, outsider: User, acme: Company, server: WireServer
) -> None:
    stored = make_integration(
        acme, type="dialogflow", project_name="loja-bot", json_content=service_account()
    )
    answer = run_test(client_for(outsider), integrationId=stored.pk)
    assert answer.status_code == 400
    assert "integrationId" in answer.json()["fields"]
    assert server.received == []


def test_a_refusal_is_said_in_words_without_the_key(
    client_for: ClientFor, admin: User, server: WireServer
) -> None:
    server.handler = lambda request: Answer(403, {"error": {"code": 403, "message": "no"}})
    key = service_account()
    answer = run_test(client_for(admin), projectName="loja-bot", jsonContent=key)
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_INTEGRATION_TEST_FAILED")
    assert "não tem acesso ao Dialogflow do projeto “loja-bot”" in answer.json()["message"]
    assert answer.json()["reasonCode"] == "project_forbidden"
    assert answer.json()["reasonDetail"] == "loja-bot"
    assert json.loads(key)["private_key"][:40] not in answer.content.decode()
    assert not IntegrationCall.objects.exists()


def test_attendants_try_nothing(client_for: ClientFor, agent: User, server: WireServer) -> None:
    assert run_test(client_for(agent), type="asaas").status_code == 403


def test_a_plan_without_integrations_tests_nothing(
    client_for: ClientFor, admin: User, acme: Company, server: WireServer
) -> None:
    acme.plan.use_integrations = False
    acme.plan.save(update_fields=["use_integrations"])
    answer = run_test(client_for(admin), type="asaas")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")


def test_tests_are_counted(client_for: ClientFor, admin: User, server: WireServer) -> None:
    client = client_for(admin)
    statuses = [run_test(client, type="asaas").status_code for _ in range(21)]
    assert statuses == [424] * 20 + [429]
