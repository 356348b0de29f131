"""/users: lists, shapes, rules of fields and events."""

from typing import Any

import pytest

from apps.accounts.models import RefreshSession, User
from apps.accounts.services import users
from apps.accounts.services.sessions import sign_in
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.realtime.rooms import company_room
from conftest import ClientFor
from tests.factories import PASSWORD, make_connection, make_plan, make_queue, make_user

pytestmark = pytest.mark.django_db
NEW = {"name": "Dora", "email": "dora@acme.example", "password": "12345"}


def test_the_list_answers_a_page_of_the_company(
    client_for: ClientFor, agent: User, admin: User, outsider: User
) -> None:
    body = client_for(agent).get("/api/users/").json()
    assert [user["email"] for user in body["users"]] == [admin.email, agent.email]
    assert (body["count"], body["hasMore"]) == (2, False)
    assert "password" not in str(body)


def test_the_list_is_searched_by_name_and_email(
    client_for: ClientFor, agent: User, admin: User
) -> None:
    def found(text: str) -> list[int]:
        answer = client_for(admin).get("/api/users", {"searchParam": text})
        return [user["id"] for user in answer.json()["users"]]

    assert found("aLiCe") == [admin.pk]
    assert found("agent@") == [agent.pk]
    assert found("%") == []


def test_the_list_is_paged_by_twenty(client_for: ClientFor, admin: User, acme: Company) -> None:
    User.objects.bulk_create(
        User(company=acme, name=f"Pessoa {n:02}", email=f"p{n}@acme.example") for n in range(24)
    )
    first = client_for(admin).get("/api/users/").json()
    assert (len(first["users"]), first["count"], first["hasMore"]) == (20, 25, True)
    second = client_for(admin).get("/api/users/?pageNumber=2").json()
    assert (len(second["users"]), second["count"], second["hasMore"]) == (5, 25, False)
    assert client_for(admin).get("/api/users/?pageNumber=x").status_code == 400


@pytest.mark.parametrize("path", ["/api/users/", "/api/users/list"])
def test_lists_take_a_constant_number_of_queries(
    client_for: ClientFor,
    admin: User,
    acme: Company,
    queue: Queue,
    path: str,
    django_assert_max_num_queries: Any,
) -> None:
    client = client_for(User.objects.get(pk=admin.pk))
    with django_assert_max_num_queries(8) as few:
        client.get(path)
    for number in range(15):
        user = User.objects.create(company=acme, name="Eva", email=f"eva{number}@acme.example")
        user.queues.add(queue)
    client = client_for(User.objects.get(pk=admin.pk))
    with django_assert_max_num_queries(8) as many:
        assert len(str(client.get(path).json())) > 5000
    assert len(many) == len(few)


def test_the_options_ignore_another_companys_id(
    client_for: ClientFor, agent: User, outsider: User
) -> None:
    answer = client_for(agent).get(f"/api/users/list?companyId={outsider.company_id}")
    assert [user["id"] for user in answer.json()] == [agent.pk]


def test_creating_a_user(
    client_for: ClientFor,
    admin: User,
    queue: Queue,
    connection: Connection,
    events: list[dict[str, Any]],
) -> None:
    answer = client_for(admin).post(
        "/api/users",
        {
            **NEW,
            "email": " Dora@Acme.Example ",
            "profile": "admin",
            "queueIds": [queue.pk],
            "whatsappId": connection.pk,
        },
        format="json",
    )
    assert answer.status_code == 201
    body = answer.json()
    assert (body["name"], body["email"], body["profile"]) == ("Dora", "dora@acme.example", "admin")
    assert (body["whatsappId"], body["super"], body["online"]) == (connection.pk, False, False)
    assert [entry["id"] for entry in body["queues"]] == [queue.pk]
    user = User.objects.get(pk=body["id"])
    assert user.company == admin.company
    assert user.check_password("12345")
    event = events[0]
    assert (event["event"], event["payload"]["action"]) == ("user", "create")
    assert event["rooms"] == [company_room(admin.company_id)]
    assert event["payload"]["user"]["id"] == user.pk
    assert AuditEntry.objects.get(action="user.created").actor == admin


