"""POST /auth/signup and /companies/cadastro: a company opened by oneself (rules/companies §7)."""

from datetime import timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.throttles import FREE_SIGNUPS
from apps.audit.models import AuditEntry
from apps.billing.models import Invoice, Plan
from apps.companies.models import Company
from apps.companies.queries import setting_of
from apps.companies.services.keeping import trial_end
from conftest import ClientFor
from tests.factories import make_company, make_plan

pytestmark = pytest.mark.django_db

PATHS = ["/api/auth/signup", "/api/companies/cadastro"]


def form(**changes: Any) -> dict[str, Any]:
    return {
        "name": "Nova",
        "email": "Dona@Nova.example",
        "phone": "(11) 98888-7777",
        "password": "segredo",
        "planId": make_plan().pk,
        **changes,
    }


@pytest.mark.parametrize("path", PATHS)
def test_the_server_sets_the_trial_whatever_the_browser_says(
    client_for: ClientFor, operator_company: Company, path: str
) -> None:
    body = form(recurrence="ANUAL", dueDate="2099-01-01", status="f", campaignsEnabled=False)
    answer = client_for(None).post(f"{path}/", body, "json")
    assert answer.status_code == 201, answer.content
    company = Company.objects.get(pk=answer.json()["id"])
    assert (company.name, company.phone, company.plan_id) == (
        "Nova",
        "(11) 98888-7777",
        body["planId"],
    )
    tomorrow = timezone.now().astimezone(ZoneInfo("America/Sao_Paulo")).date() + timedelta(days=1)
    assert company.due_date == company.trial_expires_on == tomorrow
    assert (company.recurrence, company.is_enabled) == ("MENSAL", True)
    assert setting_of(company.pk, "campaignsEnabled") == "true"
    user = User.objects.get(company=company)
    assert (user.email, user.profile, user.is_super) == ("dona@nova.example", "admin", False)
    entry = AuditEntry.objects.get(action="company.created")
    assert (entry.company_id, entry.actor_id, entry.ip_address) == (
        company.pk,
        user.pk,
        "127.0.0.1",
    )
    login = {"email": "dona@nova.example", "password": "segredo"}
    assert client_for(None).post("/api/auth/login", login, "json").status_code == 200


def test_what_it_costs_can_be_paid_at_once(
    client_for: ClientFor, operator_company: Company
) -> None:
    plan = make_plan(value=Decimal("49.90"))
    client_for(None).post(PATHS[0], form(planId=plan.pk), "json")
    invoice = Invoice.objects.get()
    assert (invoice.company.name, invoice.value, invoice.due_date) == (
        "Nova",
        plan.value,
        trial_end(),
    )


def test_company_and_person_may_have_two_names(
    client_for: ClientFor, operator_company: Company
) -> None:
    body = form(companyName="Nova Ltda.", name="Ana")
    company = Company.objects.get(pk=client_for(None).post(PATHS[0], body, "json").json()["id"])
    assert (company.name, company.users.get().name) == ("Nova Ltda.", "Ana")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"name": "Globex"}, "name", "ERR_COMPANY_NAME_EXISTS"),
        ({"email": "OUTSIDER@globex.example"}, "email", "ERR_EMAIL_EXISTS"),
        ({"name": "A"}, "name", "ERR_VALIDATION"),
        ({"name": "A" * 51}, "name", "ERR_VALIDATION"),
        ({"name": None}, "name", "ERR_VALIDATION"),
        ({"email": "x"}, "email", "ERR_VALIDATION"),
        ({"email": None}, "email", "ERR_VALIDATION"),
        ({"password": "1234"}, "password", "ERR_VALIDATION"),
        ({"password": "1" * 51}, "password", "ERR_VALIDATION"),
        ({"planId": 999_999}, "planId", "ERR_VALIDATION"),
        ({"planId": None}, "planId", "ERR_VALIDATION"),
    ],
)
def test_a_refused_form_makes_nothing(
    client_for: ClientFor,
    outsider: User,
    path: str,
    changes: dict[str, Any],
    field: str,
    code: str,
) -> None:
    before = (Company.objects.count(), User.objects.count())
    answer = client_for(None).post(path, form(**changes), "json")
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert list(answer.json()["fields"]) == [field]
    assert (Company.objects.count(), User.objects.count()) == before


def test_a_plan_that_is_not_public_is_not_offered(
    client_for: ClientFor, operator_company: Company
) -> None:
    body = form(planId=make_plan(is_public=False).pk)
    answer = client_for(None).post(PATHS[0], body, "json")
    assert list(answer.json()["fields"]) == ["planId"]


@pytest.mark.parametrize("path", PATHS)
def test_the_operator_may_switch_it_off(
    client_for: ClientFor, operator_company: Company, settings: Any, path: str
) -> None:
    Plan.objects.update(is_public=False)
    assert client_for(None).get(PATHS[0]).json() == {"enabled": True, "hasPlans": False}
    make_plan()
    assert client_for(None).get(PATHS[0]).json() == {"enabled": True, "hasPlans": True}
    settings.SIGNUP_ENABLED = False
    answer = client_for(None).post(path, form(), "json")
    assert (answer.status_code, answer.json()["code"]) == (403, "ERR_USER_CREATION_DISABLED")
    assert answer.json()["error"] == "ERR_USER_CREATION_DISABLED"
    make_plan()
    assert client_for(None).get(PATHS[0]).json() == {"enabled": False, "hasPlans": True}
    assert Company.objects.count() == 1


def test_one_address_opens_so_many_and_then_waits(
    client_for: ClientFor, operator_company: Company
) -> None:
    make_company(name="Globex")
    client = client_for(None)
    statuses = [
        client.post(PATHS[0], form(name="Globex"), "json").status_code for _ in range(FREE_SIGNUPS)
    ]
    assert statuses == [400] * FREE_SIGNUPS
    answer = client.post(PATHS[1], form(), "json")
    assert (answer.status_code, answer.json()["code"]) == (429, "ERR_TOO_MANY_REQUESTS")
    assert Company.objects.count() == 2
