"""/quick-messages: shapes, who reads and writes which, events."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.services import delete_user
from apps.accounts.services.service_tokens import create_token
from apps.companies.models import Company
from apps.library.models import QuickMessage
from apps.realtime.rooms import company_room, user_room
from conftest import ClientFor
from tests.factories import make_admin, make_quick_message, make_user

pytestmark = pytest.mark.django_db
Events = list[dict[str, Any]]
NEW = {"shortcode": "troca", "message": "Olá, {{firstName}}!", "geral": False}


@pytest.fixture
def colleague(acme: Company) -> User:
    return make_user(acme, name="Dora")


def shortcodes(answer: Any) -> list[str]:
    body = answer.json()
    return [row["shortcode"] for row in (body if isinstance(body, list) else body["records"])]


def told(events: Events, name: str = "quickmessage") -> list[tuple[str, Any, Any]]:
    """Return action, id and rooms of each event of a name."""
    return [
        (
            each["payload"]["action"],
            each["payload"].get("id") or each["payload"]["record"]["id"],
            each["rooms"],
        )
        for each in events
        if each["event"] == name
    ]


def test_a_quick_message_is_made_and_read(client_for: ClientFor, agent: User) -> None:
    client = client_for(agent)
    answer = client.post("/api/quick-messages", NEW, format="json")
    assert answer.status_code == 201
    row = answer.json()
    assert row == {
        **NEW,
        **{key: row[key] for key in ("id", "createdAt", "updatedAt")},
        "status": True,
        "mediaPath": None,
        "mediaName": None,
        "mediaMime": None,
        "mediaSize": None,
        "isMedia": False,
        "userId": agent.pk,
        "companyId": agent.company_id,
    }
    assert client.get(f"/api/quick-messages/{row['id']}/").json() == row
    page = client.get("/api/quick-messages").json()
    assert page == {"records": [row], "count": 1, "hasMore": False}
    assert client.get("/api/quick-messages/list").json() == [row]


def test_lists_hold_own_ones_and_shared_ones_by_shortcode(
    client_for: ClientFor, acme: Company, globex: Company, agent: User, colleague: User
) -> None:
    make_quick_message(acme, user=agent, shortcode="minha")
    make_quick_message(acme, user=colleague, shortcode="dela")
    make_quick_message(acme, user=colleague, shortcode="de-todos", is_shared=True)
    make_quick_message(acme, user=agent, shortcode="desligada", is_active=False)
    make_quick_message(globex, shortcode="alheia")
    client = client_for(agent)
    # The id of a colleague in the query opens nothing.
    page = client.get(f"/api/quick-messages?userId={colleague.pk}&companyId={globex.pk}")
    assert shortcodes(page) == ["de-todos", "desligada", "minha"]
    options = client.get(f"/api/quick-messages/list?userId={colleague.pk}")
    assert shortcodes(options) == ["de-todos", "minha"]


@pytest.mark.every_case
@pytest.mark.parametrize("text", ["REPOSICAO", "/repo", "São  Paulo", "etiqueta"])
def test_search_looks_into_shortcode_text_and_file_name(
    client_for: ClientFor, acme: Company, agent: User, text: str
) -> None:
    make_quick_message(
        acme,
        user=agent,
        shortcode="reposição",
        message="Enviamos de São Paulo.",
        media_path="x",
        media_name="Etiqueta.pdf",
    )
    make_quick_message(acme, user=agent, shortcode="outra")
    answer = client_for(agent).get("/api/quick-messages", {"searchParam": text})
    assert shortcodes(answer) == ["reposição"]


def test_pages_have_twenty_rows(client_for: ClientFor, acme: Company, agent: User) -> None:
    for number in range(21):
        make_quick_message(acme, user=agent, shortcode=f"atalho {number:02}")
    client = client_for(agent)
    first = client.get("/api/quick-messages").json()
    assert (len(first["records"]), first["count"], first["hasMore"]) == (20, 21, True)
    second = client.get("/api/quick-messages?pageNumber=2").json()
    assert ([row["shortcode"] for row in second["records"]], second["hasMore"]) == (
        ["atalho 20"],
        False,
    )


@pytest.mark.parametrize("path", ["/api/quick-messages", "/api/quick-messages/list"])
def test_a_list_takes_one_query(
    client_for: ClientFor, agent: User, path: str, django_assert_num_queries: Any
) -> None:
    client = client_for(User.objects.select_related("company__plan").get(pk=agent.pk))
    for _ in range(5):
        make_quick_message(agent.company, user=agent, media_path="1/x.pdf")
    with django_assert_num_queries(1):
        client.get(path)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "shortcode"),
        ({"shortcode": "  "}, "shortcode"),
        ({"shortcode": "/"}, "shortcode"),
        ({"shortcode": "a" * 51}, "shortcode"),
        ({"shortcode": "a", "message": "a" * 4097}, "message"),
        ({"shortcode": "a", "geral": "talvez"}, "geral"),
        ({"shortcode": "a", "status": []}, "status"),
    ],
)
def test_wrong_fields_are_named(
    client_for: ClientFor, agent: User, body: dict[str, Any], field: str
) -> None:
    answer = client_for(agent).post("/api/quick-messages", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_VALIDATION")
    assert list(answer.json()["fields"]) == [field]


def test_the_slash_is_no_part_of_the_shortcode(client_for: ClientFor, agent: User) -> None:
    row = client_for(agent).post("/api/quick-messages", {"shortcode": " /bom   dia "}).json()
    assert row["shortcode"] == "bom dia"


def test_a_shortcode_is_unique_for_its_owner(
    client_for: ClientFor, acme: Company, agent: User, colleague: User
) -> None:
    make_quick_message(acme, user=colleague, shortcode="troca", is_shared=True)
    client = client_for(agent)
    assert client.post("/api/quick-messages", NEW, format="json").status_code == 201
    answer = client.post("/api/quick-messages", {**NEW, "shortcode": "/Troca"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_SHORTCODE_ALREADY_EXISTS")
    assert list(answer.json()["fields"]) == ["shortcode"]
    other = make_quick_message(acme, user=agent, shortcode="outra")
    answer = client.put(f"/api/quick-messages/{other.pk}", {"shortcode": "troca"}, format="json")
    assert answer.json()["code"] == "ERR_SHORTCODE_ALREADY_EXISTS"


def test_a_shortcode_is_unique_among_those_of_programs(
    client_for: ClientFor, acme: Company, globex: Company, admin: User, agent: User
) -> None:
    token = create_token(actor=admin, fields={"name": "ERP", "scopes": ["messages"]})
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {token.text}")
    shared = NEW | {"geral": True}
    make_quick_message(globex, user=None, shortcode="troca", is_shared=True)
    assert client_for(agent).post("/api/quick-messages", shared, "json").status_code == 201
    assert program.post("/api/quick-messages", shared, "json").status_code == 201
    again = program.post("/api/quick-messages", shared | {"shortcode": "Troca"}, "json")
    assert (again.status_code, again.json()["code"]) == (400, "ERR_SHORTCODE_ALREADY_EXISTS")
    other = program.post("/api/quick-messages", shared | {"shortcode": "outra"}, "json").json()
    path = f"/api/quick-messages/{other['id']}"
    assert program.put(path, shared, "json").status_code == 400
    # Of a user who is deleted the shared ones stay, whatever their shortcodes; each can be changed.
    delete_user(actor=admin, user_id=agent.pk)
    for quick in QuickMessage.objects.for_company(acme.pk).filter(shortcode="troca"):
        changed = shared | {"message": "Boa tarde!"}
        assert program.put(f"/api/quick-messages/{quick.pk}", changed, "json").status_code == 200


def test_what_is_left_out_of_a_change_stays(
    client_for: ClientFor, acme: Company, agent: User
) -> None:
    quick = make_quick_message(acme, user=agent, shortcode="troca", message="Olá")
    path = f"/api/quick-messages/{quick.pk}"
    row = client_for(agent).put(path, {"status": False}, format="json").json()
    assert (row["shortcode"], row["message"], row["status"]) == ("troca", "Olá", False)
    # Older browsers resend the whole record.
    resent = {**row, "status": True, "mediaPath": "forjado", "userId": 1, "companyId": 1}
    changed = client_for(agent).put(path, resent, format="json").json()
    assert (changed["status"], changed["mediaPath"], changed["userId"]) == (True, None, agent.pk)


def test_a_private_one_is_nobody_elses(
    client_for: ClientFor, acme: Company, agent: User, admin: User, colleague: User
) -> None:
    path = f"/api/quick-messages/{make_quick_message(acme, user=agent).pk}"
    for caller in (admin, colleague):
        client = client_for(caller)
        for answer in (
            client.get(path),
            client.put(path, {"shortcode": "x"}, format="json"),
            client.post(f"{path}/media-upload"),
            client.delete(f"{path}/media-upload"),
            client.delete(path),
        ):
            assert (answer.status_code, answer.json()["code"]) == (
                404,
                "ERR_NO_QUICK_MESSAGE_FOUND",
            )


def test_a_shared_one_is_its_owners_and_an_admins_to_change(
    client_for: ClientFor, acme: Company, agent: User, admin: User, colleague: User
) -> None:
    quick = make_quick_message(acme, user=agent, is_shared=True)
    path = f"/api/quick-messages/{quick.pk}"
    client = client_for(colleague)
    assert client.get(path).status_code == 200
    for answer in (
        client.put(path, {"message": "x"}, format="json"),
        client.delete(f"{path}/media-upload"),
        client.delete(path),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
    changed = client_for(admin).put(path, {"message": "Nova"}, format="json").json()
    assert (changed["message"], changed["userId"]) == ("Nova", agent.pk)
    assert client_for(admin).delete(path).status_code == 200
    assert not QuickMessage.objects.exists()


def test_a_leaving_user_leaves_what_was_shared(
    client_for: ClientFor, acme: Company, agent: User, admin: User, colleague: User
) -> None:
    private = make_quick_message(acme, user=agent, shortcode="dele")
    shared = make_quick_message(acme, user=agent, shortcode="de todos", is_shared=True)
    delete_user(actor=admin, user_id=agent.pk)
    assert not QuickMessage.objects.filter(pk=private.pk).exists()
    row = client_for(colleague).get(f"/api/quick-messages/{shared.pk}").json()
    assert row["userId"] is None
    # Taken back, it becomes the admin's own, or nobody could reach it any more.
    path = f"/api/quick-messages/{shared.pk}"
    row = client_for(admin).put(path, {"geral": False}, format="json").json()
    assert (row["userId"], row["geral"]) == (admin.pk, False)


def test_events_of_a_private_one_go_to_its_owner(
    client_for: ClientFor, agent: User, events: Events
) -> None:
    client = client_for(agent)
    row = client.post("/api/quick-messages", NEW, format="json").json()
    path = f"/api/quick-messages/{row['id']}"
    client.put(path, {"message": "Outra"}, format="json")
    client.delete(path)
    own = [user_room(agent.pk)]
    expected = [("create", row["id"], own), ("update", row["id"], own), ("delete", row["id"], own)]
    assert told(events) == expected
    assert told(events, f"company{agent.company_id}-quickemessage") == expected
    assert (
        events[0]["payload"]["record"] == row or events[0]["payload"]["record"]["id"] == row["id"]
    )


def test_sharing_tells_everyone_and_taking_back_takes_it_from_the_others(
    client_for: ClientFor, agent: User, events: Events
) -> None:
    quick = make_quick_message(agent.company, user=agent)
    client = client_for(agent)
    path = f"/api/quick-messages/{quick.pk}"
    client.put(path, {"geral": True}, format="json")
    client.put(path, {"geral": False}, format="json")
    own, everyone = [user_room(agent.pk)], [company_room(agent.company_id)]
    assert told(events) == [
        ("update", quick.pk, everyone),
        ("delete", quick.pk, everyone),
        ("update", quick.pk, own),
    ]


def test_an_admin_of_another_company_reaches_nothing(
    client_for: ClientFor, acme: Company, globex: Company
) -> None:
    quick = make_quick_message(acme)
    client = client_for(make_admin(globex))
    assert client.get(f"/api/quick-messages/{quick.pk}").status_code == 404
    assert shortcodes(client.get("/api/quick-messages")) == []
    assert shortcodes(client.get("/api/quick-messages/list")) == []
