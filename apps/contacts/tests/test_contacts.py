"""/contacts: shapes, rules of fields, search, deletion and events."""

import json
import time
from typing import Any

import pytest

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.contacts import queries
from apps.contacts.models import Contact
from apps.realtime.rooms import role_room
from apps.tickets.models import Message, Ticket
from conftest import ClientFor
from tests.factories import make_contact, make_message, make_ticket

pytestmark = pytest.mark.django_db
NEW = {"name": "Maria Gonçalves", "number": "+55 (11) 98765-4321", "email": "maria@example.com"}


def options_of(client: Any, **query: str) -> list[dict[str, Any]]:
    """Return the bare array of GET /contacts/list."""
    answer = client.get("/api/contacts/list", query)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    options: list[dict[str, Any]] = json.loads(answer.getvalue())
    return options


def test_a_search_finds_a_username_and_a_user_id(
    client_for: ClientFor, agent: User, acme: Company
) -> None:
    make_contact(acme, name="Ana", username="ana.s", user_id="BR.77ABC")
    make_contact(acme, name="Bia", username="bia", user_id="BR.88")
    for text in ("ANA.S", "br.77a"):
        found = client_for(agent).get(f"/api/contacts/?searchParam={text}").json()["contacts"]
        assert [(each["username"], each["userId"]) for each in found] == [("ana.s", "BR.77ABC")]


def test_a_contact_is_made_read_and_told(
    client_for: ClientFor, agent: User, events: list[dict[str, Any]]
) -> None:
    client = client_for(agent)
    body = {**NEW, "extraInfo": [{"name": "CPF", "value": "123"}, {"name": "Obs", "value": ""}]}
    answer = client.post("/api/contacts", body, format="json")
    assert answer.status_code == 201
    row = answer.json()
    assert (row["name"], row["number"], row["email"]) == (
        *(NEW["name"], "5511987654321", NEW["email"]),
    )
    assert [(line["name"], line["value"]) for line in row["extraInfo"]] == [
        ("CPF", "123"),
        ("Obs", ""),
    ]
    assert row["profilePicUrl"] == ""
    assert row["companyId"] == agent.company_id
    assert client.get(f"/api/contacts/{row['id']}/").json() == row
    (event,) = events
    assert event["event"] == "contact"
    assert event["rooms"] == [role_room(agent.company_id, Permission.SEE_CONTACTS)]
    assert event["company_id"] == agent.company_id
    assert event["payload"]["action"] == "create"
    assert event["payload"]["contact"].keys() == row.keys()


def test_a_change_keeps_what_was_left_out(
    client_for: ClientFor, agent: User, events: list[dict[str, Any]]
) -> None:
    client = client_for(agent)
    body = {**NEW, "extraInfo": [{"name": "CPF", "value": "1"}, {"name": "RG", "value": "2"}]}
    row = client.post("/api/contacts", body, format="json").json()
    url = f"/api/contacts/{row['id']}"
    kept = client.put(url, {"name": "Maria G."}, format="json").json()
    assert (kept["number"], kept["email"]) == (row["number"], row["email"])
    assert kept["extraInfo"] == row["extraInfo"]
    lines = [{**row["extraInfo"][1], "value": "3"}, {"name": "Time", "value": "Santos"}]
    changed = client.put(url, {**row, "extraInfo": lines}, format="json").json()
    assert [(line["name"], line["value"]) for line in changed["extraInfo"]] == [
        ("RG", "3"),
        ("Time", "Santos"),
    ]
    assert changed["extraInfo"][0]["id"] == row["extraInfo"][1]["id"]
    assert client.get(url).json()["extraInfo"] == changed["extraInfo"]
    assert [event["payload"]["action"] for event in events] == ["create", "update", "update"]


def test_the_ninth_digit_makes_no_other_contact(client_for: ClientFor, agent: User) -> None:
    client = client_for(agent)
    first = client.post("/api/contacts", NEW, format="json").json()
    answer = client.post(
        "/api/contacts", {"name": "Outra", "number": "551187654321"}, format="json"
    )
    assert answer.status_code == 400
    body = answer.json()
    assert body["error"] == body["code"] == "ERR_DUPLICATED_CONTACT"
    assert body["contact"]["id"] == first["id"]
    assert "number" in body["fields"]
    other = client.post(
        "/api/contacts", {"name": "Outra", "number": "5511911112222"}, format="json"
    ).json()
    answer = client.put(
        f"/api/contacts/{other['id']}", {"name": "Outra", "number": NEW["number"]}, format="json"
    )
    assert answer.json()["code"] == "ERR_DUPLICATED_CONTACT"
    assert Contact.objects.get(pk=other["id"]).number == "5511911112222"


