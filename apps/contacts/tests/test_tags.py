"""/tags: shapes, rules of fields, lanes, search, counts and events."""

from typing import Any

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.contacts.models import Tag
from apps.realtime.rooms import company_room
from apps.tickets.models import TicketTag
from conftest import ClientFor
from tests.factories import make_tag, make_ticket

pytestmark = pytest.mark.django_db
NEW = {"name": "Orçamento", "color": "#0F8EA3", "kanban": 0}
KEYS = {"id", "name", "color", "kanban", "userId", "ticketsCount", "createdAt", "updatedAt"}


def test_a_tag_is_made_read_changed_and_told(
    client_for: ClientFor, agent: User, events: list[dict[str, Any]]
) -> None:
    client = client_for(agent)
    answer = client.post("/api/tags", NEW, format="json")
    assert answer.status_code == 201
    row = answer.json()
    assert row.keys() == KEYS
    assert (row["name"], row["color"], row["kanban"]) == ("Orçamento", "#0F8EA3", 0)
    assert (row["userId"], row["ticketsCount"]) == (agent.pk, 0)
    assert client.get(f"/api/tags/{row['id']}/").json() == row
    changed = client.put(f"/api/tags/{row['id']}", {"name": "Proposta"}, format="json").json()
    assert (changed["name"], changed["color"]) == ("Proposta", "#0F8EA3")
    assert [(event["event"], event["payload"]["action"]) for event in events] == [
        ("tag", "create"),
        ("tag", "update"),
    ]
    assert all(event["rooms"] == [company_room(agent.company_id)] for event in events)
    assert events[1]["payload"]["tag"].keys() == KEYS


