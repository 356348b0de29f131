"""The second factor of a sign-in (rules/accounts §10)."""

from datetime import timedelta
from typing import Any

import pyotp
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.models import Authenticator, RecoveryCode, User
from apps.accounts.services import two_factor
from apps.audit.models import AuditEntry
from conftest import ClientFor
from tests.factories import PASSWORD, make_admin

pytestmark = pytest.mark.django_db

OWN = {"currentPassword": PASSWORD}


def login(user: User, **body: str) -> Any:
    fields = {"email": user.email, "password": PASSWORD, **body}
    return APIClient().post("/api/auth/login", fields, format="json")


def code_at(secret: str, *, intervals: int = 0) -> str:
    moment = timezone.now() + timedelta(seconds=intervals * two_factor.INTERVAL_SECONDS)
    return pyotp.TOTP(secret).at(moment)


@pytest.fixture
def enrolled(agent: User, client_for: ClientFor) -> tuple[User, str, list[str]]:
    """The agent with a second factor, its secret and its recovery codes."""
    client = client_for(agent)
    secret = client.post("/api/auth/two-factor", OWN, format="json").json()["secret"]
    code = code_at(secret, intervals=-1)
    answer = client.put("/api/auth/two-factor", {"code": code}, format="json")
    return agent, secret, answer.json()["recoveryCodes"]


def test_an_account_without_one_signs_in_by_password_alone(agent: User) -> None:
    assert login(agent).status_code == 200


def test_a_secret_that_no_code_was_shown_of_asks_for_nothing(
    agent: User, client_for: ClientFor
) -> None:
    begun = client_for(agent).post("/api/auth/two-factor", OWN, format="json").json()
    parsed = pyotp.parse_uri(begun["address"])
    assert (parsed.secret, parsed.name, parsed.issuer) == (begun["secret"], agent.email, "Balcão")
    assert login(agent).status_code == 200
    standing = client_for(agent).get("/api/auth/two-factor").json()
    assert standing == {"activeSince": None, "recoveryCodes": 0}


def test_the_code_is_asked_for_once_one_was_shown(
    enrolled: tuple[User, str, list[str]], client_for: ClientFor
) -> None:
    user, secret, codes = enrolled
    standing = client_for(user).get("/api/auth/two-factor/").json()
    assert standing["activeSince"] is not None
    assert standing["recoveryCodes"] == len(set(codes)) == 10
    answer = login(user)
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_TWO_FACTOR_REQUIRED")
    answer = login(user, code="000000")
    assert (answer.status_code, answer.json()["code"]) == (401, "ERR_TWO_FACTOR_CODE")
    assert login(user, code=code_at(secret)).status_code == 200
    entry = AuditEntry.objects.get(action="user.two_factor_enabled")
    assert (entry.actor, entry.company_id) == (user, user.company_id)


def test_without_the_password_nobody_learns_that_a_code_is_asked_for(
    enrolled: tuple[User, str, list[str]],
) -> None:
    user, secret, _ = enrolled
    answer = login(user, password="errada", code=code_at(secret))
    assert answer.json()["code"] == "ERR_INVALID_CREDENTIALS"


def test_no_code_is_good_twice_nor_one_before_the_last(
    enrolled: tuple[User, str, list[str]],
) -> None:
    user, secret, _ = enrolled
    code = code_at(secret, intervals=1)
    assert login(user, code=f" {code[:3]} {code[3:]} ").status_code == 200
    assert login(user, code=code).status_code == 401
    assert login(user, code=code_at(secret)).status_code == 401


def test_a_code_of_two_intervals_ago_is_too_old(enrolled: tuple[User, str, list[str]]) -> None:
    user, secret, _ = enrolled
    Authenticator.objects.update(last_interval=0)
    assert login(user, code=code_at(secret, intervals=-3)).status_code == 401
    assert login(user, code=code_at(secret, intervals=3)).status_code == 401


def test_a_recovery_code_lets_in_once(
    enrolled: tuple[User, str, list[str]], client_for: ClientFor
) -> None:
    user, _, codes = enrolled
    assert login(user, code=codes[3].lower()).status_code == 200
    assert login(user, code=codes[3]).status_code == 401
    user.refresh_from_db()
    assert client_for(user).get("/api/auth/two-factor").json()["recoveryCodes"] == 9


def test_new_recovery_codes_end_the_old_ones(
    enrolled: tuple[User, str, list[str]], client_for: ClientFor
) -> None:
    user, _, codes = enrolled
    path = "/api/auth/two-factor/recovery-codes"
    answer = client_for(user).post(path, OWN, format="json")
    new = answer.json()["recoveryCodes"]
    assert len(new) == 10 and not set(new) & set(codes)
    assert login(user, code=codes[0]).status_code == 401
    assert login(user, code=new[0]).status_code == 200
    assert not RecoveryCode.objects.filter(code_hash__in=new).exists()