def test_two_companies_may_know_the_same_person(
    client_for: ClientFor, agent: User, outsider: User
) -> None:
    for user in (agent, outsider):
        assert client_for(user).post("/api/contacts", NEW, format="json").status_code == 201


def test_only_who_has_a_user_id_may_be_without_a_number(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    client = client_for(agent)
    for body in ({"name": "Sem número"}, {"name": "Outra", "number": "", "email": None}):
        answer = client.post("/api/contacts", body, format="json")
        assert (answer.status_code, answer.json()["fieldCodes"]) == (400, {"number": "required"})
    assert not Contact.objects.for_company(acme.pk).exists()
    plain = make_contact(acme)
    change = {"name": "Outro nome", "number": ""}
    answer = client.put(f"/api/contacts/{plain.pk}", change, format="json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["number"])
    known = make_contact(acme, user_id="BR.1")
    answer = client.put(f"/api/contacts/{known.pk}", change, format="json")
    assert (answer.status_code, answer.json()["number"]) == (200, "BR.1@lid")
    known.refresh_from_db()
    assert (known.canonical_number, known.has_number) == ("lid:BR.1", False)


def test_who_was_stored_without_a_number_may_be_saved_without_one(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    older = make_contact(acme, number="", canonical_number="none:1")
    change = {"name": "Outro nome", "number": ""}
    answer = client_for(agent).put(f"/api/contacts/{older.pk}", change, format="json")
    assert (answer.status_code, answer.json()["name"]) == (200, "Outro nome")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"name": "M"}, "name"),
        ({"name": "M" * 51}, "name"),
        ({"name": ["M"]}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"number": "1234567"}, "number"),
        ({"number": "1" * 51}, "number"),
        ({"number": "1" * 16}, "number"),
        ({"number": "abcdefgh"}, "number"),
        ({"number": {"a": 1}}, "number"),
        ({"email": "maria"}, "email"),
        ({"email": "a" * 250 + "@example.com"}, "email"),
        ({"extraInfo": "x"}, "extraInfo"),
        ({"extraInfo": [{"name": "", "value": "x"}]}, "extraInfo.0.name"),
        ({"extraInfo": [{"value": "x"}]}, "extraInfo.0.name"),
        ({"extraInfo": ["x"]}, "extraInfo.0"),
        ({"extraInfo": [{"name": "x", "value": "y", "id": "z"}]}, "extraInfo.0.id"),
    ],
)
def test_a_bad_field_is_named(
    client_for: ClientFor, agent: User, change: dict[str, Any], field: str
) -> None:
    client = client_for(agent)
    answer = client.post("/api/contacts", {**NEW, **change}, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    assert not Contact.objects.exists()


@pytest.mark.parametrize("body", ["[1]", '"x"', "{", "null", "1"])
def test_a_body_that_is_no_record_is_refused(client_for: ClientFor, agent: User, body: str) -> None:
    contact = make_contact(agent.company)
    client = client_for(agent)
    for method, url in (
        ("post", "/api/contacts"),
        ("put", f"/api/contacts/{contact.pk}"),
    ):
        answer = getattr(client, method)(url, body, content_type="application/json")
        assert answer.status_code == 400


def test_a_group_keeps_a_number_that_nobody_could_type(client_for: ClientFor, agent: User) -> None:
    group = make_contact(
        agent.company, name="Família", number="120363041234567890@g.us", is_group=True
    )
    client = client_for(agent)
    row = client.get(f"/api/contacts/{group.pk}").json()
    answer = client.put(f"/api/contacts/{group.pk}", {**row, "name": "Nova"}, format="json")
    assert (answer.status_code, answer.json()["name"]) == (200, "Nova")
    group.refresh_from_db()
    assert group.number == "120363041234567890@g.us"


def test_the_list_is_paged_in_name_order(client_for: ClientFor, agent: User) -> None:
    for number in range(25):
        make_contact(agent.company, name=f"Cliente {number:02}")
    client = client_for(agent)
    first = client.get("/api/contacts/").json()
    assert [len(first["contacts"]), first["count"], first["hasMore"]] == [20, 25, True]
    assert first["contacts"][0]["name"] == "Cliente 00"
    second = client.get("/api/contacts?pageNumber=2").json()
    assert [len(second["contacts"]), second["count"], second["hasMore"]] == [5, 25, False]
    for page in ("0", "-1", "x", "9" * 30, "000000001" + "9" * 30):
        assert client.get(f"/api/contacts?pageNumber={page}").status_code == 400


@pytest.mark.parametrize(
    "text", ["goncalves", "GONÇALVES", "maria g", "98765", "(11) 98765-4321", "maria@exam"]
)
def test_search_ignores_accents_case_and_punctuation(
    client_for: ClientFor, agent: User, outsider: User, text: str
) -> None:
    client_for(agent).post("/api/contacts", NEW, format="json")
    client_for(outsider).post("/api/contacts", NEW, format="json")
    make_contact(agent.company, name="Outro 100%", number="5521900000000")
    found = client_for(agent).get("/api/contacts/", {"searchParam": text}).json()
    assert [row["name"] for row in found["contacts"]] == [NEW["name"]]
    options = options_of(client_for(agent), name=text)
    assert [row["name"] for row in options] == [NEW["name"]]


def test_names_that_begin_with_the_text_come_first_across_pages(
    client_for: ClientFor, agent: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(25):
        make_contact(agent.company, name=f"Ána {number:02}")
        make_contact(agent.company, name=f"Juliana {number:02}")
    client = client_for(agent)
    names = []
    for page in (1, 2, 3, 4):
        with django_assert_max_num_queries(5):
            body = client.get(f"/api/contacts/?searchParam=ana&pageNumber={page}").json()
        names += [row["name"] for row in body["contacts"]]
        assert (body["count"], body["hasMore"]) == (50, page < 3)
    assert names == [f"{name} {number:02}" for name in ("Ána", "Juliana") for number in range(25)]


@pytest.mark.parametrize("character", ["a", "ﷺ", "😀", "日"])
def test_the_longest_names_fit_their_index(
    client_for: ClientFor, agent: User, character: str
) -> None:
    body = {"name": character * 50, "number": "5511987654321"}
    answer = client_for(agent).post("/api/contacts", body, format="json")
    assert answer.status_code == 201
    found = client_for(agent).get("/api/contacts/", {"searchParam": character * 20}).json()
    assert found["count"] == 1


@pytest.mark.parametrize(("text", "count"), [("%", 1), ("_", 0), ("\\", 0)])
def test_search_takes_every_character_for_itself(
    client_for: ClientFor, agent: User, text: str, count: int
) -> None:
    make_contact(agent.company, name="Outro 100%")
    make_contact(agent.company, name="Outro")
    answer = client_for(agent).get("/api/contacts/", {"searchParam": text})
    assert answer.json()["count"] == count


def test_an_endless_number_takes_no_time(client_for: ClientFor, agent: User) -> None:
    started_at = time.process_time()
    answer = client_for(agent).get("/api/contacts/", {"searchParam": "1" * 30_000 + "x"})
    assert answer.json()["count"] == 0
    assert time.process_time() - started_at < 3


def test_lists_take_the_same_queries_at_any_length(
    client_for: ClientFor,
    agent: User,
    connection: Connection,
    django_assert_num_queries: Any,
) -> None:
    for _ in range(30):
        contact = make_contact(agent.company, connection=connection)
        contact.extra_info.create(name="CPF", value="1")
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    with django_assert_num_queries(4):
        client.get("/api/contacts/")
    with django_assert_num_queries(3):
        client.get("/api/contacts/?pageNumber=2")
    with django_assert_num_queries(1):
        client.get(f"/api/contacts/{contact.pk}")
    with django_assert_num_queries(1):
        assert len(options_of(client)) == 30


def test_all_contacts_are_one_array_however_many_parts_they_are_read_in(
    client_for: ClientFor, agent: User, outsider: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "WALK_ROWS", 2)
    assert options_of(client_for(agent)) == []
    for name in ("Érica", "Davi", "Ana", "Bento", "Caio"):
        contact = make_contact(agent.company, name=name)
    contact.picture_path = "acme/picture.webp"
    contact.save()
    options = options_of(client_for(agent))
    assert [row["name"] for row in options] == ["Ana", "Bento", "Caio", "Davi", "Érica"]
    assert [bool(row["profilePicUrl"]) for row in options] == [False, False, True, False, False]
    assert options_of(client_for(outsider)) == []


def test_deleting_takes_tickets_and_messages_along_and_is_audited(
    client_for: ClientFor, admin: User, connection: Connection, events: list[dict[str, Any]]
) -> None:
    contact = make_contact(admin.company, name="Zé")
    make_message(make_ticket(admin.company, contact=contact, connection=connection))
    answer = client_for(admin).delete(f"/api/contacts/{contact.pk}")
    assert answer.status_code == 200
    assert answer.json()["message"]
    assert not Contact.objects.exists()
    assert not Ticket.objects.exists()
    assert not Message.objects.exists()
    entry = AuditEntry.objects.get(action="contact.deleted")
    assert (entry.actor, entry.detail["name"]) == (admin, "Zé")
    assert events[-1]["payload"] == {"action": "delete", "contactId": contact.pk}


def test_deletion_is_for_admins(client_for: ClientFor, agent: User) -> None:
    contact = make_contact(agent.company)
    client = client_for(agent)
    assert client.delete(f"/api/contacts/{contact.pk}").json()["code"] == "ERR_NO_PERMISSION"
    answer = client.post("/api/contacts/delete", {"ids": [contact.pk]}, format="json")
    assert answer.status_code == 403
    assert Contact.objects.filter(pk=contact.pk).exists()


def test_several_are_deleted_at_once_and_the_others_explained(
    client_for: ClientFor, admin: User, globex: Company
) -> None:
    own = [make_contact(admin.company) for _ in range(2)]
    foreign = make_contact(globex)
    ids = [own[0].pk, foreign.pk, own[1].pk, own[0].pk]
    answer = client_for(admin).post("/api/contacts/delete", {"ids": ids}, format="json")
    body = answer.json()
    assert body["deleted"] == [own[0].pk, own[1].pk]
    assert body["refused"] == [{"id": foreign.pk, "reason": "Contato não encontrado."}]
    assert list(Contact.objects.all()) == [foreign]


@pytest.mark.parametrize("ids", [None, [], "1", ["x"], [0], [2**70], [1] * 1001])
def test_a_bad_list_of_ids_is_refused(client_for: ClientFor, admin: User, ids: Any) -> None:
    answer = client_for(admin).post("/api/contacts/delete", {"ids": ids}, format="json")
    assert answer.status_code == 400
    assert "ERR_VALIDATION" in answer.json()["code"]


def test_foreign_and_impossible_ids_are_not_found(
    client_for: ClientFor, admin: User, globex: Company
) -> None:
    client = client_for(admin)
    for contact_id in (make_contact(globex).pk, 10**30):
        url = f"/api/contacts/{contact_id}"
        for answer in (client.get(url), client.put(url, NEW, format="json"), client.delete(url)):
            assert answer.status_code == 404
            assert answer.json()["code"] == "ERR_NO_CONTACT_FOUND"


def test_a_page_carries_the_row_of_a_single_contact(
    client_for: ClientFor, agent: User, connection: Connection
) -> None:
    contact = make_contact(agent.company, connection=connection)
    for name in ("CPF", "Apelido"):
        contact.extra_info.create(name=name, value="1")
    client = client_for(agent)
    (row,) = client.get("/api/contacts").json()["contacts"]
    assert row == client.get(f"/api/contacts/{contact.pk}").json() | {"uuid": None}


def test_a_change_asks_for_whole_fields_of_extra_info(
    client_for: ClientFor, admin: User, acme: Company
) -> None:
    client = client_for(admin)
    row = client.post("/api/contacts", NEW, format="json").json()
    for line in ({"value": "1"}, {"name": "CPF"}, {}):
        answer = client.put(f"/api/contacts/{row['id']}", {"extraInfo": [line]}, format="json")
        assert answer.status_code == 400, line
    assert client.get(f"/api/contacts/{row['id']}").json()["extraInfo"] == row["extraInfo"]
