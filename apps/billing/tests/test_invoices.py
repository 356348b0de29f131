"""Invoices: made ahead of their day, read by the company's admins (rules/billing §1)."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import User
from apps.billing.models import Invoice, PaymentOutcome, Plan
from apps.billing.services.invoices import make_invoices
from apps.companies.models import Company
from conftest import ClientFor
from tests.factories import make_company, make_invoice

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 20, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)


def due(company: Company, day: date, **fields: Any) -> None:
    Company.objects.filter(pk=company.pk).update(due_date=day, **fields)


def test_one_is_made_ten_days_before_and_never_twice(acme: Company, plan: Plan) -> None:
    due(acme, date(2026, 5, 31))
    assert make_invoices() == 0
    due(acme, date(2026, 5, 30))
    assert make_invoices() == 1
    assert make_invoices() == 0
    invoice = Invoice.objects.get()
    assert (invoice.company, invoice.plan, invoice.due_date) == (acme, plan, date(2026, 5, 30))
    assert (invoice.value, invoice.status) == (Decimal("49.90"), "open")
    assert invoice.detail == "Plano Básico (mensal)"
    assert invoice.created_at == NOON


def test_the_price_is_the_plans_for_each_month(acme: Company, plan: Plan) -> None:
    due(acme, date(2026, 5, 21), recurrence="TRIMESTRAL")
    make_invoices()
    invoice = Invoice.objects.get()
    assert (invoice.value, invoice.detail) == (Decimal("149.70"), "Plano Básico (trimestral)")


def test_an_overdue_company_gets_its_invoice_too(acme: Company, plan: Plan) -> None:
    due(acme, date(2026, 5, 1))
    assert make_invoices() == 1


def test_who_owes_nothing_gets_none(
    operator_company: Company, acme: Company, plan: Plan, globex: Company
) -> None:
    operator_company.plan = plan
    operator_company.due_date = date(2026, 5, 21)
    operator_company.save()
    due(acme, date(2026, 5, 21), is_enabled=False)
    due(globex, date(2026, 5, 21))  # its plan is free
    assert make_invoices() == 0


def test_of_one_company_alone(acme: Company, plan: Plan) -> None:
    due(acme, date(2026, 5, 21))
    other = make_company(plan=plan, due_date=date(2026, 5, 21))
    assert make_invoices(company_id=other.pk) == 1
    assert Invoice.objects.get().company == other


def test_many_companies_take_as_many_statements_as_one(
    acme: Company, plan: Plan, queries: CaptureQueriesContext
) -> None:
    for _ in range(30):
        make_company(plan=plan, due_date=date(2026, 5, 21))
    with queries:
        assert make_invoices() == 30
    assert len(queries) == 1


@pytest.fixture
def queries() -> CaptureQueriesContext:
    from django.db import connection

    return CaptureQueriesContext(connection)


@pytest.mark.parametrize("origin", ["", "http://testserver", "https://balcao.example"])
def test_programs_and_our_own_pages_get_a_page(
    origin: str, admin: User, invoice: Invoice, client_for: ClientFor, settings: Settings
) -> None:
    settings.PUBLIC_URL = "https://balcao.example"
    paid = make_invoice(
        admin.company, due_date=invoice.due_date - timedelta(days=31), status="paid"
    )
    headers = {"Origin": origin, "Host": "testserver"} if origin else {}
    for path in ("/api/invoices/all", "/api/invoices/all/?searchParam=&pageNumber=1"):
        answer = client_for(admin).get(path, headers=headers)
        assert "Origin" in answer.headers["Vary"]
        body = answer.json()
        assert [row["id"] for row in body["invoices"]] == [invoice.pk, paid.pk]
        assert (body["count"], body["hasMore"]) == (2, False)
    assert body["invoices"][0] == {
        "id": invoice.pk,
        "kind": "period",
        "detail": "Plano Básico (mensal)",
        "value": 49.9,
        "dueDate": invoice.due_date.isoformat(),
        "status": "open",
        "paidAt": None,
        "received": 0.0,
    }
    assert body["invoices"][1]["status"] == "paid"


def test_older_browsers_get_an_array_of_all_invoices(
    admin: User, invoice: Invoice, client_for: ClientFor, settings: Settings
) -> None:
    older = "https://older.example"
    settings.CORS_ALLOWED_ORIGINS = [older]
    settings.MIDDLEWARE = ["corsheaders.middleware.CorsMiddleware", *settings.MIDDLEWARE]
    for days in range(1, 25):
        make_invoice(admin.company, due_date=invoice.due_date - timedelta(days=days))
    answer = client_for(admin).get("/api/invoices/all?searchParam=&pageNumber=1", HTTP_ORIGIN=older)
    rows = answer.json()
    assert [len(rows), rows[0]["id"], rows[0]["value"]] == [25, invoice.pk, 49.9]
    assert answer.headers["Access-Control-Allow-Origin"] == older
    assert answer.headers["Access-Control-Allow-Credentials"] == "true"
    assert "origin" in answer.headers["Vary"].lower()


def test_older_browsers_search_too_and_read_no_other_companys_invoices(
    admin: User, outsider: User, invoice: Invoice, client_for: ClientFor
) -> None:
    found = {
        text: client_for(who)
        .get(f"/api/invoices/all?searchParam={text}", HTTP_ORIGIN="https://older.example")
        .json()
        for who, text in ((admin, "basico"), (admin, "nada"), (outsider, ""))
    }
    assert [row["id"] for row in found["basico"]] == [invoice.pk]
    assert (found["nada"], found[""]) == ([], [])


def test_the_list_is_searched_by_detail_and_id(
    admin: User, invoice: Invoice, client_for: ClientFor
) -> None:
    make_invoice(admin.company, detail="Ajuste")
    client = client_for(admin)
    for text in ("BASICO", str(invoice.pk)):
        found = client.get(f"/api/invoices/all?searchParam={text}").json()
        assert invoice.pk in [row["id"] for row in found["invoices"]]
    found = client.get("/api/invoices/all?searchParam=ajuste").json()
    assert [row["detail"] for row in found["invoices"]] == ["Ajuste"]


def test_a_page_takes_few_queries_however_long_it_is(
    admin: User, plan: Plan, client_for: ClientFor, queries: CaptureQueriesContext
) -> None:
    for days in range(25):
        made = make_invoice(admin.company, due_date=date(2026, 1, 1) + timedelta(days=days))
        made.payments.create(
            company=admin.company,
            provider="efi",
            reference=f"E{days}",
            value=Decimal("10"),
            outcome=PaymentOutcome.PARTIAL,
            paid_at=NOON,
        )
    with queries:
        body = client_for(admin).get("/api/invoices/all").json()
    assert (len(body["invoices"]), body["count"], body["hasMore"]) == (20, 25, True)
    assert body["invoices"][0]["received"] == 10.0
    assert len(queries) <= 4


def test_anothers_invoice_is_not_there(
    outsider: User, invoice: Invoice, client_for: ClientFor
) -> None:
    client = client_for(outsider)
    assert client.get("/api/invoices/all").json()["invoices"] == []
    answer = client.get(f"/api/invoices/{invoice.pk}")
    assert (answer.status_code, answer.json()["code"]) == (404, "ERR_NO_INVOICE_FOUND")


def test_an_overdue_companys_admin_reads_them_with_the_token_for_paying(
    admin: User, invoice: Invoice, client_for: ClientFor
) -> None:
    due(admin.company, date(2026, 5, 1))
    client = client_for(None)
    login = client.post("/api/auth/login", {"email": admin.email, "password": "balcao123"})
    assert login.status_code == 402
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {login.json()['token']}")
    assert client.get("/api/invoices/all").status_code == 200
    assert client.get(f"/api/invoices/{invoice.pk}").status_code == 200
    assert client.get("/api/queue").status_code == 402
