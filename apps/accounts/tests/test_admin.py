"""The Django admin, for the super user alone."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import timezone
from django.utils.text import capfirst

from apps.accounts.models import RefreshSession, User
from apps.accounts.services.sessions import sign_in
from apps.audit.models import AuditEntry
from apps.billing.models import Invoice, Plan
from apps.billing.services.payments import confirm_payment
from apps.companies.models import Company, CompanySetting
from config.admin_names import APPS, FIELDS, MODELS
from tests.factories import PASSWORD, make_company, make_invoice, make_plan, make_role

pytestmark = pytest.mark.django_db
ROWS = ("users", "invoices")


@pytest.fixture
def office(super_user: User, client: Client) -> Client:
    """A client signed in as the super user."""
    client.force_login(super_user)
    return client


def log_in(client: Client, user: User, password: str = PASSWORD) -> Any:
    return client.post("/admin/login/?next=/admin/", {"username": user.email, "password": password})


def test_the_super_user_signs_in_and_is_audited(client: Client, super_user: User) -> None:
    assert log_in(client, super_user).headers["Location"] == "/admin/"
    entry = AuditEntry.objects.get(action="session.opened")
    assert (entry.actor, entry.detail, entry.ip_address) == (
        super_user,
        {"scope": "admin", "device": ""},
        "127.0.0.1",
    )


@pytest.mark.parametrize("name", ["admin", "agent"])
def test_nobody_else_gets_in(client: Client, request: pytest.FixtureRequest, name: str) -> None:
    user: User = request.getfixturevalue(name)
    assert log_in(client, user).status_code == 200
    client.force_login(user)
    assert client.get("/admin/").status_code == 302
    assert not AuditEntry.objects.exists()


def test_failures_are_counted_with_those_of_the_api(client: Client, super_user: User) -> None:
    for _ in range(10):
        assert log_in(client, super_user, "errada").status_code == 200
    assert "Muitas tentativas" in log_in(client, super_user).content.decode()
    body = {"email": super_user.email, "password": PASSWORD}
    assert client.post("/api/auth/login", body, "application/json").status_code == 429


def test_strangers_hold_nobody_back_in_a_browser_that_knows_the_admin(
    client: Client, super_user: User
) -> None:
    assert "known_browser" not in log_in(client, super_user, "errada").cookies
    cookie = log_in(client, super_user).cookies["known_browser"]
    assert cookie["httponly"]
    client.logout()
    client.cookies["known_browser"] = cookie.value
    for _ in range(10):
        log_in(Client(), super_user, "errada")
    assert "Muitas tentativas" in log_in(Client(), super_user).content.decode()
    assert log_in(client, super_user).headers["Location"] == "/admin/"


def test_the_styles_are_served(client: Client, db: None) -> None:
    page = client.get("/admin/login/").content.decode()
    assert "/static/admin/css/base.css" in page
    assert finders.find("admin/css/base.css")
    assert client.get("/static/admin/css/base.css").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "companies/company/",
        "companies/company/add/",
        "billing/plan/",
        "billing/plan/add/",
        "accounts/user/",
        "accounts/user/add/",
        "audit/auditentry/",
    ],
)
def test_every_page_opens(office: Client, agent: User, path: str) -> None:
    assert office.get(f"/admin/{path}").status_code == 200


def test_the_audit_log_is_for_reading(office: Client, agent: User) -> None:
    sign_in(email=agent.email, password=PASSWORD, ip_address="203.0.113.9")
    entry = AuditEntry.objects.get(actor=agent)
    page = office.get(f"/admin/audit/auditentry/{entry.pk}/change/")
    assert "203.0.113.9" in page.content.decode()
    assert office.post(f"/admin/audit/auditentry/{entry.pk}/change/", {}).status_code == 403
    assert office.get("/admin/audit/auditentry/add/").status_code == 403
    assert office.post(f"/admin/audit/auditentry/{entry.pk}/delete/", {}).status_code == 403


def company_page(office: Client, path: str) -> dict[str, Any]:
    """Return what stands in the form of a company's page, as a browser sends it back."""
    page: Any = office.get(path)
    fields = list(page.context["adminform"].form)
    assert all(f'name="{each.html_initial_name}"' in page.content.decode() for each in fields)
    shown = {
        name: each.value()
        for each in fields
        for name in (each.html_name, each.html_initial_name)
        # A box that is not ticked is not sent; what the page was loaded with always is.
        if each.value() is not False or name == each.html_initial_name
    }
    rows = {f"{each}-{count}_FORMS": 0 for each in ROWS for count in ("TOTAL", "INITIAL")}
    return {**rows, **{name: "" if value is None else value for name, value in shown.items()}}


