"""Another plan in the middle of a cycle: the difference by days (rules/billing §6)."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.billing.models import Credit, Invoice, Payment, PixCharge, Plan
from apps.billing.queries.credits import credit_of
from apps.billing.services.charges import check_due
from apps.billing.services.payments import confirm_payment, register_payment
from apps.billing.services.plan_changes import ask_for_plan
from apps.billing.tests.efi import Efi
from apps.billing.tests.test_payments import charge_for, look_again
from apps.companies.models import Company
from apps.companies.services import months_later
from apps.companies.services.keeping import change_company, extend_company
from conftest import ClientFor
from tests.factories import make_invoice, make_plan, make_user

pytestmark = pytest.mark.django_db
PATH = "/api/subscription/plan"
CENT = Decimal("0.01")


@pytest.fixture
def cycle(acme: Company, plan: Plan, today: date) -> int:
    """Acme has paid until in 15 days; returns the days of its cycle."""
    acme.due_date = today + timedelta(days=15)
    acme.save()
    return (acme.due_date - months_later(acme.due_date, -1)).days


def by_days(price: Decimal, cycle: int, days: int = 15) -> Decimal:
    return (price * days / cycle).quantize(CENT)


def choose(client_for: ClientFor, user: User, plan: Plan) -> Any:
    return client_for(user).post(PATH, {"plan": plan.pk}, format="json")


def test_an_admin_sees_the_plan_its_use_and_what_another_costs(
    admin: User, agent: User, plan: Plan, better: Plan, cycle: int, client_for: ClientFor
) -> None:
    Plan.objects.filter(pk=plan.pk).update(users=5, queues=1)
    body = client_for(admin).get(PATH).json()
    assert (body["planId"], body["value"], body["isTrial"]) == (plan.pk, 49.9, False)
    use = {each["resource"]: (each["used"], each["allowed"]) for each in body["use"]}
    assert use["users"] == (2, 5) and use["queues"] == (1, 1)
    assert set(use) == {"users", "connections", "queues", "schedules", "campaigns"}
    own, other = body["offers"]
    assert (own["id"], own["toPay"], own["credit"]) == (plan.pk, 0, 0)
    assert other["toPay"] == float(by_days(Decimal("70.10"), cycle))
    assert client_for(agent).get(PATH).status_code == 403


def test_a_dearer_plan_comes_when_its_difference_is_paid(
    acme: Company, admin: User, better: Plan, cycle: int, efi: Efi, client_for: ClientFor
) -> None:
    due_date, old = acme.due_date, acme.plan
    body = choose(client_for, admin, better).json()
    wanted = by_days(Decimal("70.10"), cycle)
    assert (body["planId"], body["pending"]["value"]) == (old.pk, float(wanted))
    invoice = Invoice.objects.get()
    assert (invoice.kind, invoice.detail) == ("change", "Mudança para o plano Completo (15 dias)")
    paying = client_for(admin).post("/api/subscription", {"invoiceId": invoice.pk}, format="json")
    assert paying.json()["valor"]["original"] == str(wanted)
    efi.pay(paying.json()["txid"])
    look_again()
    acme.refresh_from_db()
    invoice.refresh_from_db()
    assert (acme.plan, acme.due_date, invoice.status) == (better, due_date, "paid")
    assert client_for(admin).get(PATH).json()["pending"] is None
    assert AuditEntry.objects.filter(action="invoice.plan_change", company=acme).count() == 1
    # What was paid back takes the plan back, and leaves the due date.
    efi.refund(paying.json()["txid"], str(wanted))
    PixCharge.objects.all().start_over(acme.updated_at)
    check_due(limit=10)
    acme.refresh_from_db()
    invoice.refresh_from_db()
    assert (acme.plan, acme.due_date, invoice.status) == (old, due_date, "refunded")


def test_the_difference_is_that_of_the_day_on_which_it_is_paid(
    acme: Company, admin: User, better: Plan, cycle: int, efi: Efi, today: date
) -> None:
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=admin)
    invoice = Invoice.objects.get()
    Company.objects.filter(pk=acme.pk).update(due_date=today + timedelta(days=10))
    later = (today + timedelta(days=10) - months_later(today + timedelta(days=10), -1)).days
    assert charge_for(invoice).value == by_days(Decimal("70.10"), later, 10)
    # Nothing is left of the cycle: nothing is to pay, and the next invoice has the new price.
    Company.objects.filter(pk=acme.pk).update(due_date=today)
    charge_for(invoice)
    acme.refresh_from_db()
    assert acme.plan == better


def test_a_cheaper_plan_comes_at_once_and_credits_the_difference(
    acme: Company, admin: User, plan: Plan, better: Plan, cycle: int, client_for: ClientFor
) -> None:
    acme.plan = better
    acme.save()
    due = make_invoice(acme, due_date=acme.due_date)
    body = choose(client_for, admin, _public(plan)).json()
    credit = by_days(Decimal("70.10"), cycle)
    assert (body["planId"], body["credit"], body["pending"]) == (plan.pk, float(credit), None)
    due.refresh_from_db()
    assert (due.value, due.plan) == (Decimal("49.90"), plan)
    entry = AuditEntry.objects.get(action="company.plan_changed", company=acme)
    assert entry.actor == admin and entry.detail["credit"] == str(credit)


def _public(plan: Plan) -> Plan:
    plan.is_public = True
    plan.save()
    return plan


def test_a_credit_lessens_the_next_invoice_and_is_used_once(
    acme: Company, plan: Plan, cycle: int, efi: Efi
) -> None:
    before = acme.due_date
    Credit.objects.create(company=acme, kind="given", value=Decimal("20.00"))
    invoice = make_invoice(acme, due_date=acme.due_date)
    charge = charge_for(invoice)
    assert charge.value == Decimal("29.90")
    efi.pay(charge.txid)
    look_again()
    acme.refresh_from_db()
    invoice.refresh_from_db()
    assert (invoice.is_paid, invoice.value) == (True, Decimal("49.90"))
    assert acme.due_date == months_later(before, 1)
    assert credit_of(acme.pk) == 0


def test_a_credit_that_covers_an_invoice_pays_it_without_a_code(
    acme: Company, admin: User, plan: Plan, cycle: int, client_for: ClientFor
) -> None:
    before = acme.due_date
    Credit.objects.create(company=acme, kind="given", value=Decimal("60.00"))
    invoice = make_invoice(acme, due_date=acme.due_date)
    # No provider is needed.
    answer = client_for(admin).post("/api/subscription", {"invoiceId": invoice.pk}, format="json")
    body = answer.json()
    assert (answer.status_code, body["isPaid"], body["valor"]["original"]) == (200, True, "0.00")
    acme.refresh_from_db()
    invoice.refresh_from_db()
    assert invoice.is_paid and acme.due_date == months_later(before, 1)
    assert credit_of(acme.pk) == Decimal("10.10")
    assert not PixCharge.objects.exists() and not Payment.objects.exists()


def test_two_codes_do_not_use_one_credit_twice(
    acme: Company, admin: User, better: Plan, plan: Plan, cycle: int, efi: Efi
) -> None:
    Credit.objects.create(company=acme, kind="given", value=Decimal("20.00"))
    invoice = make_invoice(acme, due_date=acme.due_date)
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=admin)
    change = Invoice.objects.get(kind="change")
    first, second = charge_for(invoice), charge_for(change)
    assert second.deducted == Decimal("20.00")
    efi.pay(first.txid)
    look_again()
    second.refresh_from_db()
    assert second.is_replaced
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=admin)
    assert charge_for(Invoice.objects.get(kind="change", status="open")).deducted == 0
    assert credit_of(acme.pk) == 0


def test_a_plan_that_is_too_small_is_refused_with_what_is_too_much(
    acme: Company, admin: User, plan: Plan, better: Plan, cycle: int, client_for: ClientFor
) -> None:
    small = make_plan(name="Mini", value=Decimal("9.90"), users=1)
    make_user(acme)
    answer = choose(client_for, admin, small)
    body = answer.json()
    assert (answer.status_code, body["code"]) == (409, "ERR_PLAN_TOO_SMALL")
    assert "1 usuário (a empresa tem 2)" in body["message"]
    assert body["exceeded"] == [{"resource": "users", "used": 2, "allowed": 1}]
    acme.refresh_from_db()
    assert acme.plan == plan and not Credit.objects.exists()


def test_during_a_trial_a_change_costs_and_credits_nothing(
    acme: Company, admin: User, plan: Plan, better: Plan, cycle: int
) -> None:
    acme.trial_expires_on = acme.due_date
    acme.save()
    due = make_invoice(acme, due_date=acme.due_date)
    for chosen in (better, plan):
        ask_for_plan(company_id=acme.pk, plan_id=chosen.pk, actor=admin)
        acme.refresh_from_db()
        due.refresh_from_db()
        assert (acme.plan, due.value) == (chosen, chosen.value)
    assert not Credit.objects.exists() and Invoice.objects.count() == 1


def test_a_new_choice_replaces_one_that_is_not_paid(
    acme: Company, admin: User, plan: Plan, better: Plan, cycle: int, efi: Efi
) -> None:
    best = make_plan(name="Máximo", value=Decimal("300.00"))
    for chosen in (better, best, plan):
        ask_for_plan(company_id=acme.pk, plan_id=chosen.pk, actor=admin)
    statuses = Invoice.objects.order_by("pk").values_list("plan__name", "status")
    assert list(statuses) == [("Completo", "cancelled"), ("Máximo", "cancelled")]
    acme.refresh_from_db()
    assert acme.plan == plan


def test_the_operators_change_of_the_plan_cancels_one_that_waits(
    acme: Company, admin: User, better: Plan, cycle: int, super_user: User
) -> None:
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=admin)
    change_company(company_id=acme.pk, changes={"plan_id": make_plan().pk}, actor=super_user)
    assert Invoice.objects.get().status == "cancelled"


def test_given_days_are_not_credited_beyond_a_cycle(
    acme: Company, admin: User, plan: Plan, better: Plan, today: date
) -> None:
    acme.plan, acme.due_date = better, today + timedelta(days=100)
    acme.save()
    ask_for_plan(company_id=acme.pk, plan_id=_public(plan).pk, actor=admin)
    assert credit_of(acme.pk) == Decimal("70.10")


def test_what_is_not_offered_and_a_free_plan_are_refused(
    acme: Company, admin: User, plan: Plan, cycle: int, client_for: ClientFor
) -> None:
    hidden = make_plan(name="Interno", value=1, is_public=False)
    answer = choose(client_for, admin, hidden)
    assert (answer.status_code, answer.json()["code"]) == (400, "ERR_PLAN_NOT_OFFERED")
    Plan.objects.filter(pk=plan.pk).update(value=0)
    answer = choose(client_for, admin, make_plan(name="Pago", value=10))
    assert (answer.status_code, answer.json()["code"]) == (409, "ERR_PLAN_CHANGE_BY_SUPPORT")
    assert client_for(admin).get(PATH).json()["offers"] == []


def test_a_confirmed_change_of_plan_extends_nothing(
    acme: Company, admin: User, better: Plan, cycle: int, super_user: User
) -> None:
    before = acme.due_date
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=admin)
    confirm_payment(invoice_id=Invoice.objects.get().pk, actor=super_user)
    acme.refresh_from_db()
    assert (acme.plan, acme.due_date) == (better, before)


def test_a_change_is_not_paid_at_the_price_of_a_former_due_date(
    acme: Company, admin: User, plan: Plan, better: Plan, today: date, efi: Efi
) -> None:
    acme.due_date = today + timedelta(days=1)
    acme.save()
    period = make_invoice(acme, due_date=acme.due_date)
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=admin)
    change = Invoice.objects.get(kind="change")
    cheap = charge_for(change)
    efi.pay(charge_for(period).txid)
    look_again()
    change.refresh_from_db()
    cheap.refresh_from_db()
    assert (change.status, cheap.is_replaced) == ("cancelled", True)
    # Its code was paid before the provider withdrew it: the money stays, the plan does not come.
    efi.charges[cheap.txid]["status"] = "ATIVA"
    efi.pay(cheap.txid)
    look_again()
    acme.refresh_from_db()
    assert acme.plan == plan
    assert credit_of(acme.pk) == cheap.value


@pytest.mark.parametrize("way", ["set", "extended"])
def test_a_due_date_that_is_moved_by_hand_cancels_a_change(
    acme: Company, admin: User, better: Plan, cycle: int, super_user: User, way: str
) -> None:
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=admin)
    if way == "set":
        moved = {"due_date": acme.due_date + timedelta(days=60)}
        change_company(company_id=acme.pk, changes=moved, actor=super_user)
    else:
        extend_company(company_id=acme.pk, months=2, actor=super_user)
    assert Invoice.objects.get(kind="change").status == "cancelled"


@pytest.mark.parametrize("way", ["confirmed", "registered"])
def test_a_payment_by_hand_of_a_change_is_for_the_days_that_are_left_now(
    acme: Company, admin: User, plan: Plan, better: Plan, cycle: int, super_user: User, way: str
) -> None:
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=admin)
    invoice = Invoice.objects.get()
    wanted = invoice.value
    Invoice.objects.filter(pk=invoice.pk).update(value=1)
    if way == "confirmed":
        confirm_payment(invoice_id=invoice.pk, actor=super_user)
        assert Payment.objects.get().value == wanted
    else:
        register_payment(invoice_id=invoice.pk, value=Decimal(1), actor=super_user)
        acme.refresh_from_db()
        assert (acme.plan, Payment.objects.get().outcome) == (plan, "partial")