def test_a_new_user_is_an_attendant_unless_said_otherwise(
    client_for: ClientFor, admin: User
) -> None:
    body = {**NEW, "whatsappId": "", "queueIds": []}
    answer = client_for(admin).post("/api/users", body, format="json")
    assert (answer.json()["profile"], answer.json()["whatsappId"]) == ("user", None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "A"),
        ("name", "A" * 51),
        ("name", None),
        ("name", ""),
        ("name", {"a": 1}),
        ("email", "dora"),
        ("email", None),
        ("email", f"{'a' * 250}@acme.example"),
        ("password", "1234"),
        ("password", "1" * 51),
        ("password", ""),
        ("password", 5.5),
        ("profile", "super"),
        ("profile", None),
        ("whatsappId", "abc"),
        ("whatsappId", 99999999999999999999999),
        ("whatsappId", 0),
        ("queueIds", "abc"),
        ("queueIds", {"a": 1}),
        ("queueIds", None),
    ],
)
def test_every_field_has_its_rule(
    client_for: ClientFor, admin: User, field: str, value: object
) -> None:
    answer = client_for(admin).post("/api/users", {**NEW, field: value}, format="json")
    assert answer.status_code == 400, answer.content
    assert list(answer.json()["fields"]) == [field]
    assert not User.objects.filter(email=NEW["email"]).exists()


def test_a_new_user_needs_name_email_and_password(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).post("/api/users", {}, format="json")
    assert set(answer.json()["fields"]) == {"name", "email"}
    answer = client_for(admin).post("/api/users", {**NEW, "password": None}, format="json")
    assert set(answer.json()["fields"]) == {"password"}


def test_a_bad_entry_among_the_queues_is_named(client_for: ClientFor, admin: User) -> None:
    body = {**NEW, "queueIds": [1, "x", None, 99999999999999999999999]}
    answer = client_for(admin).post("/api/users", body, format="json")
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == {"queueIds.1", "queueIds.2", "queueIds.3"}


@pytest.mark.parametrize("body", ["[]", "null", "1", '"x"', "[[]]"])
def test_a_body_that_is_no_object_is_a_400(
    client_for: ClientFor, admin: User, agent: User, body: str
) -> None:
    client = client_for(admin)
    post = client.post("/api/users", body, content_type="application/json")
    put = client.put(f"/api/users/{agent.pk}", body, content_type="application/json")
    assert (post.status_code, put.status_code) == (400, 400)