def test_a_company_is_opened_and_switched_off(
    office: Client, globex: Company, super_user: User, events: list[dict[str, Any]]
) -> None:
    path = "/admin/companies/company/add/"
    new = {"name": "Nova", "plan": globex.plan_id, "due_date": "2030-01-01"}
    assert office.post(path, {**company_page(office, path), **new}).status_code == 302
    company = Company.objects.get(name="Nova")
    assert (company.plan, company.due_date) == (globex.plan, date(2030, 1, 1))
    assert (company.recurrence, company.is_enabled) == ("MENSAL", True)
    path = f"/admin/companies/company/{company.pk}/change/"
    form = company_page(office, path)
    del form["is_enabled"]
    assert office.post(path, form).status_code == 302
    company.refresh_from_db()
    assert not company.is_enabled
    assert {"event": "recheck_company", "id": company.pk} in events
    told = AuditEntry.objects.for_company(company).order_by("pk")
    assert [(each.action, each.detail["fields"]) for each in told] == [
        ("company.created", ["name", "plan_id", "due_date"]),
        ("company.changed", ["is_enabled"]),
    ]
    assert {each.ip_address for each in told} == {"127.0.0.1"}


def test_an_older_page_of_a_company_takes_back_no_payment(
    office: Client, super_user: User, acme: Company
) -> None:
    better = make_plan(name="Completo", value=120)
    path = f"/admin/companies/company/{acme.pk}/change/"
    form = company_page(office, path)
    invoice = make_invoice(acme, plan=better)
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    paid = Company.objects.get(pk=acme.pk)
    assert (paid.plan, paid.due_date) != (acme.plan, acme.due_date)
    assert office.post(path, {**form, "phone": "11 4002-8922"}).status_code == 302
    acme.refresh_from_db()
    assert (acme.phone, acme.plan, acme.due_date) == ("11 4002-8922", better, paid.due_date)
    entry = AuditEntry.objects.filter(action="company.changed").latest("pk")
    assert entry.detail == {"fields": ["phone"]}
    # Saved without a change it is none.
    count = AuditEntry.objects.count()
    assert office.post(path, company_page(office, path)).status_code == 302
    assert AuditEntry.objects.count() == count


@pytest.mark.parametrize("typed", [{"due_date": "2030-05-05"}, {"plan": "other"}])
def test_what_a_payment_moved_meanwhile_is_not_written_over(
    office: Client, super_user: User, acme: Company, typed: dict[str, Any]
) -> None:
    better, other = make_plan(name="Completo", value=120), make_plan(name="Outro")
    path = f"/admin/companies/company/{acme.pk}/change/"
    form = {**company_page(office, path), "phone": "11 4002-8922", **typed}
    if "plan" in typed:
        form["plan"] = other.pk
    confirm_payment(invoice_id=make_invoice(acme, plan=better).pk, actor=super_user)
    paid = Company.objects.get(pk=acme.pk)
    answer = office.post(path, form, follow=True)
    sentence = f"o plano Completo e vence em {paid.due_date:%d/%m/%Y}. Nada foi salvo."
    assert sentence in answer.content.decode()
    acme.refresh_from_db()
    assert (acme.plan, acme.due_date, acme.phone) == (better, paid.due_date, "")
    # The page that is shown then is as the company is stored, and can be saved.
    office.post(path, {**company_page(office, path), "due_date": "2030-05-05"})
    acme.refresh_from_db()
    assert acme.due_date == date(2030, 5, 5)


