"""/companies: the companies of the service (rules/companies §1)."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.companies.models import Company
from apps.companies.queries import setting_of
from apps.companies.services.keeping import trial_end
from conftest import ClientFor
from tests.factories import PASSWORD, make_company, make_plan

pytestmark = pytest.mark.django_db

PATH = "/api/companies"


def test_the_super_user_makes_a_company_with_its_first_admin(
    client_for: ClientFor, super_user: User
) -> None:
    plan = make_plan()
    body = {
        "name": "Nova Ltda.",
        "email": "Dona@nova.example",
        "phone": "11 98888-7777",
        "planId": plan.pk,
        "status": "t",
        "dueDate": "2027-03-31",
        "recurrence": "TRIMESTRAL",
        "campaignsEnabled": False,
        "billingName": "Nova Ltda. ME",
        "password": PASSWORD,
    }
    answer = client_for(super_user).post(PATH, body, "json")
    assert answer.status_code == 201, answer.content
    row = answer.json()
    assert (row["dueDate"], row["recurrence"], row["status"]) == ("2027-03-31", "TRIMESTRAL", True)
    assert (row["billingName"], row["plan"]["id"]) == ("Nova Ltda. ME", plan.pk)
    assert {"key": "campaignsEnabled", "value": "false"} in row["settings"]
    login = {"email": "dona@nova.example", "password": PASSWORD}
    session = client_for(None).post("/api/auth/login", login, "json")
    assert session.json()["user"]["profile"] == "admin"
    assert session.json()["user"]["companyId"] == row["id"]


@pytest.mark.parametrize("due_date", [None, "", "Invalid date"])
def test_a_due_date_is_never_none(
    client_for: ClientFor, super_user: User, acme: Company, due_date: Any
) -> None:
    client = client_for(super_user)
    body = {"name": "Nova", "planId": acme.plan_id, "dueDate": due_date}
    assert client.post(PATH, body, "json").json()["dueDate"] == trial_end().isoformat()
    changed = client.put(f"{PATH}/{acme.pk}", {"name": "Acme 2", "dueDate": due_date}, "json")
    assert (changed.json()["name"], changed.json()["dueDate"]) == (
        "Acme 2",
        acme.due_date.isoformat(),
    )


def test_what_is_resent_unchanged_is_no_change(
    client_for: ClientFor, super_user: User, acme: Company, events: list[dict[str, Any]]
) -> None:
    client = client_for(super_user)
    row = client.get(f"{PATH}/{acme.pk}").json()
    assert client.put(f"{PATH}/{acme.pk}", row, "json").json() == row
    assert not AuditEntry.objects.exists()
    body = {**row, "dueDate": "2031-01-31T00:00:00.000Z", "campaignsEnabled": "enabled"}
    changed = client.put(f"{PATH}/{acme.pk}", body, "json").json()
    assert changed["dueDate"] == "2031-01-31"
    assert setting_of(acme.pk, "campaignsEnabled") == "enabled"
    entry = AuditEntry.objects.get(action="company.changed")
    assert entry.detail == {"fields": ["due_date"], "dueDate": "2031-01-31"}
    assert {"event": "recheck_company", "id": acme.pk} in events


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"dueDate": "2030-01-01"}, 403, "ERR_CANNOT_UPDATE_SUPER_COMPANY_DUE_DATE"),
        ({"status": False}, 400, "ERR_VALIDATION"),
    ],
)
def test_company_1_neither_expires_nor_is_switched_off(
    client_for: ClientFor, super_user: User, body: dict[str, Any], status: int, code: str
) -> None:
    answer = client_for(super_user).put(f"{PATH}/1", {"phone": "1", **body}, "json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert Company.objects.get(pk=1).phone == ""
    # Its own form sends the date that it has.
    kept = {"phone": "2", "dueDate": super_user.company.due_date.isoformat(), "status": True}
    assert client_for(super_user).put(f"{PATH}/1", kept, "json").status_code == 200


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"name": "A"}, "name", "ERR_VALIDATION"),
        ({"name": "Globex"}, "name", "ERR_COMPANY_NAME_EXISTS"),
        ({"planId": 999_999}, "planId", "ERR_VALIDATION"),
        ({"email": "x"}, "email", "ERR_VALIDATION"),
        ({"recurrence": "DIÁRIA"}, "recurrence", "ERR_VALIDATION"),
        ({"campaignsEnabled": "talvez"}, "campaignsEnabled", "ERR_VALIDATION"),
        ({"password": PASSWORD}, "email", "ERR_VALIDATION"),
        ({"password": "1234", "email": "a@b.example"}, "password", "ERR_VALIDATION"),
        ({"password": PASSWORD, "email": "outsider@globex.example"}, "email", "ERR_EMAIL_EXISTS"),
    ],
)
def test_a_wrong_company_is_told_at_its_field_and_not_made(
    client_for: ClientFor,
    super_user: User,
    outsider: User,
    changes: dict[str, Any],
    field: str,
    code: str,
) -> None:
    count = Company.objects.count()
    body = {"name": "Nova", "planId": outsider.company.plan_id, **changes}
    answer = client_for(super_user).post(PATH, body, "json")
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert list(answer.json()["fields"]) == [field]
    assert Company.objects.count() == count


def test_an_admin_keeps_whom_to_bill_and_nothing_else(client_for: ClientFor, admin: User) -> None:
    client = client_for(admin)
    path = f"{PATH}/{admin.company_id}"
    row = client.get(path).json()
    assert row.keys() >= {
        *("id", "name", "email", "phone", "planId", "status", "dueDate", "recurrence", "settings"),
        *("schedules", "billingName", "addressZipCode", "addressStreet", "addressState"),
        *("addressCity", "addressDistrict"),
    }
    changed = client.put(path, {**row, "billingName": "Acme S.A.", "addressCity": "Recife"}, "json")
    assert (changed.json()["billingName"], changed.json()["addressCity"]) == ("Acme S.A.", "Recife")
    for body in ({"dueDate": "2040-01-01"}, {"planId": make_plan().pk}, {"name": "Outra"}):
        answer = client.put(path, body, "json")
        assert (answer.status_code, answer.json()["code"]) == (403, "ERR_NO_PERMISSION")
    answer = client.put(path, {"campaignsEnabled": "false"}, "json")
    assert answer.json()["code"] == "ERR_NO_PERMISSION"
    company = Company.objects.get(pk=admin.company_id)
    assert (company.name, company.due_date) == ("Acme", admin.company.due_date)


def test_lists_hold_all_for_the_super_user_and_the_own_for_others(
    client_for: ClientFor,
    super_user: User,
    admin: User,
    globex: Company,
    django_assert_num_queries: Any,
) -> None:
    for number in range(25):
        make_company(name=f"Padaria {number:02}", email="pão@x.example")
    client = client_for(super_user)
    with django_assert_num_queries(3):
        page = client.get(PATH).json()
    assert (len(page["companies"]), page["count"], page["hasMore"]) == (20, 28, True)
    found = client.get(f"{PATH}/?searchParam=PAO&pageNumber=2").json()
    assert [row["name"] for row in found["companies"]] == [f"Padaria {n}" for n in range(20, 25)]
    with django_assert_num_queries(2):
        assert len(client.get(f"{PATH}/list").json()) == 28
    own = client_for(admin).get(PATH).json()
    assert [row["name"] for row in own["companies"]] == ["Acme"]
    assert [row["name"] for row in client_for(admin).get(f"{PATH}/list").json()] == ["Acme"]


def test_a_trial_ends_tomorrow_or_when_the_operator_says_where_the_company_is(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    # Late in the evening in São Paulo it is the next day in London already.
    evening = timezone.datetime.fromisoformat("2026-05-20T23:30:00-03:00")  # type: ignore[attr-defined]
    monkeypatch.setattr(timezone, "now", lambda: evening)
    assert trial_end() == date(2026, 5, 20) + timedelta(days=1)
    settings.TRIAL_DAYS = 14
    assert trial_end() == date(2026, 5, 20) + timedelta(days=14)