def test_codes_are_guessed_no_faster_than_passwords(
    enrolled: tuple[User, str, list[str]],
) -> None:
    user, secret, _ = enrolled
    for _ in range(10):
        assert login(user, code="111111").status_code == 401
    answer = login(user, code=code_at(secret))
    assert (answer.status_code, answer.json()["code"]) == (429, "ERR_TOO_MANY_REQUESTS")


def test_the_owner_takes_it_away_by_password(
    enrolled: tuple[User, str, list[str]], client_for: ClientFor
) -> None:
    user, _, _ = enrolled
    client = client_for(user)
    wrong = client.delete("/api/auth/two-factor", {"currentPassword": "x"}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "ERR_WRONG_PASSWORD")
    assert login(user).status_code == 401
    assert client.delete("/api/auth/two-factor", OWN, format="json").status_code == 200
    assert login(user).status_code == 200
    assert not RecoveryCode.objects.exists()


def test_what_is_set_up_is_not_set_up_anew(
    enrolled: tuple[User, str, list[str]], client_for: ClientFor
) -> None:
    user, secret, _ = enrolled
    client = client_for(user)
    begun = client.post("/api/auth/two-factor", OWN, format="json")
    assert (begun.status_code, begun.json()["code"]) == (409, "ERR_TWO_FACTOR_ACTIVE")
    confirmed = client.put("/api/auth/two-factor", {"code": code_at(secret)}, format="json")
    assert (confirmed.status_code, confirmed.json()["code"]) == (409, "ERR_TWO_FACTOR_ACTIVE")


def test_a_wrong_code_confirms_nothing(agent: User, client_for: ClientFor) -> None:
    client = client_for(agent)
    early = client.put("/api/auth/two-factor", {"code": "123456"}, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "ERR_TWO_FACTOR_NOT_BEGUN")
    client.post("/api/auth/two-factor", OWN, format="json")
    answer = client.put("/api/auth/two-factor", {"code": "12345a"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_TWO_FACTOR_CODE")
    assert list(answer.json()["fields"]) == ["code"]
    assert login(agent).status_code == 200


def test_an_admin_helps_who_lost_the_telephone(
    enrolled: tuple[User, str, list[str]], admin: User, client_for: ClientFor
) -> None:
    user, _, _ = enrolled
    client = client_for(admin)
    assert client.get(f"/api/users/{user.pk}/two-factor").json()["activeSince"] is not None
    assert client.delete(f"/api/users/{user.pk}/two-factor").status_code == 200
    assert login(user).status_code == 200
    entry = AuditEntry.objects.get(action="user.two_factor_disabled")
    assert (entry.actor, entry.object_id) == (admin, str(user.pk))


def test_an_admin_leaves_another_admins_alone_and_the_own_to_the_password(
    admin: User, client_for: ClientFor
) -> None:
    other = make_admin(admin.company)
    client = client_for(admin)
    refused = client.delete(f"/api/users/{other.pk}/two-factor")
    assert refused.json()["code"] == "ERR_CANNOT_EDIT_USER_CANNOT_EDIT_ADMIN"
    own = client.delete(f"/api/users/{admin.pk}/two-factor")
    assert (own.status_code, own.json()["code"]) == (403, "ERR_OWN_TWO_FACTOR")
    assert "Perfil" in own.json()["message"]


def admin_login(user: User, **body: str) -> Any:
    fields = {"username": user.email, "password": PASSWORD, **body}
    return Client().post("/admin/login/?next=/admin/", fields)


def test_the_operators_pages_ask_for_it_too(super_user: User, client_for: ClientFor) -> None:
    client = client_for(super_user)
    secret = client.post("/api/auth/two-factor", OWN, format="json").json()["secret"]
    client.put("/api/auth/two-factor", {"code": code_at(secret, intervals=-1)}, format="json")
    refused = admin_login(super_user)
    assert refused.status_code == 200
    assert "Informe o código de 6 dígitos" in refused.content.decode()
    assert "_auth_user_id" not in refused.wsgi_request.session
    assert admin_login(super_user, code="000000").status_code == 200
    assert admin_login(super_user, code=code_at(secret)).status_code == 302


def test_the_operator_ends_anybodys(
    enrolled: tuple[User, str, list[str]], super_user: User
) -> None:
    user, _, _ = enrolled
    client = Client()
    client.force_login(super_user)
    listed = client.get("/admin/accounts/user/").content.decode()
    assert "Duas etapas" in listed
    client.post(
        "/admin/accounts/user/", {"action": "end_two_factor", "_selected_action": [user.pk]}
    )
    assert login(user).status_code == 200


def test_a_command_lets_the_super_user_in_again(
    enrolled: tuple[User, str, list[str]], capsys: Any
) -> None:
    user, _, _ = enrolled
    call_command("disable_two_factor", user.email.upper())
    call_command("disable_two_factor", user.email)
    assert "has no second factor" in capsys.readouterr().out
    assert login(user).status_code == 200
    with pytest.raises(CommandError, match="No account"):
        call_command("disable_two_factor", "ninguem@example.com")