def test_a_date_that_is_moved_by_hand_has_its_invoice(office: Client, acme: Company) -> None:
    Plan.objects.filter(pk=acme.plan_id).update(value=90)
    soon = timezone.localdate() + timedelta(days=3)
    path = f"/admin/companies/company/{acme.pk}/change/"
    office.post(path, {**company_page(office, path), "due_date": soon.isoformat()})
    assert Invoice.objects.get(company=acme).due_date == soon
    path = "/admin/companies/company/add/"
    new = {"name": "Nova", "plan": acme.plan_id, "due_date": soon.isoformat()}
    office.post(path, {**company_page(office, path), **new})
    assert Invoice.objects.get(company__name="Nova").due_date == soon


def test_a_plan_that_is_changed_by_hand_prices_open_invoices_anew(
    office: Client, acme: Company
) -> None:
    invoice, better = make_invoice(acme), make_plan(name="Completo", value=120)
    path = f"/admin/companies/company/{acme.pk}/change/"
    form = {**company_page(office, path), "plan": better.pk, "recurrence": "ANUAL"}
    assert office.post(path, form).status_code == 302
    invoice.refresh_from_db()
    assert (invoice.plan, invoice.detail) == (better, "Plano Completo (anual)")
    assert invoice.value == 1440


def test_company_1_neither_expires_nor_is_switched_off_nor_deleted(
    office: Client, operator_company: Company
) -> None:
    before = operator_company.due_date
    path = "/admin/companies/company/1/change/"
    form = {**company_page(office, path), "due_date": "2020-01-01", "is_enabled": ""}
    assert office.post(path, form).status_code == 302
    operator_company.refresh_from_db()
    assert (operator_company.due_date, operator_company.is_enabled) == (before, True)
    assert office.post("/admin/companies/company/1/delete/", {"post": "yes"}).status_code == 403


def test_a_plan_is_changed_and_only_an_unused_one_deleted(office: Client) -> None:
    used, unused = make_plan(name="Usado"), make_plan(name="Livre")
    make_company(plan=used)
    form = {
        "name": "Usado",
        "users": 5,
        "connections": 1,
        "queues": 2,
        "campaigns": 0,
        "schedules": 0,
        "value": "99.90",
    }
    office.post(f"/admin/billing/plan/{used.pk}/change/", form)
    used.refresh_from_db()
    assert (used.users, used.use_kanban) == (5, False)
    for plan in (used, unused):
        office.post(f"/admin/billing/plan/{plan.pk}/delete/", {"post": "yes"})
    assert not Plan.objects.filter(pk=unused.pk).exists()
    assert Plan.objects.filter(pk=used.pk).exists()
    actions = AuditEntry.objects.values_list("action", flat=True)
    assert set(actions) == {"plan.changed", "plan.deleted"}


def user_form(user: User, **changes: Any) -> dict[str, Any]:
    form = {
        "name": user.name,
        "email": user.email,
        "role_key": user.role_key,
        "is_active": "on",
        "new_password": "",
        **changes,
    }
    return {name: value for name, value in form.items() if value is not None}


def test_a_user_is_added_to_any_company(office: Client, acme: Company) -> None:
    form = {
        "company": acme.pk,
        "name": "Dora",
        "email": "Dora@acme.example",
        "role_key": "admin",
        "new_password": "uma senha",
    }
    assert office.post("/admin/accounts/user/add/", form).status_code == 302
    user = User.objects.get(email="dora@acme.example")
    assert (user.company, user.is_admin, user.is_super) == (acme, True, False)
    assert user.check_password("uma senha")
    page = office.post("/admin/accounts/user/add/", {**form, "email": "DORA@acme.example"})
    assert page.status_code == 200
    assert User.objects.filter(name="Dora").count() == 1


def test_a_plan_without_room_is_said(office: Client, acme: Company, agent: User) -> None:
    acme.plan = make_plan(users=1)
    acme.save()
    form = {
        "company": acme.pk,
        "name": "Dora",
        "email": "dora@acme.example",
        "role_key": "user",
        "new_password": "uma senha",
    }
    page = office.post("/admin/accounts/user/add/", form, follow=True)
    assert "permite até 1" in page.content.decode()
    assert not User.objects.filter(name="Dora").exists()


