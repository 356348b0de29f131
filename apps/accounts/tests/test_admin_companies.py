"""The super user's day with companies in the Django admin."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection as database
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.audit.services import record
from apps.billing.models import Invoice
from apps.companies.models import Company
from apps.mail.models import Mail
from tests.factories import make_company, make_user

pytestmark = pytest.mark.django_db
COMPANIES = "/admin/companies/company/"


@pytest.fixture
def office(super_user: User, client: Client) -> Client:
    """A client signed in as the super user."""
    client.force_login(super_user)
    return client


def act(office: Client, action: str, *companies: Company, **form: str) -> str:
    chosen = {"action": action, "_selected_action": [each.pk for each in companies], **form}
    answer = office.post(COMPANIES, chosen, follow=True)
    assert answer.status_code == 200
    return str(answer.content.decode())


def due(company: Company) -> date:
    company.refresh_from_db()
    return company.due_date


def shown(office: Client, **query: str) -> set[str]:
    answer: Any = office.get(COMPANIES, query)
    return {company.name for company in answer.context["cl"].result_list}


def test_due_dates_are_extended_by_the_recurrence_or_by_months(
    office: Client, acme: Company, globex: Company, super_user: User
) -> None:
    day = timezone.localdate() + timedelta(days=40)
    Company.objects.filter(pk=acme.pk).update(due_date=date(2030, 1, 31), recurrence="TRIMESTRAL")
    Company.objects.filter(pk=globex.pk).update(due_date=date(2030, 1, 31))
    assert "2 empresa(s) prorrogada(s)." in act(office, "extend", acme, globex, months="")
    assert (due(acme), due(globex)) == (date(2030, 4, 30), date(2030, 2, 28))
    act(office, "extend", acme, months="12")
    assert due(acme) == date(2031, 4, 30)
    entry = AuditEntry.objects.for_company(acme).latest("pk")
    assert (entry.action, entry.actor, entry.detail) == (
        "company.changed",
        super_user,
        {"fields": ["due_date"], "dueDate": "2031-04-30"},
    )
    assert day < due(globex)


def test_a_company_is_suspended_and_resumed(
    office: Client, acme: Company, events: list[dict[str, Any]]
) -> None:
    assert "1 empresa(s) suspensa(s)." in act(office, "suspend", acme)
    acme.refresh_from_db()
    assert not acme.is_enabled
    assert {"event": "recheck_company", "id": acme.pk} in events
    assert "1 empresa(s) reativada(s)." in act(office, "resume", acme)
    acme.refresh_from_db()
    assert acme.is_enabled


def test_company_1_is_neither_extended_nor_suspended(
    office: Client, operator_company: Company, acme: Company
) -> None:
    before = operator_company.due_date
    said = act(office, "extend", operator_company, acme, months="1")
    assert "A data de vencimento da empresa principal não pode ser alterada." in said
    assert "1 empresa(s) prorrogada(s)." in said
    assert "A empresa principal não pode ser desativada." in act(
        office, "suspend", operator_company
    )
    assert due(operator_company) == before
    assert operator_company.is_enabled


def test_companies_are_found_by_standing(office: Client, acme: Company, globex: Company) -> None:
    today = timezone.localdate()
    Company.objects.filter(pk=acme.pk).update(due_date=today + timedelta(days=5))
    Company.objects.filter(pk=globex.pk).update(due_date=today - timedelta(days=5))
    off = make_company(name="Desligada", is_enabled=False)
    gone = make_company(name="Excluída", deleted_at=timezone.now())
    assert shown(office) == {"Balcão", "Acme", "Globex", off.name}
    assert shown(office, standing="current") == {"Balcão", "Acme"}
    assert shown(office, standing="soon") == {"Acme"}
    assert shown(office, standing="overdue") == {"Globex"}
    assert shown(office, standing="suspended") == {off.name}
    assert shown(office, standing="deleted") == {gone.name}
    assert shown(office, q="glob") == {"Globex"}


def test_a_company_shows_its_users_and_invoices(office: Client, acme: Company, agent: User) -> None:
    Invoice.objects.create(company=acme, detail="Plano Ouro", value=90, due_date=date(2030, 1, 1))
    page = office.get(f"{COMPANIES}{acme.pk}/change/").content.decode()
    assert agent.email in page
    assert "Plano Ouro" in page
    assert f"/admin/accounts/user/{agent.pk}/change/" in page


def add_rows(number: int) -> None:
    company = make_company(name=f"Empresa {number}")
    user = make_user(company, email=f"{number}@example.com")
    Invoice.objects.create(company=company, detail="x", value=1, due_date=date(2030, 1, 1))
    record(action="session.opened", actor=user, company_id=company.pk)
    Mail.objects.create(
        company=company, recipient=user.email, subject="x", body="x", message_id=str(number)
    )


@pytest.mark.parametrize(
    "page",
    [
        "companies/company",
        "accounts/user",
        "billing/invoice",
        "billing/plan",
        "audit/auditentry",
        "mail/mail",
    ],
)
def test_a_list_takes_the_same_queries_however_long_it_is(office: Client, page: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(database) as taken:
            assert office.get(f"/admin/{page}/").status_code == 200
        return len(taken)

    add_rows(0)
    queries()  # what is looked up once
    few = queries()
    for number in range(1, 6):
        add_rows(number)
    assert queries() == few