def test_a_name_alone_is_enough(client_for: ClientFor, agent: User) -> None:
    row = client_for(agent).post("/api/tags", {"name": " Novo "}, format="json").json()
    assert (row["name"], row["color"], row["kanban"]) == ("Novo", "#8A989C", 0)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "  ab  "}, "name"),
        ({"name": None}, "name"),
        ({"name": ["abc"]}, "name"),
        ({"name": "a" * 101}, "name"),
        ({"color": "az"}, "color"),
        ({"color": "#12345"}, "color"),
        ({"color": "vermelho"}, "color"),
        ({"color": ""}, "color"),
        ({"color": None}, "color"),
        ({"kanban": 2}, "kanban"),
        ({"kanban": "talvez"}, "kanban"),
        ({"userId": "x"}, "userId"),
    ],
)
def test_a_wrong_field_is_named(
    client_for: ClientFor, admin: User, change: dict[str, Any], field: str
) -> None:
    client = client_for(admin)
    answer = client.post("/api/tags", {**NEW, **change}, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    tag = make_tag(admin.company)
    assert client.put(f"/api/tags/{tag.pk}", change, format="json").status_code == 400
    assert Tag.objects.count() == 1


@pytest.mark.parametrize(
    ("given", "stored"),
    [("fff", "#fff"), ("#0F8EA3", "#0F8EA3"), ("0F8EA380", "#0F8EA380"), ("#abcd", "#abcd")],
)
def test_colours_are_hexadecimal(
    client_for: ClientFor, agent: User, given: str, stored: str
) -> None:
    row = client_for(agent).post("/api/tags", {**NEW, "color": given}, format="json").json()
    assert row["color"] == stored


def test_a_name_is_one_tag_whatever_its_case_and_accents(
    client_for: ClientFor, agent: User, outsider: User
) -> None:
    client = client_for(agent)
    first = client.post("/api/tags", NEW, format="json").json()
    for name in ("orçamento", "ORCAMENTO "):
        answer = client.post("/api/tags", {"name": name}, format="json")
        body = answer.json()
        assert (answer.status_code, body["code"]) == (400, "ERR_TAG_NAME_ALREADY_EXISTS")
        assert "name" in body["fields"]
    other = client.post("/api/tags", {"name": "Outra"}, format="json").json()
    answer = client.put(f"/api/tags/{other['id']}", {"name": "orcamento"}, format="json")
    assert answer.json()["code"] == "ERR_TAG_NAME_ALREADY_EXISTS"
    again = client.put(f"/api/tags/{first['id']}", {"name": "ORÇAMENTO"}, format="json")
    assert again.json()["name"] == "ORÇAMENTO"
    assert client_for(outsider).post("/api/tags", NEW, format="json").status_code == 201


@pytest.mark.parametrize("value", [1, True, "1", "true"])
def test_lanes_are_the_admins_to_choose(
    client_for: ClientFor, agent: User, admin: User, super_user: User, value: Any
) -> None:
    refused = client_for(agent).post("/api/tags", {**NEW, "kanban": value}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "ERR_NO_PERMISSION")
    assert "kanban" in refused.json()["fields"]
    for user in (admin, super_user):
        row = client_for(user).post("/api/tags", {**NEW, "kanban": value}, format="json").json()
        assert row["kanban"] == 1


def test_a_user_may_resend_the_lane_unchanged(
    client_for: ClientFor, agent: User, acme: Company
) -> None:
    client = client_for(agent)
    for lane in (True, False):
        tag = make_tag(acme, is_kanban=lane)
        url = f"/api/tags/{tag.pk}"
        body = {"name": f"Renomeada {tag.pk}", "kanban": int(lane)}
        assert client.put(url, body, format="json").status_code == 200
        assert client.put(url, {"kanban": int(not lane)}, format="json").status_code == 403
        tag.refresh_from_db()
        assert (tag.name, tag.is_kanban) == (body["name"], lane)


def test_tags_are_listed_in_name_order_with_their_tickets_in_constant_queries(
    client_for: ClientFor, agent: User, acme: Company, globex: Company
) -> None:
    make_tag(globex, name="Alheia")
    tags = [make_tag(acme, name=name) for name in ("Ônibus", "atraso", "Zebra", "Ágil")]
    for _ in range(3):
        TicketTag.objects.create(ticket=make_ticket(acme), tag=tags[1])
    client = client_for(agent)
    with CaptureQueriesContext(
        database,
    ) as queries:
        body = client.get("/api/tags/?pageNumber=1").json()
    few = len(queries)
    assert [row["name"] for row in body["tags"]] == ["Ágil", "atraso", "Ônibus", "Zebra"]
    assert [row["ticketsCount"] for row in body["tags"]] == [0, 3, 0, 0]
    assert (body["count"], body["hasMore"]) == (4, False)
    for _ in range(30):
        TicketTag.objects.create(ticket=make_ticket(acme), tag=make_tag(acme))
    with CaptureQueriesContext(database) as queries:
        body = client.get("/api/tags/?pageNumber=1").json()
    assert len(queries) <= few + 1  # a further page asks for the count
    assert (len(body["tags"]), body["count"], body["hasMore"]) == (20, 34, True)
    with CaptureQueriesContext(database) as queries:
        rows = client.get("/api/tags/list").json()
    assert len(queries) == 1
    assert len(rows) == 34


@pytest.mark.every_case
@pytest.mark.parametrize("text", ["AGIL", "ágil", "gi", "%C3%81gil"])
def test_search_ignores_accents_and_case(
    client_for: ClientFor, agent: User, acme: Company, text: str
) -> None:
    make_tag(acme, name="Ágil")
    make_tag(acme, name="Outra_coisa")
    client = client_for(agent)
    for path in ("/api/tags/", "/api/tags/list"):
        body = client.get(f"{path}?searchParam={text}").json()
        rows = body["tags"] if path.endswith("s/") else body
        assert [row["name"] for row in rows] == ["Ágil"]


def test_lanes_are_the_kanban_tags(client_for: ClientFor, agent: User, acme: Company) -> None:
    make_tag(acme, name="Sem raia")
    make_tag(acme, name="Raia", is_kanban=True)
    body = client_for(agent).get("/api/tags/kanban").json()
    assert [row["name"] for row in body["lista"]] == ["Raia"]
    assert body["lista"][0]["kanban"] == 1


def test_a_deleted_tag_leaves_its_tickets(
    client_for: ClientFor, agent: User, acme: Company, events: list[dict[str, Any]]
) -> None:
    tag, ticket = make_tag(acme, name="Velha"), make_ticket(acme)
    TicketTag.objects.create(ticket=ticket, tag=tag)
    client = client_for(agent)
    answer = client.delete(f"/api/tags/{tag.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Tag excluída."})
    assert list(ticket.tags.all()) == []
    assert events[-1]["payload"] == {"action": "delete", "tagId": tag.pk}
    entry = AuditEntry.objects.get(action="tag.deleted")
    assert (entry.actor, entry.detail) == (agent, {"name": "Velha", "tickets": 1})
    gone = client.delete(f"/api/tags/{tag.pk}")
    assert (gone.status_code, gone.json()["code"]) == (404, "ERR_NO_TAG_FOUND")
