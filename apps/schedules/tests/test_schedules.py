from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.contacts.models import Contact
from apps.contacts.services import delete_contact, merge_contacts
from apps.queues.models import Queue
from apps.schedules.models import Schedule
from apps.schedules.tests.conftest import later
from conftest import ClientFor
from tests.events import Told
from tests.factories import make_contact, make_message, make_schedule, make_ticket

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 100


@pytest.fixture
def body(contact: Contact) -> dict[str, Any]:
    return {
        "body": "Bom dia, {{firstName}}!",
        "contactId": contact.pk,
        "sendAt": later(hours=1).isoformat(),
    }


def upload(client: Any, schedule: Schedule, name: str = "foto.png", content: bytes = PNG) -> Any:
    file = BytesIO(content)
    file.name = name
    return client.post(
        f"/api/schedules/{schedule.pk}/media-upload", {"file": file}, format="multipart"
    )


def test_creating_answers_the_whole_row(
    client_for: ClientFor, agent: User, contact: Contact, body: dict[str, Any], told: list[Told]
) -> None:
    answer = client_for(agent).post("/api/schedules", body, "json")
    assert answer.status_code == 201
    row = answer.json()
    assert row["body"] == "Bom dia, {{firstName}}!"
    assert row["contactId"] == contact.pk
    assert row["contact"] == {
        "id": contact.pk,
        "name": "Maria Souza",
        "number": "5511984321107",
        "profilePicUrl": "",
    }
    assert (row["userId"], row["user"]) == (agent.pk, {"id": agent.pk, "name": "Bob"})
    assert (row["status"], row["sentAt"], row["errorReason"]) == ("PENDENTE", None, "")
    assert (row["mediaPath"], row["mediaName"], row["companyId"]) == (
        None,
        None,
        agent.company_id,
    )
    assert datetime.fromisoformat(row["sendAt"]) == datetime.fromisoformat(body["sendAt"])
    assert client_for(agent).get(f"/api/schedules/{row['id']}/").json() == row
    assert [each.event for each in told] == [
        "schedule",
        f"company{agent.company_id}-schedule",
    ]
    assert told[0].payload["action"] == "create"
    assert told[0].payload["schedule"]["id"] == row["id"]
    assert told[0].company_id == agent.company_id


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("body", None, "Obrigatório"),
        ("body", "", "Obrigatório"),
        ("body", "Oi", "Mensagem muito curta"),
        ("body", "a" * 4097, "A mensagem pode ter no máximo 4096 caracteres."),
        ("contactId", None, "Obrigatório"),
        ("contactId", "x", "Id inválido."),
        ("contactId", 999_999_999, "Contato não encontrado."),
        ("sendAt", None, "Obrigatório"),
        ("sendAt", "amanhã", "Informe a data e a hora do envio."),
        ("sendAt", "0001-01-01T00:00+14:00", "Informe a data e a hora do envio."),
        ("ticketId", 999_999_999, "Atendimento não encontrado."),
    ],
)
def test_a_wrong_field_is_named_in_words(
    client_for: ClientFor, agent: User, body: dict[str, Any], field: str, value: Any, words: str
) -> None:
    answer = client_for(agent).post("/api/schedules", {**body, field: value}, "json")
    assert (answer.status_code, answer.json()["fields"]) == (400, {field: [words]})


def test_the_ticket_is_one_of_the_contact_s_that_the_caller_may_read(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    queue: Queue,
    contact: Contact,
    body: dict[str, Any],
) -> None:
    client = client_for(agent)
    own = make_ticket(acme, contact=contact, queue=queue)
    stranger = make_ticket(acme, queue=queue)
    elsewhere = make_ticket(acme, contact=contact, status="closed")
    for ticket in (stranger, elsewhere):
        answer = client.post("/api/schedules", {**body, "ticketId": ticket.pk}, "json")
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["ticketId"])
    row = client.post("/api/schedules", {**body, "ticketId": own.pk}, "json").json()
    assert row["ticketId"] == own.pk
    moved = client.put(f"/api/schedules/{row['id']}", {"contactId": stranger.contact_id}, "json")
    assert (moved.json()["contactId"], moved.json()["ticketId"]) == (stranger.contact_id, None)