def test_a_user_is_promoted_given_a_password_and_switched_off(
    office: Client, agent: User, events: list[dict[str, Any]]
) -> None:
    sign_in(email=agent.email, password=PASSWORD, ip_address=None)
    path = f"/admin/accounts/user/{agent.pk}/change/"
    form = user_form(agent, role_key="admin", new_password="outra senha", is_active=None)
    assert office.post(path, form).status_code == 302
    agent.refresh_from_db()
    assert (agent.is_admin, agent.is_active) == (True, False)
    assert agent.check_password("outra senha")
    assert not RefreshSession.objects.filter(user=agent).exists()
    actions = set(AuditEntry.objects.values_list("action", flat=True))
    assert {"user.profile_changed", "user.disabled"} <= actions
    assert {"event": "recheck_user", "id": agent.pk} in events


def test_a_user_gets_a_role_of_the_company(office: Client, acme: Company, agent: User) -> None:
    role, foreign = make_role(acme, name="Caixa"), make_role(make_company(), name="Alheio")
    path = f"/admin/accounts/user/{agent.pk}/change/"
    page = office.get(path).content.decode()
    assert "Caixa" in page
    assert "Alheio" not in page
    assert office.post(path, user_form(agent, role_key=str(foreign.pk))).status_code == 200
    for key in (str(role.pk), "supervisor", "user"):
        assert office.post(path, user_form(agent, role_key=key)).status_code == 302
        agent = User.objects.get(pk=agent.pk)
        assert agent.role_key == key
    changes = AuditEntry.objects.filter(action="user.profile_changed").order_by("pk")
    assert changes[0].detail == {"from": "user", "to": str(role.pk), "role": "Caixa"}


def test_the_last_admin_is_not_demoted(office: Client, acme: Company, admin: User) -> None:
    path = f"/admin/accounts/user/{admin.pk}/change/"
    page = office.post(path, user_form(admin, role_key="user"), follow=True)
    assert "A empresa ficaria sem administrador" in page.content.decode()
    admin.refresh_from_db()
    assert admin.is_admin


def test_the_super_user_stays_an_active_admin(office: Client, super_user: User) -> None:
    form = user_form(super_user, role_key="user", is_active=None, name="Dona")
    office.post(f"/admin/accounts/user/{super_user.pk}/change/", form)
    super_user.refresh_from_db()
    assert (super_user.name, super_user.is_admin, super_user.is_active) == ("Dona", True, True)
    path = f"/admin/accounts/user/{super_user.pk}/delete/"
    assert office.post(path, {"post": "yes"}).status_code == 403


def test_every_page_has_portuguese_names(office: Client) -> None:
    pages = office.get("/admin/").content.decode()
    for model in filter(admin.site.is_registered, apps.get_models()):
        meta = model._meta
        assert meta.app_label in APPS, meta.app_label
        assert meta.label_lower in MODELS or meta.app_label == "auth", meta.label_lower
        unnamed = {field.name for field in meta.fields} - {"id", "password", "last_login"}
        assert unnamed <= FIELDS.keys(), meta.label_lower
        assert capfirst(str(meta.verbose_name_plural)) in pages or meta.app_label == "auth"
    assert "Cobrança" in pages


def test_times_are_those_of_the_operators_company(office: Client, super_user: User) -> None:
    company = super_user.company
    invoice = make_invoice(company, paid_at=datetime(2026, 3, 1, 1, 30, tzinfo=UTC))
    address = f"/admin/billing/invoice/?id={invoice.pk}"
    # In São Paulo it is still the day before.
    assert "28 de Fevereiro de 2026 às 22:30" in office.get(address).content.decode()
    CompanySetting.objects.create(company=company, key="timeZone", value="Europe/Lisbon")
    assert "1 de Março de 2026 às 01:30" in office.get(address).content.decode()
