"""/queueIntegration: shapes, what each type asks for, secrets, the plan, events and audit."""

from typing import Any

import pytest
from django.db import connection as database

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.automation.models import IntegrationCall, QueueIntegration
from apps.automation.tests.service_account import service_account
from apps.common.encryption import MASK
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.queues.services.queues import delete_queue
from apps.realtime.rooms import company_room
from conftest import ClientFor
from tests.factories import make_integration, make_queue

pytestmark = pytest.mark.django_db
Events = list[dict[str, Any]]
URL = "https://fluxos.example.com/webhook/1"
KEY = service_account(project_id="loja-123")
BODIES: dict[str, dict[str, Any]] = {
    "dialogflow": {"projectName": "loja-123", "jsonContent": KEY, "language": "pt-BR"},
    "n8n": {"urlN8N": URL},
    "webhook": {"urlN8N": URL},
    "webhook_official": {"urlN8N": URL},
    "typebot": {"urlN8N": "https://typebot.example.com", "typebotSlug": "atendimento"},
    "asaas": {},
}


def make(client: Any, kind: str, **changes: Any) -> Any:
    body = {"type": kind, "name": "Robô", **BODIES[kind], **changes}
    return client.post("/api/queueIntegration", body, format="json")


@pytest.mark.parametrize("kind", BODIES)
def test_each_type_is_made_and_read_with_its_secrets_masked(
    client_for: ClientFor, admin: User, agent: User, kind: str
) -> None:
    answer = make(client_for(admin), kind)
    assert answer.status_code == 201, answer.content
    made = answer.json()
    signed = kind in ("n8n", "webhook", "webhook_official")
    expected = {
        "id": made["id"],
        "type": kind,
        "name": "Robô",
        "projectName": {"dialogflow": "loja-123", "asaas": ""}.get(kind, "Robô"),
        "jsonContent": MASK if kind == "dialogflow" else "",
        "language": "pt-BR" if kind == "dialogflow" else "",
        "urlN8N": BODIES[kind].get("urlN8N", ""),
        "typebotSlug": BODIES[kind].get("typebotSlug", ""),
        "typebotExpires": 1,
        "typebotDelayMessage": 1000,
        "typebotKeywordFinish": "",
        "typebotKeywordRestart": "",
        "typebotRestartMessage": "",
        "typebotUnknownMessage": "",
        "queueId": None,
        "signingSecret": MASK if signed else "",
        "usedBy": {"queues": [], "connections": []},
        "lastDelivery": None,
        "companyId": admin.company_id,
        "createdAt": made["createdAt"],
        "updatedAt": made["updatedAt"],
    }
    secret = QueueIntegration.objects.get().signing_secret
    assert made == {**expected, "signingSecret": secret}
    assert (len(secret) >= 32) == signed
    client = client_for(agent)
    assert client.get(f"/api/queueIntegration/{made['id']}/").json() == expected
    page = client.get("/api/queueIntegration/").json()
    assert page == {"queueIntegrations": [expected], "count": 1, "hasMore": False}


def test_it_may_have_a_queue_of_the_company_for_whom_it_leads_to_none(
    client_for: ClientFor, globex: Company, admin: User, queue: Queue
) -> None:
    client = client_for(admin)
    made = make(client, "webhook", queueId=queue.pk).json()
    assert made["queueId"] == queue.pk
    url = f"/api/queueIntegration/{made['id']}"
    kept = client.put(url, {"type": "webhook", "name": "Novo nome"}, format="json").json()
    assert kept["queueId"] == queue.pk
    foreign = client.put(url, {"queueId": make_queue(globex).pk}, format="json")
    assert (foreign.status_code, list(foreign.json()["fields"])) == (400, ["queueId"])
    assert client.get(url).json()["queueId"] == queue.pk
    for nothing in (None, ""):
        assert client.put(url, {"queueId": nothing}, format="json").json()["queueId"] is None
    client.put(url, {"queueId": queue.pk}, format="json")
    delete_queue(actor=admin, queue_id=queue.pk)
    assert client.get(url).json()["queueId"] is None


