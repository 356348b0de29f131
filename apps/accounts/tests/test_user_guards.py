"""The table of rules/accounts §4, one test a row."""

from typing import Any

import pytest

from apps.accounts.models import Profile, User
from apps.companies.models import Company
from conftest import ClientFor
from tests.factories import PASSWORD, make_admin, make_connection, make_queue, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator_admin(operator_company: Company, super_user: User) -> User:
    """An admin beside the super user."""
    return make_admin(operator_company)


def refusal(answer: Any) -> tuple[int, str]:
    assert answer.json()["error"] == answer.json()["code"]
    return answer.status_code, answer.json()["code"]


def put(client: Any, user: User, **changes: Any) -> Any:
    return client.put(f"/api/users/{user.pk}", changes, format="json")


def as_dialog_sends(user: User, **changes: Any) -> dict[str, Any]:
    return {
        "name": user.name,
        "email": user.email,
        "password": "",
        "profile": user.profile,
        "whatsappId": user.connection_id or "",
        "queueIds": [queue.pk for queue in user.queues.all()],
        "companyId": user.company_id,
        **changes,
    }


def test_a_user_neither_creates_changes_nor_deletes_someone_else(
    client_for: ClientFor, agent: User, acme: Company
) -> None:
    other = make_user(acme)
    client = client_for(agent)
    new = {"name": "Dora", "email": "dora@acme.example", "password": "12345"}
    forbidden = (403, "ERR_NO_PERMISSION")
    assert refusal(client.post("/api/users", new, format="json")) == forbidden
    assert refusal(put(client, other, name="Outro")) == forbidden
    assert refusal(put(client, other, **as_dialog_sends(other))) == forbidden
    assert refusal(client.delete(f"/api/users/{other.pk}")) == forbidden
    assert refusal(client.delete(f"/api/users/{agent.pk}")) == forbidden


def test_nobody_deletes_the_super_user(
    client_for: ClientFor, super_user: User, operator_admin: User
) -> None:
    for actor in (super_user, operator_admin):
        answer = client_for(actor).delete(f"/api/users/{super_user.pk}")
        assert refusal(answer) == (403, "ERR_NO_USER_DELETE")


def test_only_the_super_user_touches_the_super_users_profile(
    client_for: ClientFor, super_user: User, operator_admin: User
) -> None:
    answer = put(client_for(operator_admin), super_user, profile="user", name="Outro")
    assert refusal(answer) == (403, "ERR_CANNOT_EDIT_SUPER_USER_PROFILE")


@pytest.mark.parametrize("changes", [{"name": "Outro"}, {"password": "outra"}, {"email": "a@b.cc"}])
def test_only_the_super_user_changes_the_super_user(
    client_for: ClientFor, super_user: User, operator_admin: User, changes: dict[str, str]
) -> None:
    client = client_for(operator_admin)
    assert refusal(put(client, super_user, **changes)) == (403, "ERR_CANNOT_EDIT_SUPER_USER")
    answer = put(client, super_user, **as_dialog_sends(super_user, **changes))
    assert refusal(answer) == (403, "ERR_CANNOT_EDIT_SUPER_USER")


def test_the_super_user_stays_an_admin(client_for: ClientFor, super_user: User) -> None:
    answer = put(client_for(super_user), super_user, profile="user")
    assert refusal(answer) == (403, "ERR_CANNOT_CHANGE_SUPER_ADMIN_PROFILE_TO_USER")


def test_an_admin_neither_changes_nor_deletes_another_admin(
    client_for: ClientFor, admin: User, acme: Company
) -> None:
    other = make_admin(acme)
    client = client_for(admin)
    forbidden = (403, "ERR_CANNOT_EDIT_USER_CANNOT_EDIT_ADMIN")
    assert refusal(put(client, other, name="Outro")) == forbidden
    assert refusal(put(client, other, profile="user")) == forbidden
    assert refusal(client.delete(f"/api/users/{other.pk}")) == forbidden
    assert put(client, other, **as_dialog_sends(other)).status_code == 200


def test_the_super_user_changes_and_deletes_admins_of_the_own_company(
    client_for: ClientFor, super_user: User, operator_admin: User
) -> None:
    client = client_for(super_user)
    assert put(client, operator_admin, name="Outro").json()["name"] == "Outro"
    assert client.delete(f"/api/users/{operator_admin.pk}").status_code == 200


def test_an_admin_does_not_delete_the_own_account(client_for: ClientFor, admin: User) -> None:
    answer = client_for(admin).delete(f"/api/users/{admin.pk}")
    assert refusal(answer) == (403, "ERR_CANNOT_EDIT_OR_DELETE_OWN_ADMIN_ACCOUNT")


def test_nobody_changes_the_own_profile(client_for: ClientFor, admin: User, agent: User) -> None:
    forbidden = (403, "ERR_CANNOT_EDIT_OR_DEMOTE_OWN_ACCOUNT")
    assert refusal(put(client_for(admin), admin, profile="user")) == forbidden
    assert refusal(put(client_for(agent), agent, profile="admin")) == forbidden
    agent.refresh_from_db()
    assert agent.profile == Profile.USER


def test_a_user_does_not_change_the_own_queues_or_connection(
    client_for: ClientFor, agent: User, acme: Company
) -> None:
    forbidden = (403, "ERR_CANNOT_EDIT_OR_DEMOTE_OWN_ACCOUNT")
    client = client_for(agent)
    assert refusal(put(client, agent, queueIds=[])) == forbidden
    assert refusal(put(client, agent, queueIds=[make_queue(acme).pk])) == forbidden
    assert refusal(put(client, agent, whatsappId=make_connection(acme).pk)) == forbidden


def test_an_admin_changes_the_own_queues_and_connection(
    client_for: ClientFor, admin: User, acme: Company
) -> None:
    connection = make_connection(acme)
    answer = put(client_for(admin), admin, queueIds=[make_queue(acme).pk], whatsappId=connection.pk)
    assert (answer.status_code, answer.json()["whatsappId"]) == (200, connection.pk)


@pytest.mark.parametrize("name", ["admin", "agent", "super_user"])
def test_anyone_changes_own_name_email_and_password(
    client_for: ClientFor, request: pytest.FixtureRequest, name: str
) -> None:
    user: User = request.getfixturevalue(name)
    changes = {"name": "Novo", "email": "novo@example.com", "password": "segredo"}
    changes["currentPassword"] = PASSWORD
    answer = put(client_for(user), user, **as_dialog_sends(user, **changes))
    assert (answer.status_code, answer.json()["email"]) == (200, "novo@example.com")


def test_a_promoted_user_is_out_of_an_admins_reach(
    client_for: ClientFor, admin: User, agent: User
) -> None:
    client = client_for(admin)
    assert put(client, agent, profile="admin").json()["profile"] == "admin"
    assert put(client, agent, profile="user").status_code == 403


def test_an_admin_deletes_an_attendant(client_for: ClientFor, admin: User, agent: User) -> None:
    assert client_for(admin).delete(f"/api/users/{agent.pk}").status_code == 200
