"""What a change of plan or recurrence does to invoices that are open (rules/billing §1)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection as database
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.billing.models import Invoice, Payment, PixCharge, Plan
from apps.billing.pix.base import ReceivedPix
from apps.billing.services.charges import check_due
from apps.billing.services.checkout import subscribe
from apps.billing.services.invoices import InvoicePaid, make_invoices
from apps.billing.services.payments import confirm_payment, receive_payment
from apps.billing.tests.efi import Efi
from apps.companies.models import Company
from apps.companies.services import months_later
from apps.companies.services.keeping import change_company
from conftest import ClientFor
from tests.factories import make_invoice

pytestmark = pytest.mark.django_db
WITHDRAWN = "REMOVIDA_PELO_USUARIO_RECEBEDOR"


def code_for(invoice: Invoice, plan: Plan | None = None) -> PixCharge:
    return subscribe(
        actor=None,  # type: ignore[arg-type]
        company_id=invoice.company_id,
        invoice_id=invoice.pk,
        asked={"id": plan.pk} if plan else {},
        billing={},
    )


def look_again() -> None:
    """Have every charge that is still asked after asked after."""
    PixCharge.objects.unfinished().start_over(timezone.now() - timedelta(seconds=1))
    while check_due(limit=10):
        pass


def asks(invoice: Invoice) -> tuple[str, Decimal, Plan | None]:
    invoice.refresh_from_db()
    return invoice.detail, invoice.value, invoice.plan


def test_another_plan_prices_open_invoices_anew_and_confirming_one_keeps_it(
    client_for: ClientFor, super_user: User, acme: Company, invoice: Invoice, better: Plan
) -> None:
    before = invoice.due_date - timedelta(days=31)
    paid = make_invoice(acme, due_date=before, status="paid")
    path = f"/api/companies/{acme.pk}"
    assert client_for(super_user).put(path, {"planId": better.pk}, "json").status_code == 200
    assert asks(invoice) == ("Plano Completo (mensal)", Decimal(120), better)
    assert asks(paid) == ("Plano Básico (mensal)", Decimal("49.90"), acme.plan)
    entry = AuditEntry.objects.get(action="invoice.repriced")
    assert (entry.actor, entry.object_id) == (super_user, str(invoice.pk))
    assert entry.detail == {"plan": "Completo", "value": "120.00"}
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    start = acme.due_date
    acme.refresh_from_db()
    assert (acme.plan, acme.due_date) == (better, months_later(start, 1))


def test_another_recurrence_asks_for_all_its_months_and_extends_by_them(
    client_for: ClientFor, super_user: User, acme: Company, invoice: Invoice
) -> None:
    body = {"recurrence": "ANUAL"}
    client_for(super_user).put(f"/api/companies/{acme.pk}", body, "json")
    assert asks(invoice)[:2] == ("Plano Básico (anual)", Decimal("598.80"))
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    start = acme.due_date
    acme.refresh_from_db()
    assert acme.due_date == months_later(start, 12)


def test_a_change_of_anything_else_leaves_the_price_that_was_chosen(
    super_user: User, acme: Company, invoice: Invoice, better: Plan, efi: Efi
) -> None:
    code = code_for(invoice, better)
    change_company(company_id=acme.pk, changes={"phone": "1"}, actor=super_user)
    # Nor does the very plan that the code is for: whoever has it before them goes on.
    change_company(company_id=acme.pk, changes={"plan_id": better.pk}, actor=super_user)
    assert asks(invoice) == ("Plano Completo (mensal)", Decimal(120), better)
    look_again()
    assert efi.charges[code.txid]["status"] == "ATIVA"
    assert code_for(invoice).txid == code.txid


@pytest.mark.parametrize("change", ["plan", "recurrence"])
def test_the_code_of_the_old_price_is_withdrawn_and_another_takes_its_place(
    super_user: User, acme: Company, invoice: Invoice, better: Plan, efi: Efi, change: str
) -> None:
    code = code_for(invoice)
    changes = {"plan_id": better.pk} if change == "plan" else {"recurrence": "BIMESTRAL"}
    change_company(company_id=acme.pk, changes=changes, actor=super_user)
    while check_due(limit=10):
        pass
    assert efi.charges[code.txid]["status"] == WITHDRAWN
    again = code_for(invoice)
    assert again.txid != code.txid
    assert again.value == (Decimal(120) if change == "plan" else Decimal("99.80"))


def test_a_manual_code_of_another_price_is_not_shown_again(
    super_user: User, acme: Company, invoice: Invoice, settings: Any
) -> None:
    settings.PIX_PROVIDER, settings.PIX_KEY = "manual", "pix@balcao.example"
    settings.PIX_NAME, settings.PIX_CITY = "Balcão Serviços", "São Paulo"
    code = code_for(invoice)
    change_company(company_id=acme.pk, changes={"recurrence": "BIMESTRAL"}, actor=super_user)
    # Two months cost what one did: it is another thing all the same.
    Plan.objects.filter(pk=acme.plan_id).update(value=code.value / 2)
    again = code_for(invoice)
    assert (again.recurrence, again.value) == ("BIMESTRAL", code.value)
    assert again.code != code.code


@pytest.mark.parametrize("recurrences", [("MENSAL", "ANUAL"), ("ANUAL", "MENSAL")])
def test_a_code_that_is_paid_all_the_same_is_honoured_for_what_it_bought(
    super_user: User,
    acme: Company,
    invoice: Invoice,
    plan: Plan,
    better: Plan,
    efi: Efi,
    recurrences: tuple[str, str],
) -> None:
    bought, later = recurrences
    change_company(company_id=acme.pk, changes={"recurrence": bought}, actor=super_user)
    start = acme.due_date
    code = code_for(invoice)
    efi.pay(code.txid)
    changes = {"recurrence": later, "plan_id": better.pk}
    change_company(company_id=acme.pk, changes=changes, actor=super_user)
    look_again()
    months = 12 if bought == "ANUAL" else 1
    acme.refresh_from_db()
    assert (acme.plan, acme.recurrence) == (plan, later)
    assert acme.due_date == months_later(start, months)
    detail = f"Plano Básico ({bought.lower()})"
    assert asks(invoice) == (detail, Decimal("49.90") * months, plan)
    assert invoice.is_paid


def test_a_payment_that_changes_the_plan_prices_the_other_open_invoices(
    acme: Company, invoice: Invoice, better: Plan, efi: Efi
) -> None:
    other = make_invoice(acme, due_date=acme.due_date - timedelta(days=31))
    code = code_for(other)
    efi.pay(code_for(invoice, better).txid)
    look_again()
    acme.refresh_from_db()
    assert acme.plan == better
    assert asks(other) == ("Plano Completo (mensal)", Decimal(120), better)
    assert not other.is_paid
    look_again()
    assert efi.charges[code.txid]["status"] == WITHDRAWN


def test_what_says_nothing_is_for_the_companys_own_recurrence(
    super_user: User, acme: Company, invoice: Invoice, efi: Efi
) -> None:
    code = code_for(invoice)
    Company.objects.filter(pk=acme.pk).update(recurrence="BIMESTRAL")
    PixCharge.objects.update(recurrence="")
    Invoice.objects.update(recurrence="")
    efi.pay(code.txid)
    look_again()
    start = acme.due_date
    acme.refresh_from_db()
    assert acme.due_date == months_later(start, 2)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_no_invoice_is_made_at_the_old_price_while_the_plan_changes(
    super_user: User, acme: Company, plan: Plan, better: Plan
) -> None:
    Company.objects.filter(pk=acme.pk).update(due_date=timezone.localdate())

    def hourly() -> int:
        try:
            return make_invoices()
        finally:
            database.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            change_company(company_id=acme.pk, changes={"plan_id": better.pk}, actor=super_user)
            assert pool.submit(hourly).result(timeout=30) == 0
        assert pool.submit(hourly).result(timeout=30) == 1
    assert asks(Invoice.objects.get()) == ("Plano Completo (mensal)", Decimal(120), better)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_at_once_a_change_a_click_and_a_payment_wait_for_each_other(
    super_user: User, acme: Company, invoice: Invoice, better: Plan, efi: Efi
) -> None:
    from apps.connections.tests.test_race import at_once

    start = acme.due_date
    code = code_for(invoice)
    pix = ReceivedPix("E1", code.value, datetime.now(UTC))

    def changed() -> Any:
        changes = {"plan_id": better.pk, "recurrence": "ANUAL"}
        return change_company(company_id=acme.pk, changes=changes, actor=super_user)

    def told() -> Any:
        return receive_payment(charge=code, pix=pix)

    def clicked() -> Any:
        return code_for(invoice, better)

    errors = [each for each in at_once(changed, told, clicked, told) if isinstance(each, Exception)]
    assert all(isinstance(each, InvoicePaid) for each in errors), errors
    acme.refresh_from_db()
    assert acme.due_date == months_later(start, 1)
    assert Payment.objects.get().outcome == "applied"
    assert asks(invoice)[:2] == ("Plano Básico (mensal)", Decimal("49.90"))