@pytest.mark.parametrize("name", ["dateStart", "dateEnd"])
@pytest.mark.parametrize(
    "moment", ["0001-01-01", "9999-12-31", "0001-01-01T00:00:00", "9999-12-31T23:59:59"]
)
def test_the_edges_of_time_narrow_without_a_fault(
    client_for: ClientFor, agent: User, name: str, moment: str
) -> None:
    for zone in ("", "Z", "-14:00", "+14:00"):
        answer = client_for(agent).get("/api/schedules/", {name: moment + zone})
        assert answer.status_code in (200, 400), (zone, answer.content)


@pytest.mark.parametrize("field", ["body", "contactId", "sendAt"])
def test_a_missing_field_is_required(
    client_for: ClientFor, agent: User, body: dict[str, Any], field: str
) -> None:
    del body[field]
    answer = client_for(agent).post("/api/schedules", body, "json")
    assert (answer.status_code, answer.json()["fields"]) == (400, {field: ["Obrigatório"]})


def test_a_contact_without_a_number_can_not_be_written_to(
    client_for: ClientFor, acme: Company, agent: User, body: dict[str, Any]
) -> None:
    nobody = make_contact(acme, number="", canonical_number="none:1")
    answer = client_for(agent).post("/api/schedules", {**body, "contactId": nobody.pk}, "json")
    assert answer.status_code == 400
    assert "número" in answer.json()["fields"]["contactId"][0]


def test_a_time_in_the_past_is_refused_with_its_code(
    client_for: ClientFor, agent: User, body: dict[str, Any]
) -> None:
    past = {**body, "sendAt": later(minutes=-5).isoformat()}
    answer = client_for(agent).post("/api/schedules", past, "json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_SCHEDULE_IN_PAST")
    assert list(answer.json()["fields"]) == ["sendAt"]
    just_now = {**body, "sendAt": later(seconds=-30).isoformat()}
    assert client_for(agent).post("/api/schedules", just_now, "json").status_code == 201


def test_a_time_without_a_zone_is_in_the_zone_of_the_company(
    client_for: ClientFor, acme: Company, agent: User, body: dict[str, Any]
) -> None:
    CompanySetting.objects.create(company=acme, key="timeZone", value="America/Manaus")
    client = client_for(agent)
    row = client.post("/api/schedules", {**body, "sendAt": "2099-01-31T09:30"}, "json").json()
    assert datetime.fromisoformat(row["sendAt"]) == datetime(2099, 1, 31, 13, 30, tzinfo=UTC)


def test_changing_keeps_what_is_left_out(
    client_for: ClientFor, acme: Company, agent: User, told: list[Told]
) -> None:
    schedule = make_schedule(acme)
    row = client_for(agent).put(f"/api/schedules/{schedule.pk}", {"body": "Novo texto"}, "json")
    assert (row.status_code, row.json()["body"]) == (200, "Novo texto")
    schedule.refresh_from_db()
    assert (schedule.body, schedule.search_text) == ("Novo texto", "novo texto")
    assert schedule.next_attempt_at == schedule.send_at
    assert told[0].payload["action"] == "update"


