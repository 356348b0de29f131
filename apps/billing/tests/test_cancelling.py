"""Invoices that nobody is to pay any more (rules/billing §1 and §3)."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.billing.models import Invoice, Payment, PixCharge, Plan
from apps.billing.services.charges import check_due
from apps.billing.services.checkout import subscribe
from apps.billing.services.invoices import (
    InvoiceCancelled,
    InvoicePaid,
    InvoiceStillDue,
    cancel_invoice,
    make_invoices,
)
from apps.billing.services.payments import confirm_payment
from apps.billing.tests.efi import Efi
from apps.companies.models import Company
from apps.companies.services import months_later
from apps.companies.services.keeping import change_company, extend_company
from conftest import ClientFor
from tests.factories import make_invoice, make_plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def former(acme: Company, invoice: Invoice, super_user: User) -> Invoice:
    """The invoice of a due date that was given to the company as a present."""
    extend_company(company_id=acme.pk, months=1, actor=super_user)
    return invoice


def look() -> None:
    PixCharge.objects.unfinished().start_over(timezone.now() - timedelta(seconds=1))
    while check_due(limit=10):
        pass


def code_for(invoice: Invoice, actor: User) -> PixCharge:
    return subscribe(
        actor=actor, company_id=invoice.company_id, invoice_id=invoice.pk, asked={}, billing={}
    )


def test_the_invoice_of_a_day_that_was_given_away_is_cancelled_in_the_admin(
    client: Client, super_user: User, former: Invoice
) -> None:
    client.force_login(super_user)
    choice = {"action": "cancel", "_selected_action": [former.pk]}
    page = "/admin/billing/invoice/"
    companies = "/admin/companies/company/"
    owed: Any = client.get(companies, {"q": "Acme"})
    assert owed.context["cl"].result_list[0].owed == 1
    answer = client.post(page, choice, follow=True)
    assert "1 fatura(s) cancelada(s)." in answer.content.decode()
    former.refresh_from_db()
    assert former.status == "cancelled"
    owed = client.get(companies, {"q": "Acme"})
    assert owed.context["cl"].result_list[0].owed == 0
    entry = AuditEntry.objects.get(action="invoice.cancelled")
    assert (entry.actor, entry.company, entry.object_id) == (
        super_user,
        former.company,
        str(former.pk),
    )
    assert entry.ip_address == "127.0.0.1"
    assert entry.detail == {"dueDate": former.due_date.isoformat(), "value": "49.90"}
    # Neither again, nor confirmed: that would extend the company.
    for action in ("cancel", "confirm"):
        answer = client.post(page, {**choice, "action": action}, follow=True)
        assert f"Fatura {former.pk}: Esta fatura foi cancelada." in answer.content.decode()
    assert not Payment.objects.exists()


def test_its_code_is_withdrawn_and_no_other_is_made(
    client_for: ClientFor, admin: User, super_user: User, former: Invoice, efi: Efi
) -> None:
    code = code_for(former, admin)
    cancel_invoice(invoice_id=former.pk, actor=super_user)
    while check_due(limit=10):
        pass
    assert efi.charges[code.txid]["status"] == "REMOVIDA_PELO_USUARIO_RECEBEDOR"
    answer = client_for(admin).post("/api/subscription", {"invoiceId": former.pk}, "json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_INVOICE_CANCELLED")
    assert len(efi.charges) == 1


def test_a_code_that_is_paid_all_the_same_counts(
    acme: Company, admin: User, super_user: User, former: Invoice, efi: Efi
) -> None:
    code = code_for(former, admin)
    acme.refresh_from_db()
    before = acme.due_date
    efi.pay(code.txid)
    cancel_invoice(invoice_id=former.pk, actor=super_user)
    look()
    former.refresh_from_db()
    acme.refresh_from_db()
    assert (former.status, acme.due_date) == ("paid", months_later(before, 1))
    assert Payment.objects.get().outcome == "applied"
    with pytest.raises(InvoicePaid):
        cancel_invoice(invoice_id=former.pk, actor=super_user)


def test_what_is_to_be_paid_next_is_not_cancelled(
    acme: Company, invoice: Invoice, super_user: User
) -> None:
    with pytest.raises(InvoiceStillDue):
        cancel_invoice(invoice_id=invoice.pk, actor=super_user)
    invoice.refresh_from_db()
    assert invoice.status == "open"
    # A company that is suspended gets no other, so that its own may go.
    change_company(company_id=acme.pk, changes={"is_enabled": False}, actor=super_user)
    cancel_invoice(invoice_id=invoice.pk, actor=super_user)


def test_a_cancelled_invoice_whose_day_is_the_due_date_again_is_opened_anew(
    acme: Company, invoice: Invoice, better: Plan, super_user: User
) -> None:
    soon = timezone.localdate() + timedelta(days=3)
    Invoice.objects.update(due_date=soon, status="cancelled")
    assert make_invoices() == 0
    changes = {"due_date": soon, "plan_id": better.pk, "recurrence": "ANUAL"}
    change_company(company_id=acme.pk, changes=changes, actor=super_user)
    (again,) = Invoice.objects.all()
    assert (again.pk, again.status, again.due_date) == (invoice.pk, "open", soon)
    assert (again.detail, again.value) == ("Plano Completo (anual)", Decimal(1440))
    assert (again.plan, again.recurrence) == (better, "ANUAL")
    assert make_invoices() == 0
    Invoice.objects.update(status="paid")
    assert make_invoices() == 0


def test_a_plan_that_costs_nothing_cancels_what_is_open(
    acme: Company, admin: User, invoice: Invoice, super_user: User, efi: Efi
) -> None:
    code = code_for(invoice, admin)
    free = make_plan(name="Grátis", value=0)
    change_company(company_id=acme.pk, changes={"plan_id": free.pk}, actor=super_user)
    look()
    invoice.refresh_from_db()
    assert (invoice.status, invoice.value) == ("cancelled", Decimal("49.90"))
    assert efi.charges[code.txid]["status"] == "REMOVIDA_PELO_USUARIO_RECEBEDOR"
    with pytest.raises(InvoiceCancelled):
        confirm_payment(invoice_id=invoice.pk, actor=super_user)


def test_a_cancelled_invoice_has_the_shape_of_every_other(
    client_for: ClientFor, admin: User, invoice: Invoice
) -> None:
    """Browsers of before read `paid` or anything else."""
    cancelled = make_invoice(admin.company, due_date=date(2026, 1, 1), status="cancelled")
    rows = client_for(admin).get("/api/invoices/all").json()["invoices"]
    assert [(row["id"], row["status"]) for row in rows] == [
        (invoice.pk, "open"),
        (cancelled.pk, "cancelled"),
    ]
    assert rows[0].keys() == rows[1].keys()
