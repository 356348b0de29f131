"""Own roles: who may grant what, and who has to stay (rules/accounts §2)."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Role, User
from apps.accounts.permissions import ALL, OF_SUPERVISORS, OF_USERS, Permission
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.queues.models import Queue
from apps.realtime.rooms import company_room
from conftest import ClientFor
from tests.factories import make_admin, make_queue, make_role, make_user

pytestmark = pytest.mark.django_db
NEW = {"name": "Dora", "email": "dora@acme.example", "password": "12345"}
# May manage users, and what a `user` may.
MANAGER = OF_USERS | {Permission.USERS, Permission.SEE_ALL}


@pytest.fixture
def manager(acme: Company) -> User:
    return make_user(acme, role=make_role(acme, *MANAGER, name="Gerente"))


def put(client: Any, path: str, **body: Any) -> Any:
    return client.put(f"/api/{path}", body, format="json")


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_company_begins_with_the_three_fixed_roles(
    client_for: ClientFor, admin: User, agent: User
) -> None:
    body = client_for(agent).get("/api/roles").json()
    shown = [(role["id"], role["key"], role["name"], role["users"]) for role in body["roles"]]
    assert shown == [(None, "user", "", 1), (None, "supervisor", "", 0), (None, "admin", "", 1)]
    granted = [set(role["permissions"]) for role in body["roles"]]
    assert granted == [OF_USERS, OF_SUPERVISORS, ALL]
    assert body["requires"]["contacts:edit"] == "contacts:see"
    assert not Role.objects.exists()


def test_an_admin_makes_changes_and_deletes_a_role(
    client_for: ClientFor, admin: User, acme: Company, events: list[dict[str, Any]]
) -> None:
    client = client_for(admin)
    made = client.post(
        "/api/roles", {"name": "Caixa", "permissions": ["tickets:take"]}, format="json"
    )
    assert made.status_code == 201
    role = made.json()
    changed = put(client, f"roles/{role['id']}", permissions=["tickets:take", "tickets:resolve"])
    assert changed.json()["permissions"] == ["tickets:resolve", "tickets:take"]
    assert changed.json()["name"] == "Caixa"
    assert client.get(f"/api/roles/{role['id']}").json() == changed.json()
    assert client.delete(f"/api/roles/{role['id']}").status_code == 200
    assert not Role.objects.exists()
    told = [(each["event"], each["payload"]["action"], each["rooms"]) for each in events]
    rooms = [company_room(acme.pk)]
    assert told == [("role", action, rooms) for action in ("create", "update", "delete")]
    entries = AuditEntry.objects.filter(action__startswith="role.").order_by("pk")
    assert [each.action for each in entries] == ["role.created", "role.changed", "role.deleted"]
    assert entries[1].detail["added"] == ["tickets:resolve"]


def test_a_name_is_taken_once_whatever_its_case(
    client_for: ClientFor, admin: User, acme: Company
) -> None:
    make_role(acme, name="Caixa")
    answer = client_for(admin).post("/api/roles", {"name": "caixa", "permissions": []}, "json")
    assert refusal(answer) == (409, "ERR_ROLE_EXISTS")


def test_a_permission_needs_the_one_that_it_builds_on(client_for: ClientFor, admin: User) -> None:
    body = {"name": "Caixa", "permissions": ["contacts:edit"]}
    answer = client_for(admin).post("/api/roles", body, format="json")
    assert answer.status_code == 400
    assert list(answer.json()["fields"]) == ["permissions"]


def test_nobody_puts_into_a_role_what_they_lack(
    client_for: ClientFor, manager: User, acme: Company
) -> None:
    client = client_for(manager)
    more = {"name": "Dono", "permissions": [Permission.BILLING]}
    answer = client.post("/api/roles", more, format="json")
    assert refusal(answer) == (403, "ERR_GRANTS_MORE")
    assert answer.json()["permissions"] == [Permission.BILLING]
    richer = make_role(acme, Permission.BILLING, name="Financeiro")
    # Neither is it taken away from others.
    assert refusal(put(client, f"roles/{richer.pk}", permissions=[]))[1] == "ERR_GRANTS_MORE"
    assert refusal(client.delete(f"/api/roles/{richer.pk}"))[1] == "ERR_GRANTS_MORE"
    assert put(client, f"roles/{manager.role_id}", permissions=sorted(ALL)).status_code == 403
    assert set(Role.objects.get(pk=richer.pk).permissions) == {Permission.BILLING}


@pytest.mark.parametrize("key", ["admin", "richer"])
def test_nobody_gives_a_role_that_allows_more_than_the_own(
    client_for: ClientFor, manager: User, agent: User, acme: Company, key: str
) -> None:
    richer = make_role(acme, Permission.BILLING)
    role = str(richer.pk) if key == "richer" else key
    client = client_for(manager)
    assert refusal(put(client, f"users/{agent.pk}", role=role)) == (403, "ERR_GRANTS_MORE")
    answer = client.post("/api/users", {**NEW, "role": role}, format="json")
    assert refusal(answer) == (403, "ERR_GRANTS_MORE")
    assert not User.objects.filter(email=NEW["email"]).exists()
    agent.refresh_from_db()
    assert agent.role_key == "user"


def test_who_manages_users_does_not_touch_who_may_more(
    client_for: ClientFor, manager: User, admin: User, acme: Company
) -> None:
    richer = make_user(acme, role=make_role(acme, Permission.BILLING))
    client = client_for(manager)
    for user, code in (
        (richer, "ERR_CANNOT_EDIT_USER_WITH_MORE"),
        (admin, "ERR_CANNOT_EDIT_USER_CANNOT_EDIT_ADMIN"),
    ):
        assert refusal(put(client, f"users/{user.pk}", password="outra senha")) == (403, code)
        assert refusal(client.delete(f"/api/users/{user.pk}")) == (403, code)


def test_nobody_puts_others_into_queues_that_they_do_not_see(
    client_for: ClientFor, acme: Company, agent: User, queue: Queue
) -> None:
    role = make_role(acme, *(MANAGER - {Permission.SEE_ALL}))
    manager = make_user(acme, queues=[queue], role=role)
    client = client_for(manager)
    other = make_queue(acme)
    answer = put(client, f"users/{agent.pk}", queueIds=[queue.pk, other.pk])
    assert refusal(answer) == (403, "ERR_GRANTS_MORE")
    assert put(client, f"users/{agent.pk}", queueIds=[]).status_code == 200
    assert put(client, f"users/{agent.pk}", queueIds=[queue.pk]).status_code == 200
    assert refusal(put(client, f"users/{manager.pk}", queueIds=[other.pk]))[0] == 403


def test_a_user_gets_a_role_and_older_browsers_see_the_profile(
    client_for: ClientFor, admin: User, agent: User, acme: Company
) -> None:
    client, role = client_for(admin), make_role(acme, Permission.TAKE, name="Caixa")
    row = put(client, f"users/{agent.pk}", role=str(role.pk)).json()
    assert (row["profile"], row["role"], row["roleName"]) == ("user", str(role.pk), "Caixa")
    assert row in client.get("/api/users").json()["users"]
    # The dialog of an older browser sends the profile as it read it.
    assert put(client, f"users/{agent.pk}", profile="user").json()["role"] == str(role.pk)
    row = put(client, f"users/{agent.pk}", role="supervisor").json()
    assert (row["profile"], row["role"], row["roleName"]) == ("user", "supervisor", "")
    row = put(client, f"users/{agent.pk}", profile="admin").json()
    assert (row["profile"], row["role"], row["roleName"]) == ("admin", "admin", "")


def test_role_and_profile_must_agree(client_for: ClientFor, admin: User, agent: User) -> None:
    client, both = client_for(admin), {"role": "supervisor", "profile": "admin"}
    for answer in (
        put(client, f"users/{agent.pk}", **both),
        client.post("/api/users", {**NEW, **both}, format="json"),
    ):
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["profile"])
    made = client.post("/api/users", {**NEW, "role": "supervisor"}, format="json").json()
    assert (made["profile"], made["role"], made["seesAll"]) == ("user", "supervisor", True)


@pytest.mark.parametrize("role", ["0", "chefe", "9" * 20, "²"])
def test_an_unknown_role_is_refused(
    client_for: ClientFor, admin: User, agent: User, role: str
) -> None:
    answer = put(client_for(admin), f"users/{agent.pk}", role=role)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["role"])


def test_nobody_changes_the_own_role(client_for: ClientFor, manager: User) -> None:
    answer = put(client_for(manager), f"users/{manager.pk}", role="supervisor")
    assert refusal(answer) == (403, "ERR_CANNOT_EDIT_OR_DEMOTE_OWN_ACCOUNT")


def test_the_last_who_may_manage_users_stays(client_for: ClientFor, acme: Company) -> None:
    role = make_role(acme, *MANAGER)
    first, second = make_user(acme, role=role), make_user(acme, role=role)
    last = (409, "ERR_LAST_MANAGER")
    client = client_for(first)
    assert refusal(put(client, f"roles/{role.pk}", permissions=sorted(OF_USERS))) == last
    assert client.delete(f"/api/users/{second.pk}").status_code == 200
    role.refresh_from_db()
    assert role.granted == MANAGER
    # With an admin beside them the role may lose it.
    make_admin(acme)
    assert put(client, f"roles/{role.pk}", permissions=sorted(OF_USERS)).status_code == 200


def test_the_last_admin_stays_whoever_else_may_manage_users(
    client_for: ClientFor, super_user: User
) -> None:
    """Only the super user may change an admin; that one is an admin, too, unless it is demoted."""
    company = super_user.company
    admin = make_admin(company)
    make_user(company, role=make_role(company, *ALL))
    client = client_for(super_user)
    assert put(client, f"users/{admin.pk}", role="user").status_code == 200
    assert put(client, f"users/{admin.pk}", role="admin").status_code == 200
    User.objects.filter(pk=super_user.pk).update(profile="user")
    for answer in (
        put(client, f"users/{admin.pk}", role="user"),
        client.delete(f"/api/users/{admin.pk}"),
    ):
        assert refusal(answer) == (409, "ERR_LAST_ADMIN")
    assert User.objects.get(pk=admin.pk).is_admin


def test_a_disabled_admin_does_not_count(client_for: ClientFor, acme: Company) -> None:
    make_admin(acme, is_active=False)
    role = make_role(acme, *MANAGER)
    answer = put(client_for(make_user(acme, role=role)), f"roles/{role.pk}", permissions=[])
    assert refusal(answer) == (409, "ERR_LAST_MANAGER")


def test_a_role_that_somebody_has_is_not_deleted(
    client_for: ClientFor, admin: User, manager: User
) -> None:
    answer = client_for(admin).delete(f"/api/roles/{manager.role_id}")
    assert refusal(answer) == (409, "ERR_ROLE_IN_USE")
    assert answer.json()["users"] == 1


def test_who_has_a_changed_role_is_judged_anew(
    client_for: ClientFor, admin: User, manager: User, events: list[dict[str, Any]]
) -> None:
    put(client_for(admin), f"roles/{manager.role_id}", permissions=sorted(OF_USERS))
    assert {"event": "recheck_user", "id": manager.pk} in events
    assert set(
        client_for(User.objects.get(pk=manager.pk)).get("/api/auth/me").json()["granted"]
    ) == (OF_USERS)


def test_the_session_says_what_is_granted_and_which_pages_it_opens(
    client_for: ClientFor, admin: User, manager: User
) -> None:
    session = client_for(manager).get("/api/auth/me").json()
    assert set(session["granted"]) == MANAGER
    assert session["pages"] == ["contacts", "schedules", "users", "team"]
    assert "settings" in client_for(admin).get("/api/auth/me").json()["pages"]


def test_only_an_own_role_takes_a_query(
    agent: User, admin: User, manager: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    agent, admin, manager = (User.objects.get(pk=each.pk) for each in (agent, admin, manager))
    with django_assert_num_queries(0):
        assert (agent.granted, admin.granted) == (OF_USERS, ALL)
    with django_assert_num_queries(1):
        assert manager.granted == MANAGER
        assert manager.may(Permission.USERS)
