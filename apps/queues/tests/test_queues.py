"""/queue: shapes, rules of fields and events."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company, default_schedules
from apps.queues.models import Queue
from apps.queues.services import queues as services
from apps.realtime.rooms import company_room
from conftest import ClientFor
from tests.factories import make_plan, make_queue

pytestmark = pytest.mark.django_db
NEW = {"name": "Suporte", "color": "#112233", "orderQueue": 2}


def make_integration(company: Company) -> Any:
    rows = apps.get_model("automation", "QueueIntegration")._default_manager
    return rows.create(company=company, type="webhook", name="Robô")


def make_prompt(company: Company, queue: Queue) -> Any:
    rows = apps.get_model("automation", "Prompt")._default_manager
    return rows.create(company=company, queue=queue, name="Assistente", prompt="Responda.")


def test_the_list_is_a_bare_array_in_order(
    client_for: ClientFor, agent: User, queue: Queue, globex: Company
) -> None:
    make_queue(globex)
    first = make_queue(agent.company, order=-1)
    answer = client_for(agent).get(f"/api/queue?companyId={globex.pk}")
    assert [row["id"] for row in answer.json()] == [first.pk, queue.pk]


def test_the_list_takes_one_query(
    client_for: ClientFor, agent: User, django_assert_num_queries: Any
) -> None:
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    for _ in range(5):
        make_queue(agent.company)
    with django_assert_num_queries(1):
        client.get("/api/queue")


def test_a_queue_is_made_and_read(
    client_for: ClientFor, admin: User, queue: Queue, events: list[dict[str, Any]]
) -> None:
    integration, prompt = make_integration(admin.company), make_prompt(admin.company, queue)
    schedules = [
        {**row, "startTime": "09:30"} if row["startTime"] else row for row in default_schedules()
    ]
    body = {
        **NEW,
        "greetingMessage": " Oi \n",
        "complationMessage": "Tchau",
        "outOfHoursMessage": "Fechado",
        "ratingMessage": "Nota?",
        "expireChat": True,
        "asksTransferNote": True,
        "schedules": schedules,
        "integrationId": integration.pk,
        "promptId": prompt.pk,
        "options": [],
    }
    answer = client_for(admin).post("/api/queue", body, format="json")
    assert answer.status_code == 201
    row = answer.json()
    assert row == {
        **body,
        **{key: row[key] for key in ("id", "createdAt", "updatedAt")},
        "companyId": admin.company_id,
        "hasConnection": False,
        "hasAttendants": False,
    }
    assert client_for(admin).get(f"/api/queue/{row['id']}/").json() == row
    (event,) = events
    assert (event["event"], event["payload"]["action"]) == ("queue", "update")
    assert event["payload"]["queue"]["id"] == row["id"]
    assert event["rooms"] == [company_room(admin.company_id)]


def test_a_new_queue_has_the_default_hours(client_for: ClientFor, admin: User) -> None:
    body = {**NEW, "integrationId": "", "promptId": None, "greetingMessage": None}
    row = client_for(admin).post("/api/queue", body, format="json").json()
    assert row["schedules"] == default_schedules()
    assert (row["integrationId"], row["promptId"], row["greetingMessage"]) == (None, None, "")


@pytest.mark.parametrize("order", ["", None])
def test_a_queue_without_an_order_comes_last(
    client_for: ClientFor, admin: User, queue: Queue, order: str | None
) -> None:
    client = client_for(admin)
    answer = client.post("/api/queue", {**NEW, "orderQueue": order}, format="json")
    assert answer.status_code == 201
    row = answer.json()
    assert row["orderQueue"] is None
    later = {**NEW, "name": "Depois", "color": "#445566", "orderQueue": 900}
    client.post("/api/queue", later, format="json")
    names = [each["name"] for each in client.get("/api/queue").json()]
    assert names == [queue.name, "Depois", "Suporte"]
    client.put(f"/api/queue/{row['id']}", {"orderQueue": 5}, format="json")
    assert client.get(f"/api/queue/{row['id']}").json()["orderQueue"] == 5
    client.put(f"/api/queue/{row['id']}", {"orderQueue": order}, format="json")
    assert client.get(f"/api/queue/{row['id']}").json()["orderQueue"] is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "A"),
        ("name", "A" * 51),
        ("name", None),
        ("color", "#1"),
        ("color", "#123456789"),
        ("color", ""),
        ("color", []),
        ("orderQueue", "first"),
        ("orderQueue", 99999999999999999999999),
        ("orderQueue", 2**40),
        ("greetingMessage", "a" * 4097),
        ("greetingMessage", {}),
        ("expireChat", "perhaps"),
        ("expireChat", None),
        ("schedules", "monday"),
        ("schedules", None),
        ("integrationId", 99999999999999999999999),
        ("promptId", "abc"),
    ],
)
def test_every_field_has_its_rule(
    client_for: ClientFor, admin: User, queue: Queue, field: str, value: object
) -> None:
    post = client_for(admin).post("/api/queue", {**NEW, field: value}, format="json")
    put = client_for(admin).put(f"/api/queue/{queue.pk}", {field: value}, format="json")
    for answer in (post, put):
        assert answer.status_code == 400, answer.content
        assert list(answer.json()["fields"]) == [field]


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"startTime": "8:00"}, "startTime"),
        ({"endTime": "24:00"}, "endTime"),
        ({"startTime": ""}, "startTime"),
        ({"weekdayEn": "someday"}, "weekdayEn"),
        ({"startTime": None}, "startTime"),
        ({"weekday": None}, "weekday"),
    ],
)
@pytest.mark.parametrize("method", ["post", "put"])
def test_hours_are_checked(
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    row: dict[str, Any],
    field: str,
    method: str,
) -> None:
    schedules = [{**default_schedules()[0], **row}]
    path = "/api/queue" if method == "post" else f"/api/queue/{queue.pk}"
    answer = getattr(client_for(admin), method)(path, {**NEW, "schedules": schedules}, "json")
    assert answer.status_code == 400, answer.content
    assert list(answer.json()["fields"]) == [f"schedules.0.{field}"]


def test_hours_need_every_key_and_each_day_once(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client = client_for(admin)
    day = default_schedules()[0]
    body = {"schedules": [{key: day[key] for key in day if key != "endTime"}]}
    answer = client.put(f"/api/queue/{queue.pk}", body, format="json")
    assert list(answer.json()["fields"]) == ["schedules.0.endTime"]
    answer = client.put(f"/api/queue/{queue.pk}", {"schedules": [day, day]}, format="json")
    assert list(answer.json()["fields"]) == ["schedules"]
    answer = client.put(f"/api/queue/{queue.pk}", {"schedules": [1, None, []]}, format="json")
    assert answer.status_code == 400


def test_a_colour_and_a_name_are_unique_in_the_company(
    client_for: ClientFor, admin: User, queue: Queue, globex: Company
) -> None:
    client = client_for(admin)
    other = make_queue(admin.company)
    colour = {**NEW, "color": queue.color.upper()}
    name = {**NEW, "name": queue.name.upper()}
    for body, code, error, field in (
        (colour, "ERR_QUEUE_COLOR_ALREADY_EXISTS", "ERR_QUEUE_COLOR_ALREADY_EXISTS", "color"),
        (name, "ERR_QUEUE_NAME_ALREADY_EXISTS", "Já existe uma fila com este nome.", "name"),
    ):
        for answer in (
            client.post("/api/queue", body, format="json"),
            client.put(f"/api/queue/{other.pk}", body, format="json"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (400, code)
            assert (answer.json()["error"], list(answer.json()["fields"])) == (error, [field])
    make_queue(globex, name="Suporte", color="#112233")
    assert client.post("/api/queue", NEW, format="json").status_code == 201


def test_integration_and_prompt_must_be_the_companys(
    client_for: ClientFor, admin: User, queue: Queue, globex: Company
) -> None:
    foreign = make_queue(globex)
    for changes in (
        {"integrationId": make_integration(globex).pk},
        {"promptId": make_prompt(globex, foreign).pk},
    ):
        answer = client_for(admin).put(f"/api/queue/{queue.pk}", changes, format="json")
        assert answer.status_code == 400
        assert list(answer.json()["fields"]) == list(changes)


def test_a_whole_or_a_partial_body_changes_a_queue(
    client_for: ClientFor, admin: User, queue: Queue, events: list[dict[str, Any]]
) -> None:
    client = client_for(admin)
    row = client.get(f"/api/queue/{queue.pk}").json()
    whole = client.put(f"/api/queue/{queue.pk}", {**row, "name": "Vendas 2"}, format="json")
    assert (whole.status_code, whole.json()["name"]) == (200, "Vendas 2")
    partial = client.put(f"/api/queue/{queue.pk}", {"expireChat": True}, format="json")
    assert (partial.json()["name"], partial.json()["expireChat"]) == ("Vendas 2", True)
    assert [event["payload"]["action"] for event in events] == ["update", "update"]


def test_the_plan_limits_the_queues(client_for: ClientFor, admin: User, queue: Queue) -> None:
    admin.company.plan = make_plan(queues=1)
    admin.company.save()
    answer = client_for(admin).post("/api/queue", NEW, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_LIMIT")
    assert "1 fila." in answer.json()["message"]


def test_deleting_a_queue_frees_its_tickets_first(
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    events: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[bool] = []

    def see(queue: Queue, afterwards: list[Callable[[], None]]) -> None:
        here = Queue.objects.filter(pk=queue.pk)
        left.append(here.exists())
        afterwards.append(lambda: left.append(here.exists()))

    monkeypatch.setattr(services.queue_removal, "_functions", [see])
    answer = client_for(admin).delete(f"/api/queue/{queue.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Fila excluída."})
    assert left == [True, False]
    assert not Queue.objects.filter(pk=queue.pk).exists()
    assert events[0]["payload"] == {"action": "delete", "queueId": queue.pk}
    assert events[1] == {"event": "recheck_company", "id": admin.company_id}
    assert AuditEntry.objects.get(action="queue.deleted").actor == admin


@pytest.mark.parametrize("method", ["get", "put", "delete"])
@pytest.mark.parametrize("pk", ["99999999999999999999999", "9223372036854775808"])
def test_an_id_beyond_reach_is_a_404(
    client_for: ClientFor, admin: User, method: str, pk: str
) -> None:
    answer = getattr(client_for(admin), method)(f"/api/queue/{pk}", {}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_QUEUE_FOUND")


@pytest.mark.parametrize("body", ["[]", "null", "1", '"x"', "{"])
def test_a_body_that_is_no_object_is_a_400(
    client_for: ClientFor, admin: User, queue: Queue, body: str
) -> None:
    client = client_for(admin)
    post = client.post("/api/queue", body, content_type="application/json")
    put = client.put(f"/api/queue/{queue.pk}", body, content_type="application/json")
    assert (post.status_code, put.status_code) == (400, 400)


def test_what_the_plan_lacks_is_not_linked_anew_but_stays_where_it_is(
    client_for: ClientFor, admin: User, queue: Queue
) -> None:
    client = client_for(admin)
    integration, prompt = make_integration(admin.company), make_prompt(admin.company, queue)
    links = {"integrationId": integration.pk, "promptId": prompt.pk}
    assert client.put(f"/api/queue/{queue.pk}", links, format="json").status_code == 200
    admin.company.plan = make_plan(use_integrations=False, use_open_ai=False)
    admin.company.save()
    assert client.put(f"/api/queue/{queue.pk}", links, format="json").status_code == 200
    for name, linked_id in links.items():
        answer = client.post("/api/queue", {**NEW, name: linked_id}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_FEATURE")