def test_malformed_json_is_a_400(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).post("/api/users", "{", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_MALFORMED_REQUEST")


@pytest.mark.parametrize("method", ["get", "put", "delete"])
@pytest.mark.parametrize("pk", ["99999999999999999999999", "9223372036854775808", "0"])
def test_an_id_beyond_reach_is_a_404(
    client_for: ClientFor, admin: User, method: str, pk: str
) -> None:
    answer = getattr(client_for(admin), method)(f"/api/users/{pk}", {}, format="json")
    assert (answer.status_code, answer.json()["error"]) == (404, "ERR_NO_USER_FOUND")


def test_an_id_that_is_no_number_is_a_404(client_for: ClientFor, admin: User) -> None:
    assert client_for(admin).get("/api/users/abc").json()["code"] == "ERR_NOT_FOUND"


def test_an_email_is_taken_whatever_its_case_and_company(
    client_for: ClientFor, admin: User, agent: User, outsider: User
) -> None:
    for email in (agent.email.upper(), outsider.email):
        answer = client_for(admin).post("/api/users", {**NEW, "email": email}, format="json")
        assert (answer.status_code, answer.json()["code"]) == (400, "ERR_EMAIL_EXISTS")
        assert list(answer.json()["fields"]) == ["email"]
    answer = client_for(admin).put(f"/api/users/{agent.pk}", {"email": admin.email}, format="json")
    assert answer.json()["code"] == "ERR_EMAIL_EXISTS"


def taken(client: Any, agent: User, email: str, *, creates: bool) -> Any:
    if creates:
        return client.post("/api/users", {**NEW, "email": email}, format="json")
    return client.put(f"/api/users/{agent.pk}", {"email": email}, format="json")


@pytest.mark.parametrize("creates", [True, False])
def test_who_tries_which_emails_are_taken_has_to_wait(
    client_for: ClientFor, admin: User, agent: User, outsider: User, creates: bool
) -> None:
    client = client_for(admin)
    answers = [taken(client, agent, outsider.email, creates=creates) for _ in range(10)]
    assert {answer.json()["code"] for answer in answers} == {"ERR_EMAIL_EXISTS"}
    for email in (outsider.email, "ninguem@example.com"):
        for other in (True, False):
            answer = taken(client, agent, email, creates=other)
            assert (answer.status_code, answer.json()["code"]) == (429, "ERR_TOO_MANY_REQUESTS")
    entries = AuditEntry.objects.filter(action="user.email_refused")
    assert entries.count() == 10
    assert (entries[0].actor, entries[0].detail) == (admin, {"email": outsider.email})
    # What tells nothing of others goes on.
    same = {"name": "Outro nome", "email": agent.email}
    assert client.put(f"/api/users/{agent.pk}", same, format="json").status_code == 200


def test_the_own_email_is_counted_too(client_for: ClientFor, agent: User, outsider: User) -> None:
    client, changes = client_for(agent), {"email": outsider.email, "currentPassword": PASSWORD}
    for _ in range(10):
        answer = client.put(f"/api/users/{agent.pk}", changes, format="json")
        assert answer.json()["code"] == "ERR_EMAIL_EXISTS", answer.content
    assert client.put(f"/api/users/{agent.pk}", changes, format="json").status_code == 429


def test_emails_that_are_free_are_not_counted_and_a_change_is_audited(
    client_for: ClientFor, admin: User, agent: User
) -> None:
    client, former = client_for(admin), agent.email
    for number in range(12):
        email = f"agente{number}@example.com"
        assert taken(client, agent, email, creates=False).status_code == 200
    entry = AuditEntry.objects.filter(action="user.email_changed").earliest("pk")
    assert (entry.actor, entry.object_id) == (admin, str(agent.pk))
    assert entry.detail == {"from": former, "to": "agente0@example.com"}


def test_queues_and_connection_must_be_the_companys(
    client_for: ClientFor, admin: User, agent: User, globex: Company
) -> None:
    client = client_for(admin)
    for changes in (
        {"queueIds": [make_queue(globex).pk]},
        {"whatsappId": make_connection(globex).pk},
    ):
        for answer in (
            client.post("/api/users", {**NEW, **changes}, format="json"),
            client.put(f"/api/users/{agent.pk}", changes, format="json"),
        ):
            assert answer.status_code == 400
            assert list(answer.json()["fields"]) == list(changes)


def test_the_plan_limits_the_users(client_for: ClientFor, admin: User, acme: Company) -> None:
    acme.plan = make_plan(users=2)
    acme.save()
    client = client_for(admin)
    assert client.post("/api/users", NEW, format="json").status_code == 201
    answer = client.post("/api/users", {**NEW, "email": "eva@acme.example"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_PLAN_LIMIT")
    assert "2 usuários" in answer.json()["message"]
    assert answer.json()["limit"] == "users"


def test_changing_a_user(
    client_for: ClientFor, admin: User, agent: User, events: list[dict[str, Any]]
) -> None:
    other = make_queue(agent.company)
    answer = client_for(admin).put(
        f"/api/users/{agent.pk}",
        {"name": "Roberto", "profile": "admin", "queueIds": [other.pk], "password": ""},
        format="json",
    )
    assert answer.status_code == 200
    agent.refresh_from_db()
    assert (agent.name, agent.profile) == ("Roberto", "admin")
    assert [queue.pk for queue in agent.queues.all()] == [other.pk]
    assert agent.check_password(PASSWORD)
    assert [event["event"] for event in events] == ["user", "recheck_user"]
    assert events[0]["payload"]["action"] == "update"
    assert events[0]["payload"]["user"] == {
        **answer.json(),
        "company": events[0]["payload"]["user"]["company"],
        "createdAt": agent.created_at,
        "updatedAt": agent.updated_at,
    }
    entry = AuditEntry.objects.get(action="user.profile_changed")
    assert entry.detail == {"from": "user", "to": "admin"}
    assert entry.ip_address == "127.0.0.1"


def test_resending_unchanged_fields_changes_nothing(
    client_for: ClientFor, admin: User, agent: User, events: list[dict[str, Any]]
) -> None:
    row = client_for(admin).get(f"/api/users/{agent.pk}").json()
    row["queueIds"] = [queue["id"] for queue in row["queues"]]
    answer = client_for(agent).put(f"/api/users/{agent.pk}", row, format="json")
    assert answer.json() == client_for(admin).get(f"/api/users/{agent.pk}").json()
    assert events == []


def test_a_companyid_in_the_body_moves_nobody(
    client_for: ClientFor, admin: User, agent: User, globex: Company
) -> None:
    body = {"name": "Roberto", "companyId": globex.pk, "super": True, "id": 1}
    client_for(admin).put(f"/api/users/{agent.pk}", body, format="json")
    agent.refresh_from_db()
    assert (agent.company_id, agent.is_super) == (admin.company_id, False)


def test_a_password_set_by_an_admin_ends_the_users_sessions(
    client_for: ClientFor, admin: User, agent: User
) -> None:
    sign_in(email=agent.email, password=PASSWORD, ip_address=None)
    client_for(admin).put(f"/api/users/{agent.pk}", {"password": "novas"}, format="json")
    agent.refresh_from_db()
    assert agent.token_version == 2
    assert not RefreshSession.objects.filter(user=agent).exists()


def test_deleting_a_user_lets_go_what_they_hold_first(
    client_for: ClientFor,
    admin: User,
    agent: User,
    events: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left: list[bool] = []

    def see(user: User) -> None:
        left.append(User.objects.filter(pk=user.pk).exists())

    monkeypatch.setattr(users.user_removal, "_functions", [see])
    answer = client_for(admin).delete(f"/api/users/{agent.pk}")
    assert (answer.status_code, answer.json()) == (200, {"message": "Usuário excluído."})
    assert left == [True]
    assert not User.objects.filter(pk=agent.pk).exists()
    assert events[0]["payload"] == {"action": "delete", "userId": agent.pk}
    entry = AuditEntry.objects.get(action="user.deleted")
    assert (entry.object_id, entry.ip_address) == (str(agent.pk), "127.0.0.1")


def test_a_disabled_user_is_signed_out_and_lets_go(
    agent: User, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[User] = []
    monkeypatch.setattr(users.user_removal, "_functions", [left.append])
    sign_in(email=agent.email, password=PASSWORD, ip_address=None)
    users.set_active(user=agent, is_active=False, actor=admin)
    agent.refresh_from_db()
    assert (agent.is_active, agent.token_version, left) == (False, 2, [agent])
    users.set_active(user=agent, is_active=True, actor=admin)
    assert User.objects.get(pk=agent.pk).is_active


def test_the_super_user_sees_the_own_company_alone(
    client_for: ClientFor, super_user: User, agent: User
) -> None:
    client = client_for(super_user)
    assert [user["id"] for user in client.get("/api/users/").json()["users"]] == [super_user.pk]
    assert client.get(f"/api/users/{agent.pk}").status_code == 404
    assert client.put(f"/api/users/{agent.pk}", {"name": "X"}, format="json").status_code == 400
    assert client.put(f"/api/users/{agent.pk}", {"name": "Xu"}, format="json").status_code == 404
    assert client.delete(f"/api/users/{agent.pk}").status_code == 404


def test_two_people_may_share_a_name(client_for: ClientFor, admin: User, acme: Company) -> None:
    make_user(acme, name="Dora", email="other@acme.example")
    assert client_for(admin).post("/api/users", NEW, format="json").status_code == 201


def test_a_refused_field_names_the_rule_that_it_breaks(
    client_for: ClientFor, admin: User, outsider: User
) -> None:
    client = client_for(admin)
    answer = client.post("/api/users", {**NEW, "name": "", "email": "none"}, format="json").json()
    assert set(answer["fields"]) == {"name", "email"}
    assert answer["fieldCodes"]["name"] == "blank"
    assert answer["fieldCodes"]["email"] == "invalid"
    theirs = make_queue(outsider.company)
    answer = client.post("/api/users", {**NEW, "queueIds": [theirs.pk]}, format="json").json()
    assert answer["fieldCodes"] == {"queueIds": "does_not_exist"}
