"""/whatsapp: shapes, rules of fields, the default, the plan, events and the audit log."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.common.encryption import MASK
from apps.common.media import store_media
from apps.companies.models import Company
from apps.connections import services
from apps.connections.models import Connection, ConnectionStatus, TemplateMedia
from apps.connections.tests.graph import Answer, GraphServer, fault
from apps.queues.models import Queue
from conftest import ClientFor
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("numbered")]

NEW = {
    "name": "Loja",
    "provider": "official",
    "phone_number_id": "100000000000777",
    "waba_id": "200000000000777",
    "accessToken": "EAAG-segredo",
}
Emitted = list[tuple[str, dict[str, Any], int]]


def make(client: Any, **changes: Any) -> Any:
    body = {key: value for key, value in {**NEW, **changes}.items() if value is not None}
    return client.post("/api/whatsapp", body, format="json")


def test_a_number_is_added_verified_and_shown_masked(
    client_for: ClientFor, admin: User, queue: Queue, numbered: GraphServer
) -> None:
    answer = make(
        client_for(admin),
        queueIds=[queue.pk],
        greetingMessage="Olá!",
        complationMessage="Até logo",
        outOfHoursMessage="Fechado",
        ratingMessage="Nota?",
        transferQueueId=queue.pk,
        timeToTransfer=5,
        textToTransfer="falar com gente",
        textToTransferQueueId=queue.pk,
        expiresTicket=30,
        expiresInactiveMessage="Encerrado",
        timeUseBotQueues=10,
        maxUseBotQueues=2,
    )
    assert answer.status_code == 201
    row = answer.json()
    shown = {key: row[key] for key in ("status", "number", "isDefault", "provider", "statusReason")}
    assert shown == {
        "status": "CONNECTED",
        "number": "5511988887777",
        "isDefault": True,
        "provider": "official",
        "statusReason": "",
    }
    assert row["qrcode"] == "phone_number_id=100000000000777&waba_id=200000000000777"
    assert (row["accessToken"], row["token"]) == (MASK, "")
    assert row["queues"] == [{"id": queue.pk, "name": queue.name, "color": queue.color}]
    assert (row["complationMessage"], row["timeToTransfer"], row["maxUseBotQueues"]) == (
        "Até logo",
        5,
        2,
    )
    assert (row["transferQueueId"], row["textToTransferQueueId"]) == (queue.pk, queue.pk)
    assert row["companyId"] == admin.company_id
    assert "EAAG-segredo" not in answer.content.decode()
    assert numbered.calls[0].headers["authorization"] == "Bearer EAAG-segredo"
    assert client_for(admin).get(f"/api/whatsapp/{row['id']}/").json() == row


def test_the_token_is_encrypted_at_rest(client_for: ClientFor, admin: User) -> None:
    make(client_for(admin))
    with database.cursor() as cursor:
        cursor.execute("SELECT access_token FROM connections_connection")
        assert "EAAG-segredo" not in cursor.fetchone()[0]


def test_the_ids_may_come_inside_qrcode(client_for: ClientFor, admin: User) -> None:
    row = make(
        client_for(admin),
        phone_number_id=None,
        waba_id=None,
        qrcode="phone_number_id=100000000000777&waba_id=200000000000777",
    ).json()
    assert (row["phone_number_id"], row["waba_id"]) == ("100000000000777", "200000000000777")


@pytest.mark.parametrize(
    "change",
    [
        {"phone_number_id": "100000000000888"},
        {"qrcode": "phone_number_id=100000000000888&waba_id=200000000000777"},
    ],
)
def test_either_form_may_change_when_the_whole_record_is_resent(
    client_for: ClientFor, admin: User, change: dict[str, str]
) -> None:
    client = client_for(admin)
    row = make(client).json()
    answer = client.put(f"/api/whatsapp/{row['id']}", {**row, **change}, format="json")
    assert answer.status_code == 200
    assert answer.json()["phone_number_id"] == "100000000000888"
    assert answer.json()["waba_id"] == "200000000000777"


@pytest.mark.parametrize("token", [MASK, "", None])
def test_the_mask_or_nothing_leaves_the_token(
    client_for: ClientFor, admin: User, token: str | None, numbered: GraphServer
) -> None:
    client = client_for(admin)
    row = make(client).json()
    answer = client.put(f"/api/whatsapp/{row['id']}", {**row, "accessToken": token}, format="json")
    assert answer.status_code == 200
    assert Connection.objects.get().access_token == "EAAG-segredo"
    assert len(numbered.calls) == 2  # the number and its account, once


def test_a_new_token_is_verified(client_for: ClientFor, admin: User, numbered: GraphServer) -> None:
    client = client_for(admin)
    pk = make(client).json()["id"]
    numbered.answers = [fault(190, status=401)]
    answer = client.put(f"/api/whatsapp/{pk}", {"accessToken": "outro"}, format="json")
    assert answer.status_code == 200
    assert answer.json()["status"] == "DISCONNECTED"
    assert answer.json()["statusReason"] == (
        "A Meta recusou o token de acesso. Informe um token válido na conexão."
    )


def test_another_number_takes_nothing_over_from_the_one_before(
    client_for: ClientFor, admin: User, numbered: GraphServer
) -> None:
    client = client_for(admin)
    pk = make(client).json()["id"]
    services.pause_sends(
        Connection.objects.get(), timezone.now() + timedelta(hours=1), "Muitos envios."
    )
    numbered.answers = [Answer(b"", status=500)]
    body = {"phone_number_id": "100000000000888"}
    row = client.put(f"/api/whatsapp/{pk}", body, format="json").json()
    assert (row["status"], row["number"], row["sendsPausedUntil"]) == ("OPENING", "", None)


def test_without_any_token_the_field_is_named(
    client_for: ClientFor, admin: User, settings: Any
) -> None:
    settings.META_ACCESS_TOKEN = ""
    answer = make(client_for(admin), accessToken=None)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["accessToken"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": None}, "name"),
        ({"name": "L"}, "name"),
        ({"name": "L" * 51}, "name"),
        ({"name": "  L  "}, "name"),
        ({"name": {"a": 1}}, "name"),
        ({"name": "Lo\x00ja"}, "name"),
        ({"provider": "twilio"}, "provider"),
        ({"phone_number_id": None}, "phone_number_id"),
        ({"phone_number_id": ""}, "phone_number_id"),
        ({"phone_number_id": "12345678901234"}, "phone_number_id"),
        ({"phone_number_id": "10000000000077x"}, "phone_number_id"),
        ({"phone_number_id": "١٢٣٤٥٦٧٨٩٠١٢٣٤٥"}, "phone_number_id"),
        ({"phone_number_id": "1" * 51}, "phone_number_id"),
        ({"phone_number_id": "100000000000777/../me"}, "phone_number_id"),
        ({"waba_id": None}, "waba_id"),
        ({"waba_id": "123"}, "waba_id"),
        ({"queueIds": "1"}, "queueIds"),
        ({"queueIds": [0]}, "queueIds.0"),
        ({"queueIds": [2**70]}, "queueIds.0"),
        ({"queueIds": [999999]}, "queueIds"),
        ({"transferQueueId": 999999}, "transferQueueId"),
        ({"textToTransferQueueId": 999999}, "textToTransferQueueId"),
        ({"integrationId": 999999}, "integrationId"),
        ({"promptId": 999999}, "promptId"),
        ({"transferQueueId": "x"}, "transferQueueId"),
        ({"timeToTransfer": -1}, "timeToTransfer"),
        ({"expiresTicket": 2**31}, "expiresTicket"),
        ({"maxUseBotQueues": "muitos"}, "maxUseBotQueues"),
        ({"botQuietSeconds": 31}, "botQuietSeconds"),
        ({"integrationSilenceMinutes": 0}, "integrationSilenceMinutes"),
        ({"integrationSilenceMinutes": 1441}, "integrationSilenceMinutes"),
        ({"menuSilenceMinutes": 0}, "menuSilenceMinutes"),
        ({"menuSilenceMinutes": 1441}, "menuSilenceMinutes"),
        ({"fallbackMessage": "x" * 4097}, "fallbackMessage"),
        ({"sendPauseSeconds": 301}, "sendPauseSeconds"),
        ({"sendJitterSeconds": -1}, "sendJitterSeconds"),
        ({"sendsPerSecond": 1001}, "sendsPerSecond"),
        ({"warmupContacts": 1001}, "warmupContacts"),
        ({"warmupGrowth": "mais"}, "warmupGrowth"),
        ({"warmupDays": 0}, "warmupDays"),
        ({"warmupDays": 91}, "warmupDays"),
        ({"greetingMessage": "x" * 4097}, "greetingMessage"),
        ({"textToTransfer": "x" * 201}, "textToTransfer"),
        ({"isDefault": "talvez"}, "isDefault"),
    ],
)
def test_a_broken_rule_names_its_field_and_stores_nothing(
    client_for: ClientFor,
    admin: User,
    numbered: GraphServer,
    change: dict[str, Any],
    field: str,
) -> None:
    answer = make(client_for(admin), **change)
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == [field]
    assert answer.json()["code"] == "ERR_VALIDATION"
    assert Connection.objects.count() == 0
    assert numbered.calls == []


@pytest.mark.parametrize("body", [[], "x", 5, None])
def test_a_body_that_is_no_record_is_refused(client_for: ClientFor, admin: User, body: Any) -> None:
    assert client_for(admin).post("/api/whatsapp", body, format="json").status_code == 400


def test_nothing_in_a_dialog_s_number_fields_is_zero(client_for: ClientFor, admin: User) -> None:
    answer = make(client_for(admin), timeToTransfer="", transferQueueId="", promptId="")
    assert answer.status_code == 201
    assert (answer.json()["timeToTransfer"], answer.json()["transferQueueId"]) == (0, None)


def test_a_new_connection_leaves_nobody_alone(client_for: ClientFor, admin: User) -> None:
    row = make(client_for(admin), fallbackMessage="  ").json()
    shown = (
        "botQuietSeconds",
        "integrationSilenceMinutes",
        "menuSilenceMinutes",
        "fallbackMessage",
    )
    assert [row[key] for key in shown[:3]] == [3, 10, 10]
    assert row["fallbackMessage"] == "Vou chamar alguém da equipe. Um momento, por favor."
    changed = client_for(admin).put(
        f"/api/whatsapp/{row['id']}",
        {
            "botQuietSeconds": 0,
            "integrationSilenceMinutes": 30,
            "menuSilenceMinutes": 5,
            "fallbackMessage": "Já vamos.",
        },
        format="json",
    )
    assert [changed.json()[key] for key in shown] == [0, 30, 5, "Já vamos."]


def test_a_new_connection_sends_with_care(client_for: ClientFor, admin: User) -> None:
    row = make(client_for(admin)).json()
    pace = ("sendPauseSeconds", "sendJitterSeconds", "sendsPerSecond")
    assert [row[key] for key in pace] == [1, 2, 80]
    assert [row[key] for key in ("warmupContacts", "warmupGrowth", "warmupDays")] == [30, 20, 14]


def test_a_new_connection_joins_the_bots_texts_and_an_older_browser_changes_nothing(
    client_for: ClientFor, admin: User
) -> None:
    client = client_for(admin)
    row = make(client).json()
    assert row["joinBotTexts"] is True
    path = f"/api/whatsapp/{row['id']}"

    def put(**body: Any) -> Any:
        return client.put(path, {"name": row["name"], **body}, format="json")

    assert put(joinBotTexts=False).json()["joinBotTexts"] is False
    assert put(greetingMessage="Olá!").json()["joinBotTexts"] is False
    assert put(joinBotTexts=True).json()["joinBotTexts"] is True
    assert put(greetingMessage="Oi!").json()["joinBotTexts"] is True
    refused = put(joinBotTexts="talvez")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["joinBotTexts"])
    assert (
        make(client, name="Outra", provider="beta", joinBotTexts=False).json()["joinBotTexts"]
        is False
    )


def test_ids_of_another_company_do_not_exist_here(
    client_for: ClientFor, admin: User, globex: Company
) -> None:
    theirs = factories.make_queue(globex)
    prompts = apps.get_model("automation", "Prompt")._default_manager
    prompt = prompts.create(company=globex, queue=theirs, name="P", prompt="x")
    for change in (
        {"queueIds": [theirs.pk]},
        {"transferQueueId": theirs.pk},
        {"textToTransferQueueId": theirs.pk},
        {"promptId": prompt.pk},
    ):
        answer = make(client_for(admin), **change)
        assert (answer.status_code, list(answer.json()["fields"])) == (400, list(change))


def test_a_name_is_unique_in_its_company(
    client_for: ClientFor, admin: User, outsider: User
) -> None:
    make(client_for(admin))
    again = make(client_for(admin), phone_number_id="100000000000888")
    assert (again.status_code, list(again.json()["fields"])) == (400, ["name"])
    assert make(client_for(outsider), phone_number_id="100000000000888").status_code == 201


def test_several_queues_need_a_greeting(client_for: ClientFor, admin: User, queue: Queue) -> None:
    second = factories.make_queue(admin.company)
    both = [queue.pk, second.pk]
    answer = make(client_for(admin), queueIds=both, greetingMessage="  ")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_WAPP_GREETING_REQUIRED")
    assert list(answer.json()["fields"]) == ["greetingMessage"]
    assert Connection.objects.count() == 0
    row = make(client_for(admin), queueIds=both, greetingMessage="Olá").json()
    assert {entry["id"] for entry in row["queues"]} == set(both)
    emptied = client_for(admin).put(
        f"/api/whatsapp/{row['id']}", {"greetingMessage": ""}, format="json"
    )
    assert emptied.json()["code"] == "ERR_WAPP_GREETING_REQUIRED"
    assert Connection.objects.get().greeting_message == "Olá"


def test_the_plan_limits_the_connections(client_for: ClientFor, admin: User) -> None:
    admin.company.plan.connections = 1
    admin.company.plan.save()
    assert make(client_for(admin)).status_code == 201
    answer = make(client_for(admin), name="Outra", phone_number_id="100000000000888")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_LIMIT")
    assert Connection.objects.count() == 1


def defaults_of(company: Company) -> list[str]:
    rows = Connection.objects.for_company(company).filter(is_default=True)
    return list(rows.values_list("name", flat=True))


def test_there_is_always_exactly_one_default(
    client_for: ClientFor, admin: User, emitted: Emitted
) -> None:
    client = client_for(admin)
    first = make(client, isDefault=False).json()
    assert first["isDefault"]
    second = make(client, name="Filial", phone_number_id="100000000000888").json()
    assert not second["isDefault"]
    refused = client.put(f"/api/whatsapp/{first['id']}", {"isDefault": False}, format="json")
    assert (refused.status_code, refused.json()["error"]) == (400, "ERR_NO_OTHER_WHATSAPP")
    assert defaults_of(admin.company) == ["Loja"]
    emitted.clear()
    moved = client.put(f"/api/whatsapp/{second['id']}", {"isDefault": True}, format="json")
    assert moved.json()["isDefault"]
    assert defaults_of(admin.company) == ["Filial"]
    told = [
        (payload["whatsapp"]["name"], payload["whatsapp"]["isDefault"]) for _, payload, _ in emitted
    ]
    assert told == [("Loja", False), ("Filial", True)]
    third = make(client, name="Quiosque", phone_number_id="100000000000999", isDefault=True)
    assert third.status_code == 201
    assert defaults_of(admin.company) == ["Quiosque"]


def test_the_default_goes_last(client_for: ClientFor, admin: User) -> None:
    client = client_for(admin)
    first = make(client).json()["id"]
    second = make(client, name="Filial", phone_number_id="100000000000888").json()["id"]
    refused = client.delete(f"/api/whatsapp/{first}")
    assert (refused.status_code, refused.json()["code"]) == (400, "ERR_NO_OTHER_WHATSAPP")
    assert client.delete(f"/api/whatsapp/{second}").json() == {"message": "Conexão excluída."}
    assert client.delete(f"/api/whatsapp/{first}/").status_code == 200
    assert Connection.objects.count() == 0


def test_a_deletion_calls_the_hook_keeps_messages_and_is_told(
    client_for: ClientFor, admin: User, connection: Connection, emitted: Emitted
) -> None:
    ticket = factories.make_ticket(admin.company, connection=connection)
    message = factories.make_message(ticket)
    left: list[int] = []

    def leave(connection: Connection) -> None:
        left.append(connection.pk)

    services.connection_removal.register(leave)
    try:
        client_for(admin).delete(f"/api/whatsapp/{connection.pk}")
    finally:
        services.connection_removal._functions.remove(leave)
    message.refresh_from_db()
    assert left == [connection.pk]
    assert message.connection_id is None
    assert (
        "whatsapp",
        {"action": "delete", "whatsappId": connection.pk},
        admin.company_id,
    ) in emitted
    entry = AuditEntry.objects.get(action="connection.deleted")
    assert (entry.actor_id, entry.object_id) == (admin.pk, str(connection.pk))


def test_header_files_go_with_their_connection(
    client_for: ClientFor,
    admin: User,
    connection: Connection,
    settings: Any,
    tmp_path: Path,
    django_capture_on_commit_callbacks: Any,
) -> None:
    settings.MEDIA_ROOT = tmp_path
    file = store_media(
        company_id=admin.company_id, content=b"%PDF-1", name="a.pdf", mime="application/pdf"
    )
    TemplateMedia.objects.create(
        company=admin.company,
        connection=connection,
        media_id="1",
        path=file.path,
        name=file.name,
        mime=file.mime,
        size=file.size,
    )
    with django_capture_on_commit_callbacks(execute=True):
        client_for(admin).delete(f"/api/whatsapp/{connection.pk}")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_provider_can_not_be_changed(
    client_for: ClientFor, admin: User, connection: Connection
) -> None:
    answer = client_for(admin).put(
        f"/api/whatsapp/{connection.pk}", {"provider": "beta"}, format="json"
    )
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["provider"])


def test_a_partial_change_leaves_the_rest(
    client_for: ClientFor, admin: User, connection: Connection, numbered: GraphServer
) -> None:
    answer = client_for(admin).put(
        f"/api/whatsapp/{connection.pk}", {"name": "Matriz"}, format="json"
    )
    connection.refresh_from_db()
    assert answer.json()["name"] == connection.name == "Matriz"
    assert connection.queues.count() == 1
    assert connection.status == ConnectionStatus.CONNECTED
    assert numbered.calls == []


def test_an_unreachable_provider_does_not_stop_the_saving(
    client_for: ClientFor, admin: User, numbered: GraphServer
) -> None:
    numbered.answers = [Answer(b"", status=503)]
    answer = make(client_for(admin))
    assert answer.status_code == 201
    assert answer.json()["status"] == "OPENING"
    assert answer.json()["statusReason"] == "O serviço da Meta está indisponível no momento."


def test_a_save_is_told_to_the_company_and_audited_without_secrets(
    client_for: ClientFor, admin: User, emitted: Emitted
) -> None:
    row = make(client_for(admin)).json()
    assert {company for _, _, company in emitted} == {admin.company_id}
    assert [event for event, _, _ in emitted] == ["whatsapp", "whatsapp", "whatsappSession"]
    assert emitted[-1][1] == {"action": "update", "session": row}
    assert emitted[-2][1] == {"action": "update", "whatsapp": row}
    assert "EAAG-segredo" not in str(emitted)
    client_for(admin).put(f"/api/whatsapp/{row['id']}", {"accessToken": "novo"}, format="json")
    entries = AuditEntry.objects.filter(object_type="connection").order_by("pk")
    assert [entry.action for entry in entries] == ["connection.created", "connection.updated"]
    assert entries[1].detail == {"fields": ["access_token"], "verifies": True}
    assert not any("segredo" in str(entry.detail) for entry in entries)


def test_the_list_is_a_bare_array_of_the_own_company(
    client_for: ClientFor, agent: User, connection: Connection, globex: Company
) -> None:
    factories.make_connection(globex)
    for path in ("/api/whatsapp/?session=0", "/api/whatsapp", "/api/whatsapp?companyId=999"):
        answer = client_for(agent).get(path)
        assert [row["id"] for row in answer.json()] == [connection.pk]


def test_the_list_takes_two_queries_whatever_its_length(
    client_for: ClientFor, agent: User, queue: Queue, django_assert_num_queries: Any
) -> None:
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    for _ in range(5):
        factories.make_connection(agent.company, queues=[queue])
    with django_assert_num_queries(2):
        assert len(client.get("/api/whatsapp/").json()) == 5


@pytest.mark.parametrize("pk", [0, 2**70])
def test_an_id_beyond_reach_is_a_404(client_for: ClientFor, admin: User, pk: int) -> None:
    answer = client_for(admin).get(f"/api/whatsapp/{pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_WAPP_FOUND")


def test_roles(client_for: ClientFor, agent: User, outsider: User, connection: Connection) -> None:
    path, session = f"/api/whatsapp/{connection.pk}", f"/api/whatsappsession/{connection.pk}"
    assert client_for(agent).get(path).status_code == 200
    assert client_for(None).get(path).status_code == 401
    for method in ("put", "delete"):
        assert getattr(client_for(agent), method)(path).status_code == 403
        assert getattr(client_for(outsider), method)(path).status_code == 404
    for method in ("post", "put", "delete"):
        assert getattr(client_for(agent), method)(session).status_code == 403
        assert getattr(client_for(outsider), method)(session).status_code == 404
    assert client_for(outsider).get(path).status_code == 404
    assert client_for(agent).post("/api/whatsapp", NEW, format="json").status_code == 403
    assert Connection.objects.get().status == ConnectionStatus.CONNECTED