def test_secrets_are_encrypted_at_rest(client_for: ClientFor, admin: User) -> None:
    make(client_for(admin), "dialogflow")
    make(client_for(admin), "webhook")
    with database.cursor() as cursor:
        cursor.execute("select json_content, signing_secret from automation_queueintegration")
        stored = cursor.fetchall()
    secrets = [row.signing_secret for row in QueueIntegration.objects.exclude(signing_secret="")]
    assert len(secrets) == 1
    assert not [row for row in stored if "segredo" in str(row) or secrets[0] in str(row)]


@pytest.mark.parametrize("sent", [MASK, "", None])
def test_the_mask_or_nothing_leaves_the_key(
    client_for: ClientFor, admin: User, sent: str | None
) -> None:
    client = client_for(admin)
    made = make(client, "dialogflow").json()
    # A dialog resends the whole record.
    answer = client.put(
        f"/api/queueIntegration/{made['id']}",
        {**made, "name": "Outro", "jsonContent": sent},
        format="json",
    )
    assert (answer.status_code, answer.json()["jsonContent"]) == (200, MASK)
    stored = QueueIntegration.objects.get()
    assert (stored.json_content, stored.name) == (KEY, "Outro")


@pytest.mark.parametrize(
    ("key", "reason", "detail"),
    [
        ("{", "account_unreadable", ""),
        ('{"type": "authorized_user"}', "account_type", ""),
        ('{"type": "service_account"}', "account_lacks", "client_email"),
        (service_account(private_key="x"), "account_key", ""),
        (service_account(token_uri=URL), "account_token_uri", ""),
    ],
    # Each process that shares the tests makes a key of its own.
    ids=["unreadable", "type", "lacks", "key", "token-uri"],
)
def test_what_is_wrong_with_a_key_has_a_name(
    client_for: ClientFor, admin: User, key: str, reason: str, detail: str
) -> None:
    refusal = make(client_for(admin), "dialogflow", jsonContent=key).json()
    assert (refusal["reasonCode"], refusal["reasonDetail"]) == (reason, detail)


@pytest.mark.parametrize(
    ("kind", "changes", "fields"),
    [
        ("n8n", {"urlN8N": ""}, ["urlN8N"]),
        ("webhook", {"urlN8N": None}, ["urlN8N"]),
        ("webhook_official", {"urlN8N": ""}, ["urlN8N"]),
        ("typebot", {"urlN8N": "", "typebotSlug": " "}, ["typebotSlug", "urlN8N"]),
        ("webhook", {"urlN8N": "fluxo"}, ["urlN8N"]),
        ("webhook", {"urlN8N": "ftp://example.com/x"}, ["urlN8N"]),
        ("webhook", {"urlN8N": "javascript:alert(1)"}, ["urlN8N"]),
        ("dialogflow", {"projectName": "", "jsonContent": ""}, ["jsonContent", "projectName"]),
        ("dialogflow", {"jsonContent": MASK}, ["jsonContent"]),
        ("dialogflow", {"jsonContent": "{"}, ["jsonContent"]),
        ("dialogflow", {"jsonContent": "[" * 9000}, ["jsonContent"]),
        ("dialogflow", {"jsonContent": '{"type": "authorized_user"}'}, ["jsonContent"]),
        ("dialogflow", {"jsonContent": '{"type": "service_account"}'}, ["jsonContent"]),
        ("dialogflow", {"jsonContent": service_account(private_key="x")}, ["jsonContent"]),
        ("dialogflow", {"jsonContent": service_account(token_uri=URL)}, ["jsonContent"]),
        ("dialogflow", {"language": "fr"}, ["language"]),
        ("typebot", {"typebotExpires": -1}, ["typebotExpires"]),
        ("typebot", {"typebotDelayMessage": 60_001}, ["typebotDelayMessage"]),
        ("webhook", {"name": "x"}, ["name"]),
        ("webhook", {"name": "x" * 51}, ["name"]),
        ("webhook", {"type": "zapier"}, ["type"]),
    ],
)
def test_a_broken_rule_names_its_field_and_stores_nothing(
    client_for: ClientFor, admin: User, kind: str, changes: dict[str, Any], fields: list[str]
) -> None:
    answer = make(client_for(admin), kind, **changes)
    assert (answer.status_code, sorted(answer.json()["fields"])) == (400, fields)
    assert not QueueIntegration.objects.exists()


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "LOCALHOST.", "bot.localhost", "127.0.0.1:5678", "127.1", "2130706433"),
        *("0x7f000001", "10.0.0.8", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]", "0"),
    ],
)
def test_an_address_inside_the_network_is_refused_in_words(
    client_for: ClientFor, admin: User, settings: Any, host: str
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []
    answer = make(client_for(admin), "webhook", urlN8N=f"http://{host}/fluxo")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["urlN8N"])
    assert not QueueIntegration.objects.exists()


