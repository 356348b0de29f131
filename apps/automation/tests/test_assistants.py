"""What a model may cost, and testing a prompt before it is saved."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.models import User
from apps.automation.clients import openai_wire
from apps.automation.clients.base import ClientError
from apps.automation.clients.openai_texts import HAND_OVER_PHRASE
from apps.automation.models import TokenUse
from apps.automation.services.assistants import assistant_of, prompt_client
from apps.automation.services.clients import client_for as client_of
from apps.automation.tests.models import completion, refusal
from apps.automation.tests.turns import NOW, make_turn
from apps.automation.tests.wire import Answer, WireServer, wire_server
from apps.automation.throttles import PromptTestThrottle
from apps.common.encryption import MASK
from apps.companies.models import Company
from apps.queues.models import Queue
from conftest import ClientFor
from tests.factories import make_prompt, make_ticket

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> Iterator[WireServer]:
    openai_wire._refused.clear()
    with wire_server() as running:
        settings.ALLOW_PRIVATE_TARGETS = ["127.0.0.0/8"]
        settings.OPENAI_BASE_URL = f"{running.url}/v1"
        settings.OPENAI_MODEL = "gpt-operador"
        running.handler = lambda request: Answer(body=completion("Olá!"))
        yield running


def used(company: Company, tokens: int, **fields: Any) -> TokenUse:
    return TokenUse.objects.create(
        **{
            "company": company,
            "model": "gpt",
            "prompt_tokens": tokens - 1,
            "completion_tokens": 1,
            "created_at": NOW,
            **fields,
        }
    )


def test_a_prompt_without_address_and_model_has_the_operator_s(
    server: WireServer, acme: Company
) -> None:
    prompt_client(make_prompt(acme), now=NOW).take_turn(make_turn())
    assert server.received[0].json["model"] == "gpt-operador"


def test_a_prompt_s_own_address_and_model_come_first(
    server: WireServer, acme: Company, settings: Any
) -> None:
    settings.OPENAI_BASE_URL = "http://modelo.invalid/v1"
    prompt = make_prompt(acme, base_url=f"{server.url}/v1", model="gpt-da-loja")
    client_of(prompt=prompt).take_turn(make_turn())
    assert server.received[0].json["model"] == "gpt-da-loja"


def test_a_voice_needs_its_key_and_region(acme: Company) -> None:
    prompt = make_prompt(acme, voice="pt-BR-YaraNeural")
    assert assistant_of(prompt).voice is None
    prompt.voice_key, prompt.voice_region = "azure", "brazilsouth"
    voice = assistant_of(prompt).voice
    assert voice is not None
    assert (voice.name, voice.region) == ("pt-BR-YaraNeural", "brazilsouth")


def test_beyond_the_day_s_tokens_nobody_is_asked(
    acme: Company, globex: Company, settings: Any
) -> None:
    settings.AI_DAILY_TOKENS = 1000
    prompt = make_prompt(acme)
    used(globex, 5000)
    used(acme, 999)
    used(acme, 5000, created_at=NOW - timedelta(days=1))
    prompt_client(prompt, now=NOW)
    used(acme, 1)
    with pytest.raises(ClientError) as caught:
        prompt_client(prompt, now=NOW)
    assert caught.value.permanent
    assert "limite diário" in caught.value.message
    prompt_client(prompt, now=NOW + timedelta(days=1))


def test_a_conversation_with_another_bot_comes_to_its_end(acme: Company, settings: Any) -> None:
    settings.AI_ANSWERS_IN_TEN_MINUTES = 3
    prompt, ticket, other = make_prompt(acme), make_ticket(acme), make_ticket(acme)
    for _ in range(3):
        used(acme, 10, ticket=ticket)
    prompt_client(prompt, ticket_id=other.pk, now=NOW)
    with pytest.raises(ClientError) as caught:
        prompt_client(prompt, ticket_id=ticket.pk, now=NOW)
    assert caught.value.permanent
    prompt_client(prompt, ticket_id=ticket.pk, now=NOW + timedelta(minutes=11))


def test_a_plan_without_ai_asks_nobody(acme: Company) -> None:
    acme.plan.use_open_ai = False
    acme.plan.save()
    with pytest.raises(ClientError) as caught:
        prompt_client(make_prompt(acme))
    assert caught.value.permanent


def run_test(client: Any, queue: Queue, **changes: Any) -> Any:
    body = {
        "name": "Rascunho",
        "prompt": "Você vende bolos.",
        "queueId": queue.pk,
        "apiKey": "sk-do-rascunho",
        "messages": [
            {"fromMe": False, "text": "Oi"},
            {"fromMe": True, "text": "Olá! Como posso ajudar?"},
            {"fromMe": False, "text": "Tem de coco?"},
        ],
        **changes,
    }
    return client.post("/api/prompt/test", body, format="json")


def test_a_draft_is_tried_and_nothing_but_its_tokens_is_kept(
    client_for: ClientFor, admin: User, queue: Queue, server: WireServer
) -> None:
    answer = run_test(client_for(admin), queue)
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert told.pop("durationMs") >= 0
    assert told == {
        "messages": ["Olá!"],
        "handOver": False,
        "model": "gpt-local",
        "promptTokens": 120,
        "completionTokens": 30,
    }
    (request,) = server.received
    assert request.headers["authorization"] == "Bearer sk-do-rascunho"
    said = [(line["role"], line["content"]) for line in request.json["messages"][1:]]
    assert said == [
        ("user", "Oi"),
        ("assistant", "Olá! Como posso ajudar?"),
        ("user", "Tem de coco?"),
    ]
    cost = TokenUse.objects.get()
    assert (cost.company_id, cost.prompt_id, cost.ticket_id) == (admin.company_id, None, None)
    assert not admin.company.prompts.exists()


def test_the_stored_key_stands_for_its_mask(
    client_for: ClientFor, admin: User, queue: Queue, server: WireServer
) -> None:
    prompt = make_prompt(admin.company, queue=queue, api_key="sk-guardada")
    answer = run_test(client_for(admin), queue, promptId=prompt.pk, apiKey=MASK, prompt="Outro")
    assert answer.status_code == 200
    assert server.received[0].headers["authorization"] == "Bearer sk-guardada"
    prompt.refresh_from_db()
    assert prompt.prompt != "Outro"
    assert TokenUse.objects.get().prompt_id == prompt.pk


def test_a_hand_over_is_told(
    client_for: ClientFor, admin: User, queue: Queue, server: WireServer
) -> None:
    server.handler = lambda request: Answer(body=completion(f"Já passo. {HAND_OVER_PHRASE}"))
    told = run_test(client_for(admin), queue).json()
    assert (told["messages"], told["handOver"]) == (["Já passo."], True)


def test_a_model_that_fails_is_told_in_words(
    client_for: ClientFor, admin: User, queue: Queue, server: WireServer
) -> None:
    server.handler = lambda request: Answer(401, refusal("Incorrect API key: sk-do-rascunho"))
    answer = run_test(client_for(admin), queue)
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_MODEL_UNAVAILABLE")
    assert answer.json()["message"] == "O servidor do modelo recusou a chave da API."
    assert answer.json()["reasonCode"] == "model_key_refused"
    assert "sk-do-rascunho" not in answer.content.decode()


@pytest.mark.parametrize(
    "messages",
    [
        [],
        None,
        [{"fromMe": True, "text": "Oi"}],
        [{"fromMe": False, "text": ""}],
        [{"fromMe": False, "text": "x" * 4097}],
        [{"fromMe": False, "text": "Oi"}] * 41,
    ],
)
def test_a_test_needs_a_conversation(
    client_for: ClientFor, admin: User, queue: Queue, server: WireServer, messages: Any
) -> None:
    answer = run_test(client_for(admin), queue, messages=messages)
    assert answer.status_code == 400
    assert any(name.startswith("messages") for name in answer.json()["fields"])
    assert server.received == []


def test_tests_are_counted(
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    server: WireServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PromptTestThrottle, "rate", "2/min")
    client = client_for(admin)
    # What is refused before the model is asked counts for nothing.
    codes = [run_test(client, queue, name="").status_code for _ in range(3)]
    assert codes == [400, 400, 400]
    assert [run_test(client, queue).status_code for _ in range(3)] == [200, 200, 429]
    assert len(server.received) == 2


def test_a_test_of_a_slow_model_ends(
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    server: WireServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from apps.automation.services import assistants

    monkeypatch.setattr(assistants, "TEST_SECONDS", 0.2)
    gate = threading.Event()
    server.handler = lambda request: Answer(body=completion("tarde"), gate=gate)
    try:
        answer = run_test(client_for(admin), queue)
    finally:
        gate.set()
    assert (answer.status_code, answer.json()["code"]) == (424, "ERR_MODEL_UNAVAILABLE")