def test_another_time_moves_the_work_too(client_for: ClientFor, acme: Company, agent: User) -> None:
    schedule = make_schedule(acme)
    send_at = later(days=3)
    client_for(agent).put(f"/api/schedules/{schedule.pk}", {"sendAt": send_at.isoformat()}, "json")
    schedule.refresh_from_db()
    assert schedule.send_at == schedule.next_attempt_at == send_at


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"status": "ENVIADA", "state": "done"}, "ERR_SCHEDULE_ALREADY_SENT"),
        ({"status": "AGENDADA", "state": "done"}, "ERR_SCHEDULE_BEING_SENT"),
        ({"state": "claimed", "owner": "w", "lease": 60}, "ERR_SCHEDULE_BEING_SENT"),
    ],
)
def test_what_is_sent_or_being_sent_does_not_change(
    client_for: ClientFor, acme: Company, agent: User, fields: dict[str, Any], code: str
) -> None:
    if seconds := fields.pop("lease", 0):
        fields["lease_expires_at"] = later(seconds=seconds)
    schedule = make_schedule(acme, **fields)
    client = client_for(agent)
    path = f"/api/schedules/{schedule.pk}"
    answers = [
        client.put(path, {"body": "Outro texto"}, "json"),
        upload(client, schedule),
        client.delete(f"{path}/media-upload"),
    ]
    assert [(each.status_code, each.json()["code"]) for each in answers] == [(409, code)] * 3
    schedule.refresh_from_db()
    assert (schedule.body, schedule.media_path) == ("Bom dia! Passando para confirmar.", "")