def test_the_refusal_says_what_to_do(client_for: ClientFor, admin: User, settings: Any) -> None:
    settings.ALLOW_PRIVATE_TARGETS = []
    body = make(client_for(admin), "webhook", urlN8N="http://10.0.0.8/fluxo").json()
    assert body["code"] == "ERR_TARGET_FORBIDDEN"
    assert body["fields"]["urlN8N"] == [body["message"]]
    assert "público" in body["message"]


@pytest.mark.parametrize("allowed", ["10.0.0.0/8", "*", "10.0.0.8"])
def test_the_operator_may_allow_it(
    client_for: ClientFor, admin: User, settings: Any, allowed: str
) -> None:
    settings.ALLOW_PRIVATE_TARGETS = [allowed]
    answer = make(client_for(admin), "webhook", urlN8N="http://10.0.0.8/fluxo")
    assert answer.status_code == 201


def test_the_defaults_of_a_typebot_stand_for_what_older_dialogs_leave_empty(
    client_for: ClientFor, admin: User
) -> None:
    row = make(client_for(admin), "typebot", typebotExpires="", typebotDelayMessage=None).json()
    assert (row["typebotExpires"], row["typebotDelayMessage"]) == (1, 1000)
    never = make(client_for(admin), "typebot", typebotExpires=0).json()
    assert never["typebotExpires"] == 0


def test_a_change_of_type_is_judged_over_the_whole_record(
    client_for: ClientFor, admin: User
) -> None:
    client = client_for(admin)
    made = make(client, "webhook").json()
    path = f"/api/queueIntegration/{made['id']}"
    refused = client.put(path, {"type": "typebot"}, format="json")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["typebotSlug"])
    changed = client.put(path, {"type": "typebot", "typebotSlug": "loja"}, format="json")
    assert (changed.status_code, changed.json()["urlN8N"]) == (200, URL)


def test_a_type_that_begins_to_sign_shows_its_secret_once(
    client_for: ClientFor, admin: User
) -> None:
    client = client_for(admin)
    made = make(client, "typebot").json()
    path = f"/api/queueIntegration/{made['id']}"
    first = client.put(path, {"type": "n8n"}, format="json").json()["signingSecret"]
    assert first == QueueIntegration.objects.get().signing_secret != ""
    again = client.put(path, {"name": "Outro"}, format="json").json()
    assert (again["signingSecret"], again["projectName"]) == (MASK, "Outro")


