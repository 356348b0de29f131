"""`manage.py bootstrap`, and opening companies."""

from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.accounts.services import open_company
from apps.accounts.services.taken_emails import EmailTaken
from apps.companies.models import Company
from tests.factories import make_company, make_plan

pytestmark = pytest.mark.django_db
GOOD: dict[str, Any] = {"email": "dona@empresa.example", "password": "uma senha boa"}


def bootstrap(**options: Any) -> str:
    output = StringIO()
    call_command("bootstrap", stdout=output, **options)
    return output.getvalue()


def test_it_makes_company_1_and_a_super_user_who_can_sign_in() -> None:
    assert "created" in bootstrap(**GOOD)
    user = User.objects.get()
    assert (user.company_id, user.is_super, user.is_admin) == (1, True, True)
    assert APIClient().post("/api/auth/login", GOOD, format="json").status_code == 200


def test_the_next_company_gets_the_next_id() -> None:
    bootstrap(**GOOD)
    assert make_company().pk > 1


def test_running_it_again_changes_nothing() -> None:
    bootstrap(**GOOD)
    before = (User.objects.get().password, Company.objects.count())
    output = bootstrap(email="outra@empresa.example", password="outra senha")
    assert "nothing was changed" in output
    assert (User.objects.get().password, Company.objects.count()) == before


def test_the_password_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOTSTRAP_PASSWORD", "do ambiente")
    bootstrap(email=GOOD["email"])
    assert User.objects.get().check_password("do ambiente")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"email": None}, "--email"),
        ({"email": "dona"}, "not an e-mail"),
        ({"password": "curta"}, "8 to 50"),
        ({"password": "a" * 51}, "8 to 50"),
        ({"password": "aaaaaaaaaa"}, "too few"),
        ({"password": None}, "BOOTSTRAP_PASSWORD"),
        ({"name": "A"}, "2 to 50"),
    ],
)
def test_what_is_wrong_is_said(
    options: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO())
    with pytest.raises(CommandError, match=sentence):
        bootstrap(**{**GOOD, **options})
    assert not User.objects.exists()


def test_a_company_opens_with_its_admin_or_not_at_all(operator_company: Company) -> None:
    options: dict[str, Any] = {
        "plan_id": make_plan().pk,
        "due_date": date(2030, 1, 1),
        "admin_name": "Dora",
        "admin_email": "Dora@nova.example",
        "admin_password": "12345",
    }
    company, admin = open_company(name="Nova", **options)
    assert (admin.company, admin.profile, admin.email) == (company, "admin", "dora@nova.example")
    with pytest.raises(EmailTaken):
        open_company(name="Outra", **options)
    assert not Company.objects.filter(name="Outra").exists()
