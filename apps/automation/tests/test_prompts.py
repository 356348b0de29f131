"""/prompt: shapes, rules, secrets, the plan, events, audit and what answers cost."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.automation.models import Prompt, TokenUse
from apps.automation.queries.prompts import day_of, month_of
from apps.automation.tests.turns import NOW
from apps.common.encryption import MASK
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.realtime.rooms import company_room
from conftest import ClientFor
from tests.factories import make_prompt, make_queue

pytestmark = pytest.mark.django_db
Events = list[dict[str, Any]]
KEY = "sk-segredo-da-loja"


def make(client: Any, queue: Queue, **changes: Any) -> Any:
    body = {
        "name": "Atendente",
        "prompt": "Você vende bolos.",
        "queueId": queue.pk,
        "apiKey": KEY,
        **changes,
    }
    return client.post(
        "/api/prompt",
        {name: value for name, value in body.items() if value is not ...},
        format="json",
    )


def test_a_prompt_is_made_with_the_defaults_and_read_with_its_keys_masked(
    client_for: ClientFor, admin: User, agent: User, queue: Queue, connection: Connection
) -> None:
    answer = make(client_for(admin), queue)
    assert answer.status_code == 201, answer.content
    made = answer.json()
    expected = {
        "id": made["id"],
        "name": "Atendente",
        "prompt": "Você vende bolos.",
        "queueId": queue.pk,
        "queue": {"id": queue.pk, "name": "Vendas"},
        "apiKey": MASK,
        "maxTokens": 100,
        "maxMessages": 10,
        "temperature": 1.0,
        "voice": "texto",
        "voiceKey": "",
        "voiceRegion": "",
        "baseUrl": "",
        "model": "",
        "usedBy": {"queues": [], "connections": []},
        "companyId": admin.company_id,
        "createdAt": made["createdAt"],
        "updatedAt": made["updatedAt"],
    }
    assert made == expected
    Queue.objects.filter(pk=queue.pk).update(prompt=made["id"])
    Connection.objects.filter(pk=connection.pk).update(prompt=made["id"])
    expected["usedBy"] = {
        "queues": [{"id": queue.pk, "name": "Vendas"}],
        "connections": [{"id": connection.pk, "name": "Loja"}],
    }
    client = client_for(agent)
    assert client.get(f"/api/prompt/{made['id']}/").json() == expected
    page = client.get("/api/prompt/").json()
    assert page == {"prompts": [expected], "count": 1, "hasMore": False}


def test_keys_are_encrypted_at_rest(client_for: ClientFor, admin: User, queue: Queue) -> None:
    voice = {"voice": "pt-BR-YaraNeural", "voiceKey": "azure-segredo", "voiceRegion": "brazilsouth"}
    assert make(client_for(admin), queue, **voice).status_code == 201
    with database.cursor() as cursor:
        cursor.execute("select api_key, voice_key from automation_prompt")
        stored = str(cursor.fetchall())
    assert KEY not in stored
    assert "segredo" not in stored
    prompt = Prompt.objects.get()
    assert (prompt.api_key, prompt.voice_key) == (KEY, "azure-segredo")


@pytest.mark.parametrize("sent", [MASK, "", None])
def test_the_mask_or_nothing_leaves_the_keys(
    client_for: ClientFor, admin: User, queue: Queue, sent: str | None
) -> None:
    client = client_for(admin)
    voice = {"voice": "pt-BR-YaraNeural", "voiceKey": "azure", "voiceRegion": "brazilsouth"}
    made = make(client, queue, **voice).json()
    # A dialog resends the whole record.
    answer = client.put(
        f"/api/prompt/{made['id']}",
        {**made, "name": "Outra", "apiKey": sent, "voiceKey": sent},
        format="json",
    )
    assert (answer.status_code, answer.json()["apiKey"]) == (200, MASK)
    stored = Prompt.objects.get()
    assert (stored.name, stored.api_key, stored.voice_key) == ("Outra", KEY, "azure")


def test_a_new_key_takes_the_place_of_the_old(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client = client_for(admin)
    made = make(client, queue).json()
    answer = client.put(f"/api/prompt/{made['id']}", {"apiKey": " sk-nova "}, format="json")
    assert (answer.status_code, Prompt.objects.get().api_key) == (200, "sk-nova")


def test_a_key_does_not_follow_to_another_address(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client = client_for(admin)
    made = make(client, queue).json()
    path = f"/api/prompt/{made['id']}"
    there = "https://meu-servidor.example.com/v1"
    refused = client.put(path, {**made, "baseUrl": there}, format="json")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["apiKey"])
    body = {**made, "promptId": made["id"], "baseUrl": there}
    body["messages"] = [{"fromMe": False, "text": "Oi"}]
    refused = client.post("/api/prompt/test", body, format="json")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["apiKey"])
    assert Prompt.objects.get().base_url == ""
    changed = client.put(path, {**made, "baseUrl": there, "apiKey": "sk-nova"}, format="json")
    assert (changed.status_code, Prompt.objects.get().api_key) == (200, "sk-nova")


def test_a_server_of_one_s_own_needs_no_key(
    client_for: ClientFor, admin: User, queue: Queue, settings: Any
) -> None:
    client = client_for(admin)
    refused = make(client, queue, apiKey="")
    assert (refused.status_code, refused.json()["fields"]) == (
        400,
        {"apiKey": ["Informe a chave da API."]},
    )
    made = make(client, queue, apiKey="", baseUrl="https://modelo.example.com/v1/")
    assert (made.status_code, made.json()["baseUrl"]) == (201, "https://modelo.example.com/v1")
    settings.OPENAI_BASE_URL = "https://modelo.operador.example/v1"
    assert make(client, queue, apiKey=...).status_code == 201


@pytest.mark.parametrize("sent", ["", None, False, ...])
def test_a_prompt_without_a_queue_is_refused_in_the_specified_words(
    client_for: ClientFor, admin: User, queue: Queue, sent: Any
) -> None:
    answer = make(client_for(admin), queue, queueId=sent)
    sentence = "Selecione uma fila para salvar o prompt."
    assert (answer.status_code, answer.json()["message"]) == (400, sentence)
    assert answer.json()["fields"] == {"queueId": [sentence]}


def test_a_foreign_queue_is_refused_at_its_field(
    client_for: ClientFor, admin: User, queue: Queue, globex: Company
) -> None:
    answer = make(client_for(admin), queue, queueId=make_queue(globex).pk)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["queueId"])
    assert not Prompt.objects.exists()


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"name": " "}, ["name"]),
        ({"name": "x" * 101}, ["name"]),
        ({"prompt": " \n "}, ["prompt"]),
        ({"prompt": "x" * 20_001}, ["prompt"]),
        ({"maxTokens": 0}, ["maxTokens"]),
        ({"maxTokens": 8001}, ["maxTokens"]),
        ({"maxTokens": "muitos"}, ["maxTokens"]),
        ({"maxMessages": 0}, ["maxMessages"]),
        ({"maxMessages": 51}, ["maxMessages"]),
        ({"temperature": -0.1}, ["temperature"]),
        ({"temperature": 2.1}, ["temperature"]),
        ({"temperature": "NaN"}, ["temperature"]),
        ({"temperature": True}, ["temperature"]),
        ({"voice": "pt-BR-NinguemNeural"}, ["voice"]),
        ({"voice": "pt-BR-YaraNeural"}, ["voiceKey", "voiceRegion"]),
        ({"voice": "pt-BR-YaraNeural", "voiceKey": MASK, "voiceRegion": "x"}, ["voiceRegion"]),
        ({"voice": "pt-BR-YaraNeural", "voiceKey": "a", "voiceRegion": "a.b/"}, ["voiceRegion"]),
        ({"apiKey": "sk-\nX: y"}, ["apiKey"]),
        ({"apiKey": "chave com acento é"}, ["apiKey"]),
        ({"baseUrl": "modelo"}, ["baseUrl"]),
        ({"baseUrl": "ftp://modelo.example.com"}, ["baseUrl"]),
        ({"baseUrl": "https://eu:senha@modelo.example.com"}, ["baseUrl"]),
        ({"baseUrl": "https://modelo.example.com/v1?a=b"}, ["baseUrl"]),
        ({"baseUrl": "http://["}, ["baseUrl"]),
        ({"baseUrl": "http://127.0.0.1:11434/v1"}, ["baseUrl"]),
        ({"baseUrl": "http://localhost:11434/v1"}, ["baseUrl"]),
        ({"baseUrl": "http://169.254.169.254/v1"}, ["baseUrl"]),
        ({"model": "x" * 101}, ["model"]),
    ],
)
def test_a_broken_rule_names_its_field_and_stores_nothing(
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    settings: Any,
    changes: dict[str, Any],
    fields: list[str],
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []
    answer = make(client_for(admin), queue, **changes)
    assert (answer.status_code, sorted(answer.json()["fields"])) == (400, fields), answer.content
    assert not Prompt.objects.exists()


def test_what_older_dialogs_leave_empty_is_the_default(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    row = make(
        client_for(admin), queue, maxTokens="", maxMessages=None, temperature="", voiceRegion=None
    ).json()
    assert (row["maxTokens"], row["maxMessages"], row["temperature"]) == (100, 10, 1.0)
    text = make(client_for(admin), queue, maxTokens="300", temperature="0.4").json()
    assert (text["maxTokens"], text["temperature"]) == (300, 0.4)


def test_fields_left_out_stay(client_for: ClientFor, admin: User, acme: Company) -> None:
    prompt = make_prompt(acme, max_tokens=300, temperature=0.2)
    client = client_for(admin)
    row = client.put(f"/api/prompt/{prompt.pk}", {"name": "Outra"}, format="json").json()
    assert (row["name"], row["maxTokens"], row["temperature"]) == ("Outra", 300, 0.2)


@pytest.mark.every_case
@pytest.mark.parametrize("text", ["RECEPCAO", "vendas"])
def test_search_looks_into_name_and_queue(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, text: str
) -> None:
    make_prompt(acme, name="Recepção", queue=queue)
    make_prompt(acme, name="Cobrança", queue=make_queue(acme, name="Financeiro"))
    answer = client_for(agent).get("/api/prompt", {"searchParam": text}).json()
    assert [row["name"] for row in answer["prompts"]] == ["Recepção"]


def test_pages_have_twenty_rows_in_a_fixed_number_of_queries(
    client_for: ClientFor, agent: User, django_assert_num_queries: Any
) -> None:
    for number in range(21):
        prompt = make_prompt(agent.company, name=f"Assistente {number:02}")
        make_queue(agent.company, prompt=prompt)
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    with django_assert_num_queries(4):  # rows with queues, where used (2), the count
        page = client.get("/api/prompt/").json()
    assert (len(page["prompts"]), page["count"], page["hasMore"]) == (20, 21, True)
    second = client.get("/api/prompt/?pageNumber=2").json()
    assert [row["name"] for row in second["prompts"]] == ["Assistente 20"]


def test_without_the_plan_s_flag_nothing_is_written(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    prompt = make_prompt(admin.company)
    admin.company.plan.use_open_ai = False
    admin.company.plan.save()
    client = client_for(admin)
    path = f"/api/prompt/{prompt.pk}"
    body = {
        "name": "A",
        "prompt": "B",
        "queueId": queue.pk,
        "apiKey": KEY,
        "messages": [{"fromMe": False, "text": "Oi"}],
    }
    for answer in (
        make(client, queue),
        client.put(path, {"name": "Outra"}, format="json"),
        client.post("/api/prompt/test", body, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
        assert answer.json()["feature"] == "useOpenAi"
    # What is there can still be seen, and taken away.
    assert client.get(path).status_code == 200
    assert client.delete(path).status_code == 200


def test_a_deletion_is_audited_and_leaves_queues_connections_and_costs(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection
) -> None:
    prompt = make_prompt(admin.company, name="Atendente", queue=queue)
    for model in (Queue, Connection):
        model.objects.update(prompt=prompt)
    TokenUse.objects.create(company=admin.company, prompt=prompt, model="m", prompt_tokens=5)
    answer = client_for(admin).delete(f"/api/prompt/{prompt.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Prompt excluído."})
    assert not Prompt.objects.exists()
    queue.refresh_from_db()
    connection.refresh_from_db()
    assert (queue.prompt_id, connection.prompt_id) == (None, None)
    assert TokenUse.objects.get().prompt_tokens == 5
    entry = AuditEntry.objects.get(action="prompt.deleted")
    assert (entry.detail, entry.actor_id) == ({"name": "Atendente"}, admin.pk)


def test_the_company_is_told_without_keys(
    client_for: ClientFor, admin: User, queue: Queue, events: Events
) -> None:
    client = client_for(admin)
    made = make(client, queue).json()
    path = f"/api/prompt/{made['id']}"
    client.put(path, {"name": "Outra"}, format="json")
    shown = client.get(path).json()
    client.delete(path)
    told = [row for row in events if row["event"] == "prompt"]
    room = company_room(admin.company_id)
    assert {(row["company_id"], *row["rooms"]) for row in told} == {(admin.company_id, room)}
    created, updated, deleted = (row["payload"] for row in told)
    assert (created["action"], created["prompt"]["apiKey"]) == ("create", MASK)
    assert (updated["action"], updated["prompt"]["name"]) == ("update", "Outra")
    assert set(updated["prompt"]) == set(shown)
    assert deleted == {"action": "delete", "promptId": made["id"]}


def test_a_queue_that_goes_takes_its_prompts_along_and_tells(
    client_for: ClientFor, admin: User, queue: Queue, events: Events
) -> None:
    prompt = make_prompt(admin.company, queue=queue)
    assert client_for(admin).delete(f"/api/queue/{queue.pk}").status_code == 200
    assert not Prompt.objects.exists()
    told = [row["payload"] for row in events if row["event"] == "prompt"]
    assert told == [{"action": "delete", "promptId": prompt.pk}]


def test_usage_adds_up_the_month_by_prompt(
    client_for: ClientFor, admin: User, globex: Company, settings: Any
) -> None:
    settings.AI_DAILY_TOKENS = 5000
    prompt, foreign = make_prompt(admin.company), make_prompt(globex)
    for company, whose, asked, answered, age in (
        (admin.company, prompt, 100, 20, timedelta()),
        (admin.company, prompt, 50, 10, timedelta()),
        (admin.company, None, 7, 3, timedelta()),
        (admin.company, prompt, 1000, 1000, timedelta(days=40)),
        (globex, foreign, 9999, 9999, timedelta()),
    ):
        TokenUse.objects.create(
            company=company,
            prompt=whose,
            model="gpt",
            prompt_tokens=asked,
            completion_tokens=answered,
            created_at=timezone.now() - age,
        )
    usage = client_for(admin).get("/api/prompt/usage").json()
    rows = {row["promptId"]: row for row in usage["prompts"]}
    assert rows == {
        None: {
            "promptId": None,
            "answers": 1,
            "promptTokens": 7,
            "completionTokens": 3,
            "totalTokens": 10,
        },
        prompt.pk: {
            "promptId": prompt.pk,
            "answers": 2,
            "promptTokens": 150,
            "completionTokens": 30,
            "totalTokens": 180,
        },
    }
    assert (usage["answers"], usage["totalTokens"], usage["todayTokens"]) == (3, 190, 190)
    assert usage["dailyLimit"] == 5000


def test_month_and_day_begin_in_the_company_s_zone() -> None:
    zone = ZoneInfo("America/Sao_Paulo")
    late = NOW.replace(month=12, day=1, hour=2)  # 23:00 of November 30 there
    start, end = month_of(late, zone)
    assert (start.isoformat(), end.isoformat()) == (
        "2026-11-01T00:00:00-03:00",
        "2026-12-01T00:00:00-03:00",
    )
    assert day_of(late, zone).isoformat() == "2026-11-30T00:00:00-03:00"