def test_a_new_secret_takes_the_place_of_the_old_and_is_audited(
    client_for: ClientFor, admin: User
) -> None:
    client = client_for(admin)
    made = make(client, "webhook").json()
    answer = client.post(f"/api/queueIntegration/{made['id']}/secret")
    assert answer.status_code == 200
    secret = answer.json()["signingSecret"]
    assert secret == QueueIntegration.objects.get().signing_secret != made["signingSecret"]
    entry = AuditEntry.objects.get(action="integration.secret_rotated")
    assert (entry.actor_id, entry.object_id) == (admin.pk, str(made["id"]))
    assert secret not in str(entry.detail)


def test_what_is_not_signed_has_no_secret(client_for: ClientFor, admin: User) -> None:
    client = client_for(admin)
    made = make(client, "asaas").json()
    answer = client.post(f"/api/queueIntegration/{made['id']}/secret")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_INTEGRATION_NOT_SIGNED")


@pytest.mark.every_case
@pytest.mark.parametrize("text", ["RECEPCAO", "typebot", "bot.example"])
def test_search_looks_into_name_type_and_address(
    client_for: ClientFor, acme: Company, agent: User, text: str
) -> None:
    make_integration(acme, name="Recepção", type="typebot", url="https://bot.example.com")
    make_integration(acme, name="Cobrança", type="webhook")
    answer = client_for(agent).get("/api/queueIntegration", {"searchParam": text}).json()
    assert [row["name"] for row in answer["queueIntegrations"]] == ["Recepção"]


def test_rows_say_where_they_are_used_and_how_the_last_call_went(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue, connection: Connection
) -> None:
    integration = make_integration(acme)
    for model in (Queue, Connection):
        model.objects.update(integration=integration)
    for code, error in ((200, ""), (500, "Não respondeu como devia.")):
        IntegrationCall.objects.create(
            company=acme,
            integration=integration,
            event_id="0" * 32,
            event="message",
            url=integration.url,
            status_code=code,
            error=error,
            reason_code="server_error",
            reason_detail="example.com (500)",
        )
    row = client_for(agent).get(f"/api/queueIntegration/{integration.pk}").json()
    assert row["usedBy"] == {
        "queues": [{"id": queue.pk, "name": "Vendas"}],
        "connections": [{"id": connection.pk, "name": "Loja"}],
    }
    last = row["lastDelivery"]
    assert (last["ok"], last["statusCode"]) == (False, 500)
    assert last["error"] == "Não respondeu como devia."
    assert (last["reasonCode"], last["reasonDetail"]) == ("server_error", "example.com (500)")


def test_pages_have_twenty_rows_in_a_fixed_number_of_queries(
    client_for: ClientFor, agent: User, django_assert_num_queries: Any
) -> None:
    for number in range(21):
        integration = make_integration(agent.company, name=f"Robô {number:02}")
        make_queue(agent.company, integration=integration)
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    with django_assert_num_queries(5):  # rows, queues, connections, last calls, the count
        page = client.get("/api/queueIntegration/").json()
    assert (len(page["queueIntegrations"]), page["count"], page["hasMore"]) == (20, 21, True)
    second = client.get("/api/queueIntegration/?pageNumber=2").json()
    assert [row["name"] for row in second["queueIntegrations"]] == ["Robô 20"]