def test_a_failed_one_that_is_changed_is_planned_anew(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    ticket = make_ticket(acme)
    failed = make_message(ticket, from_me=True, ack=-1, source="schedule")
    schedule = make_schedule(
        acme, contact=ticket.contact, status="ERRO", state="done", message=failed, error_reason="x"
    )
    path = f"/api/schedules/{schedule.pk}"
    Schedule.objects.filter(pk=schedule.pk).update(send_at=later(days=-1))
    stale = client_for(agent).put(path, {"body": "Outro texto"}, "json")
    assert stale.json()["code"] == "ERR_SCHEDULE_IN_PAST"
    change = {"body": "Outro texto", "sendAt": later(hours=2).isoformat()}
    row = client_for(agent).put(path, change, "json").json()
    assert (row["status"], row["errorReason"]) == ("PENDENTE", "")
    schedule.refresh_from_db()
    assert (schedule.state, schedule.message) == ("waiting", None)


def test_sending_again_is_for_failed_ones_and_due_at_once(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    client = client_for(agent)
    waiting = make_schedule(acme)
    answer = client.post(f"/api/schedules/{waiting.pk}/retry")
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_SCHEDULE_NOT_FAILED")
    failed = make_schedule(acme, status="ERRO", state="done", attempts=3, error_reason="Falhou")
    row = client.post(f"/api/schedules/{failed.pk}/retry").json()
    assert (row["status"], row["errorReason"]) == ("PENDENTE", "")
    failed.refresh_from_db()
    assert (failed.state, failed.attempts) == ("waiting", 0)
    assert failed.next_attempt_at <= timezone.now()


def test_deleting_tells_everybody_and_keeps_one_on_its_way(
    client_for: ClientFor, acme: Company, agent: User, told: list[Told]
) -> None:
    schedule = make_schedule(acme)
    going = make_schedule(acme, status="AGENDADA", state="done")
    client = client_for(agent)
    refusal = client.delete(f"/api/schedules/{going.pk}")
    assert (refusal.status_code, refusal.json()["code"]) == (409, "ERR_SCHEDULE_BEING_SENT")
    answer = client.delete(f"/api/schedules/{schedule.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Agendamento excluído."})
    assert told[0].payload == {"action": "delete", "scheduleId": schedule.pk}
    assert client.get(f"/api/schedules/{schedule.pk}").status_code == 404


def test_the_list_is_by_time_in_pages_of_twenty(
    client_for: ClientFor, acme: Company, globex: Company, agent: User
) -> None:
    made = [make_schedule(acme, send_at=later(hours=hours)) for hours in range(25, 0, -1)]
    make_schedule(globex)
    client = client_for(agent)
    page = client.get("/api/schedules/?pageNumber=1").json()
    assert [row["id"] for row in page["schedules"]] == [each.pk for each in made[:4:-1]]
    assert (page["count"], page["hasMore"]) == (25, True)
    last = client.get("/api/schedules?pageNumber=2").json()
    assert (len(last["schedules"]), last["hasMore"]) == (5, False)
    newest = client.get("/api/schedules?order=desc").json()
    assert newest["schedules"][0]["id"] == made[0].pk


def test_the_list_is_searched_and_filtered(
    client_for: ClientFor, acme: Company, agent: User, contact: Contact
) -> None:
    mine = make_schedule(acme, contact=contact, body="Sua encomenda chegará amanhã")
    failed = make_schedule(acme, status="ERRO", state="done")
    client = client_for(agent)

    def ids(query: str) -> list[int]:
        return [row["id"] for row in client.get(f"/api/schedules/?{query}").json()["schedules"]]

    assert ids("searchParam=CHEGARA") == [mine.pk]
    assert ids("searchParam=souza") == [mine.pk]
    assert ids("searchParam=98432") == [mine.pk]
    assert ids("searchParam=nada disso") == []
    assert ids(f"contactId={contact.pk}") == [mine.pk]
    assert ids("status=ERRO") == [failed.pk]
    assert sorted(ids("status=")) == [mine.pk, failed.pk]
    answer = client.get("/api/schedules/?status=OUTRA&dateStart=ontem")
    assert (answer.status_code, set(answer.json()["fields"])) == (400, {"status", "dateStart"})


def test_a_range_is_of_days_in_the_zone_of_the_company_and_comes_at_once(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    first = datetime(2099, 2, 1, 3, 0, tzinfo=UTC)  # midnight in São Paulo
    inside = [
        make_schedule(acme, send_at=first + timedelta(minutes=minutes)) for minutes in range(30)
    ]
    inside.append(make_schedule(acme, send_at=datetime(2099, 3, 1, 2, 59, tzinfo=UTC)))
    make_schedule(acme, send_at=first - timedelta(minutes=1))
    make_schedule(acme, send_at=datetime(2099, 3, 1, 3, 0, tzinfo=UTC))
    client = client_for(agent)
    month = client.get("/api/schedules/?dateStart=2099-02-01&dateEnd=2099-02-28").json()
    assert [row["id"] for row in month["schedules"]] == [each.pk for each in inside]
    assert (month["count"], month["hasMore"]) == (31, False)
    moments = "dateStart=2099-02-01T03:00:00Z&dateEnd=2099-02-01T03:10:00Z"
    assert client.get(f"/api/schedules/?{moments}").json()["count"] == 10


def test_a_list_costs_the_same_queries_whatever_its_length(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    django_assert_num_queries: Any,
) -> None:
    client = client_for(agent)
    for count in (2, 40):
        for _ in range(count):
            make_schedule(acme, user=agent)
        # The rows and, where there are more, their number.
        with django_assert_num_queries(1 if count == 2 else 2):
            assert client.get("/api/schedules/?searchParam=bom").status_code == 200


def test_a_plan_counts_what_is_still_to_be_sent(
    client_for: ClientFor, acme: Company, agent: User, body: dict[str, Any]
) -> None:
    acme.plan.schedules = 1
    acme.plan.save()
    make_schedule(acme, status="ENVIADA", state="done")
    failed = make_schedule(acme, status="ERRO", state="done")
    client = client_for(agent)
    assert client.post("/api/schedules", body, "json").status_code == 201
    for answer in (
        client.post("/api/schedules", body, "json"),
        client.post(f"/api/schedules/{failed.pk}/retry"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_LIMIT")
        assert (answer.json()["limit"], answer.json()["allowed"]) == ("schedules", 1)


def test_a_plan_without_schedules_takes_none(
    client_for: ClientFor, acme: Company, agent: User, body: dict[str, Any]
) -> None:
    acme.plan.use_schedules = False
    acme.plan.save()
    answer = client_for(agent).post("/api/schedules", body, "json")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
    assert answer.json()["feature"] == "useSchedules"


def test_a_file_is_attached_replaced_and_removed(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    told: list[Told],
    django_capture_on_commit_callbacks: Any,
) -> None:
    schedule = make_schedule(acme)
    client = client_for(agent)
    row = upload(client, schedule).json()
    assert (row["mediaName"], told[-1].payload["action"]) == ("foto.png", "update")
    assert client.get(f"/api/public/{row['mediaPath']}").status_code == 200
    schedule.refresh_from_db()
    first = schedule.media_path
    with django_capture_on_commit_callbacks(execute=True):
        upload(client, schedule, "outra.png")
    schedule.refresh_from_db()
    assert not default_storage.exists(first)
    with django_capture_on_commit_callbacks(execute=True):
        removed = client.delete(f"/api/schedules/{schedule.pk}/media-upload")
    assert (removed.status_code, removed.json()["mediaPath"]) == (200, None)
    assert not default_storage.exists(schedule.media_path)
    assert client.delete(f"/api/schedules/{schedule.pk}/media-upload").status_code == 200


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [("virus.exe", b"MZ", 415), ("foto.png", b"<html>", 415), ("vazio.pdf", b"", 400)],
)
def test_a_file_that_can_not_be_sent_is_refused(
    client_for: ClientFor, acme: Company, agent: User, name: str, content: bytes, status: int
) -> None:
    schedule = make_schedule(acme)
    answer = upload(client_for(agent), schedule, name, content)
    assert answer.status_code == status, answer.content
    schedule.refresh_from_db()
    assert schedule.media_path == ""


def test_the_schedules_of_a_deleted_contact_go_with_it(
    acme: Company, admin: User, contact: Contact, told: list[Told]
) -> None:
    schedule = make_schedule(acme, contact=contact)
    other = make_schedule(acme)
    delete_contact(contact=contact, actor=admin)
    assert list(Schedule.objects.all()) == [other]
    assert told[0].payload == {"action": "delete", "scheduleId": schedule.pk}


def test_two_rows_of_one_person_become_one_with_the_schedules_of_both(
    acme: Company, contact: Contact, told: list[Told]
) -> None:
    lid = make_contact(acme, number="", canonical_number="lid:77", lid="77")
    schedule = make_schedule(acme, contact=lid)
    merge_contacts(keep=contact, gone=lid)
    schedule.refresh_from_db()
    assert schedule.contact == contact
    assert told[0].payload["schedule"]["contactId"] == contact.pk


def test_a_schedule_outlives_the_user_who_made_it(acme: Company, agent: User) -> None:
    schedule = make_schedule(acme, user=agent)
    agent.delete()
    schedule.refresh_from_db()
    assert schedule.user is None


def test_a_form_plans_or_changes_it_together_with_its_file(
    client_for: ClientFor,
    acme: Company,
    agent: User,
    contact: Contact,
    told: list[Told],
    settings: Any,
    tmp_path: Path,
) -> None:
    settings.MEDIA_ROOT = tmp_path  # it looks at all that is kept
    client = client_for(agent)

    def form(**fields: Any) -> dict[str, Any]:
        return {
            "contactId": contact.pk,
            "body": "Segue a foto.",
            "sendAt": timezone.now().isoformat(),
            "file": SimpleUploadedFile("foto.png", PNG, "image/png"),
            **fields,
        }

    made = client.post("/api/schedules", form(), format="multipart")
    assert (made.status_code, made.json()["mediaName"]) == (201, "foto.png")
    # Nobody ever sees it without the file, the worker neither.
    assert [each.payload["schedule"]["mediaName"] for each in told] == ["foto.png"] * len(told)
    schedule = Schedule.objects.get()

    past = form(sendAt=later(days=-1).isoformat())
    refused = client.put(f"/api/schedules/{schedule.pk}", past, format="multipart")
    assert (refused.status_code, set(refused.json()["fields"])) == (400, {"sendAt"})
    wrong = form(file=SimpleUploadedFile("nada.png", b"", "image/png"))
    assert client.post("/api/schedules", wrong, format="multipart").status_code == 400
    assert Schedule.objects.count() == 1
    assert default_storage.listdir(str(acme.pk))[1] == [schedule.media_path.split("/")[1]]

    change = {"body": "Outra foto.", "file": SimpleUploadedFile("nova.png", PNG, "image/png")}
    row = client.put(f"/api/schedules/{schedule.pk}", change, format="multipart").json()
    assert (row["body"], row["mediaName"]) == ("Outra foto.", "nova.png")