def test_without_the_plan_s_flag_nothing_is_written(client_for: ClientFor, admin: User) -> None:
    integration = make_integration(admin.company)
    admin.company.plan.use_integrations = False
    admin.company.plan.save()
    client = client_for(admin)
    path = f"/api/queueIntegration/{integration.pk}"
    for answer in (
        make(client, "webhook"),
        client.put(path, {"name": "Outro"}, format="json"),
        client.post(f"{path}/secret"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
        assert answer.json()["feature"] == "useIntegrations"
    # What is there can still be seen, and taken away.
    assert client.get(path).status_code == 200
    assert client.delete(path).status_code == 200


def test_a_deletion_is_audited_and_leaves_queues_and_connections(
    client_for: ClientFor, admin: User, queue: Queue, connection: Connection
) -> None:
    integration = make_integration(admin.company, name="Robô")
    for model in (Queue, Connection):
        model.objects.update(integration=integration)
    answer = client_for(admin).delete(f"/api/queueIntegration/{integration.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Integração excluída."})
    assert not QueueIntegration.objects.exists()
    queue.refresh_from_db()
    connection.refresh_from_db()
    assert (queue.integration_id, connection.integration_id) == (None, None)
    entry = AuditEntry.objects.get(action="integration.deleted")
    assert entry.detail == {"name": "Robô", "type": "webhook"}


def test_the_company_is_told_without_secrets(
    client_for: ClientFor, admin: User, events: Events
) -> None:
    client = client_for(admin)
    made = make(client, "webhook").json()
    path = f"/api/queueIntegration/{made['id']}"
    client.put(path, {"name": "Outro"}, format="json")
    shown = client.get(path).json()
    client.delete(path)
    told = [row for row in events if row["event"] == "queueIntegration"]
    room = company_room(admin.company_id)
    assert {(row["company_id"], *row["rooms"]) for row in told} == {(admin.company_id, room)}
    created, updated, deleted = (row["payload"] for row in told)
    assert (created["action"], created["queueIntegration"]["signingSecret"]) == ("create", MASK)
    assert (updated["action"], updated["queueIntegration"]["name"]) == ("update", "Outro")
    assert set(updated["queueIntegration"]) == set(shown)
    assert deleted == {"action": "delete", "integrationId": made["id"]}


SECRET_URL = "https://ana:segredo@fluxos.example.com/webhook/1"
SHOWN_URL = f"https://ana:{MASK}@fluxos.example.com/webhook/1"


def test_the_password_of_an_address_is_masked_wherever_it_is_told(
    client_for: ClientFor, admin: User, agent: User, events: Events
) -> None:
    made = make(client_for(admin), "n8n", urlN8N=SECRET_URL).json()
    path = f"/api/queueIntegration/{made['id']}"
    assert made["urlN8N"] == SHOWN_URL
    assert client_for(agent).get(path).json()["urlN8N"] == SHOWN_URL
    assert events and "segredo" not in str(events)
    found = client_for(agent).get("/api/queueIntegration?searchParam=segredo").json()
    assert found["count"] == 0

    moved = f"https://ana:{MASK}@FLUXOS.example.com/webhook/2"
    answer = client_for(admin).put(path, {"urlN8N": moved}, format="json")
    assert answer.status_code == 200, answer.content
    kept = QueueIntegration.objects.get().url
    assert kept == "https://ana:segredo@fluxos.example.com/webhook/2"
    stored = stored_address()
    assert stored
    assert "fluxos" not in stored


def stored_address() -> str:
    with database.cursor() as cursor:
        cursor.execute("select url from automation_queueintegration")
        ((stored,),) = cursor.fetchall()
    return str(stored)


@pytest.mark.parametrize(
    "url",
    [
        f"https://ana:{MASK}@evil.example.com/webhook/1",
        f"http://ana:{MASK}@fluxos.example.com/webhook/1",
        f"https://bia:{MASK}@fluxos.example.com/webhook/1",
        f"https://ana:{MASK}@fluxos.example.com:8443/webhook/1",
    ],
)
def test_a_masked_password_goes_to_no_other_place(
    client_for: ClientFor, admin: User, url: str
) -> None:
    client = client_for(admin)
    made = make(client, "n8n", urlN8N=SECRET_URL).json()
    answers = [
        client.put(f"/api/queueIntegration/{made['id']}", {"urlN8N": url}, format="json"),
        client.post(
            "/api/queueIntegration/testSession",
            {"integrationId": made["id"], "urlN8N": url},
            format="json",
        ),
        make(client, "n8n", urlN8N=url),
    ]
    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert all(list(answer.json()["fields"]) == ["urlN8N"] for answer in answers)
    assert QueueIntegration.objects.get().url == SECRET_URL
