"""Payments: notified, lost, forged, partial, repeated; each applied once (rules/billing §3)."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.billing.models import Invoice, Payment, PixCharge, PixNotice, Plan
from apps.billing.pix.base import ReceivedPix
from apps.billing.services.charges import check_due
from apps.billing.services.checkout import subscribe
from apps.billing.services.invoices import InvoiceCancelled, InvoicePaid, cancel_invoice
from apps.billing.services.payments import confirm_payment, receive_payment
from apps.billing.tests.efi import Efi
from apps.common.leases import DEADLY_ATTEMPTS
from apps.companies.models import Company
from apps.companies.services import months_later
from apps.companies.services.keeping import change_company
from apps.realtime.rooms import company_room, payment_room
from conftest import ClientFor
from tests.factories import make_invoice
from tests.lengths import cases

SECRET = "s" * 40
WEBHOOK = f"/webhooks/efi?hmac={SECRET}&ignorar=/pix"


def charge_for(invoice: Invoice, plan: Plan | None = None) -> PixCharge:
    return subscribe(
        actor=None,  # type: ignore[arg-type]
        company_id=invoice.company_id,
        invoice_id=invoice.pk,
        asked={"id": plan.pk} if plan else {},
        billing={},
    )


def notify(client_for: ClientFor, *txids: str, path: str = WEBHOOK) -> int:
    body = {"pix": [{"txid": txid, "endToEndId": "E1", "valor": "0.01"} for txid in txids]}
    return int(client_for(None).post(path, body, format="json").status_code)


def look_again() -> None:
    """Have every charge that is still asked after asked after."""
    PixCharge.objects.unfinished().start_over(timezone.now() - timedelta(seconds=1))
    while check_due(limit=10):
        pass


@pytest.mark.django_db
def test_a_notified_payment_is_asked_after_and_applied(
    acme: Company,
    invoice: Invoice,
    better: Plan,
    efi: Efi,
    client_for: ClientFor,
    events: list[dict[str, Any]],
) -> None:
    before = acme.due_date
    charge = charge_for(invoice, better)
    reference = efi.pay(charge.txid)
    assert notify(client_for, charge.txid) == 200
    assert PixNotice.objects.get().charge == charge
    check_due(limit=10)
    invoice.refresh_from_db()
    acme.refresh_from_db()
    assert invoice.is_paid and invoice.paid_at
    assert (acme.due_date, acme.plan) == (months_later(before, 1), better)
    payment = Payment.objects.get()
    assert (payment.reference, payment.outcome, payment.value) == (
        reference,
        "applied",
        Decimal(120),
    )
    told = [each for each in events if each["event"] == "payment"]
    assert [each["payload"]["action"] for each in told] == ["CONCLUIDA"]
    assert told[0]["payload"]["company"]["dueDate"] == acme.due_date.isoformat()
    assert told[0]["rooms"] == [company_room(acme.pk), payment_room(acme.pk)]
    assert AuditEntry.objects.filter(action="payment.applied", company=acme).count() == 1
    assert not PixCharge.objects.unfinished().exists()


@pytest.mark.django_db
def test_a_replayed_notice_does_nothing_more(
    acme: Company, invoice: Invoice, efi: Efi, client_for: ClientFor
) -> None:
    charge = charge_for(invoice)
    efi.pay(charge.txid)
    for _ in range(3):
        notify(client_for, charge.txid)
        check_due(limit=10)
    before = acme.due_date
    acme.refresh_from_db()
    assert acme.due_date == months_later(before, 1)
    assert Payment.objects.count() == 1


@pytest.mark.django_db
def test_a_notice_is_nobodys_word(
    acme: Company, invoice: Invoice, efi: Efi, client_for: ClientFor
) -> None:
    charge = charge_for(invoice)
    for path in ("/webhooks/efi", "/webhooks/efi/pix?hmac=wrong", "/webhooks/efi?hmac="):
        assert notify(client_for, charge.txid, path=path) == 401
    assert not PixNotice.objects.exists()
    # Whoever knows the secret and says so without a payment moves nothing.
    assert notify(client_for, charge.txid, "unknown" * 4) == 200
    assert notify(client_for, charge.txid, path=f"/webhooks/efi/pix?hmac={SECRET}") == 200
    check_due(limit=10)
    invoice.refresh_from_db()
    assert not invoice.is_paid and not Payment.objects.exists()
    assert PixNotice.objects.filter(charge=None).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("body", ["", "[]", '{"pix": 3}', '{"pix": [3, {"txid": 7}]}', "{"])
def test_odd_notices_harm_nobody(client_for: ClientFor, efi: Efi, body: str) -> None:
    answer = client_for(None).post(WEBHOOK, body, content_type="application/json")
    assert answer.status_code in (200, 400)
    assert not PixNotice.objects.exists()


@pytest.mark.django_db
def test_a_lost_notice_costs_a_look(acme: Company, invoice: Invoice, efi: Efi) -> None:
    charge = charge_for(invoice)
    efi.pay(charge.txid)
    assert check_due(limit=10) == 0  # not yet
    PixCharge.objects.update(next_attempt_at=timezone.now())
    assert check_due(limit=10) == 1
    invoice.refresh_from_db()
    assert invoice.is_paid


@pytest.mark.django_db
def test_a_provider_that_is_away_is_asked_again(invoice: Invoice, efi: Efi) -> None:
    charge = charge_for(invoice)
    efi.pay(charge.txid)
    efi.is_down = True
    look_again()
    charge.refresh_from_db()
    assert "503" in charge.last_error and charge.state == "waiting"
    efi.is_down = False
    look_again()
    invoice.refresh_from_db()
    assert invoice.is_paid


@pytest.mark.django_db
def test_a_charge_that_fails_unexpectedly_stops_no_other(
    invoice: Invoice, globex: Company, better: Plan, efi: Efi
) -> None:
    odd = charge_for(invoice)
    efi.pay(odd.txid, "NaN")  # comparing it raises no PixError
    globex.plan = better
    globex.save()
    other = make_invoice(globex, due_date=globex.due_date)
    efi.pay(charge_for(other).txid)
    PixCharge.objects.update(next_attempt_at=timezone.now())
    assert check_due(limit=10) == 2
    other.refresh_from_db()
    assert other.is_paid
    odd.refresh_from_db()
    assert odd.state == "waiting" and odd.last_error
    assert odd.next_attempt_at > timezone.now()
    assert not Payment.objects.filter(charge=odd).exists()


@pytest.mark.django_db
def test_a_charge_whose_worker_dies_each_time_stops_no_other_and_is_not_given_up(
    invoice: Invoice, globex: Company, better: Plan, efi: Efi
) -> None:
    deadly = charge_for(invoice)
    efi.pay(deadly.txid)
    globex.plan = better
    globex.save()
    other = make_invoice(globex, due_date=globex.due_date)
    efi.pay(charge_for(other).txid)
    PixCharge.objects.update(next_attempt_at=timezone.now())
    PixCharge.objects.filter(pk=deadly.pk).update(attempts=DEADLY_ATTEMPTS)
    assert check_due(limit=10) == 2
    other.refresh_from_db()
    assert other.is_paid
    deadly.refresh_from_db()
    assert timedelta(hours=23) < deadly.next_attempt_at - timezone.now() <= timedelta(days=1)
    look_again()
    invoice.refresh_from_db()
    assert invoice.is_paid


@pytest.mark.django_db
def test_too_little_is_kept_told_and_not_applied(
    acme: Company,
    admin: User,
    invoice: Invoice,
    efi: Efi,
    client_for: ClientFor,
    events: list[dict[str, Any]],
) -> None:
    charge = charge_for(invoice)
    efi.pay(charge.txid, "20.00")
    look_again()
    before = acme.due_date
    acme.refresh_from_db()
    assert acme.due_date == before
    row = client_for(admin).get(f"/api/invoices/{invoice.pk}").json()
    assert (row["status"], row["received"]) == ("open", 20.0)
    assert Payment.objects.get().outcome == "partial"
    told = [each["payload"] for each in events if each["event"] == "payment"]
    assert [each["action"] for each in told] == ["PARCIAL"]
    # What is still owed can be paid with a new code.
    again = charge_for(invoice)
    assert again.txid != charge.txid
    efi.pay(again.txid)
    look_again()
    invoice.refresh_from_db()
    assert invoice.is_paid


@pytest.mark.django_db
def test_paid_twice_is_a_credit(acme: Company, invoice: Invoice, better: Plan, efi: Efi) -> None:
    first = charge_for(invoice)
    second = charge_for(invoice, better)
    efi.pay(first.txid)
    efi.pay(second.txid)
    look_again()
    before = acme.due_date
    acme.refresh_from_db()
    assert acme.due_date == months_later(before, 1)
    outcomes = Payment.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["applied", "credit"]


@pytest.mark.django_db
def test_a_replaced_code_is_withdrawn_and_honoured_when_it_was_paid_before(
    acme: Company, invoice: Invoice, better: Plan, efi: Efi
) -> None:
    first = charge_for(invoice)
    second = charge_for(invoice, better)
    look_again()
    assert efi.charges[first.txid]["status"] == "REMOVIDA_PELO_USUARIO_RECEBEDOR"
    third = charge_for(invoice)
    efi.pay(second.txid)  # in the moment in which its place was taken
    look_again()
    acme.refresh_from_db()
    invoice.refresh_from_db()
    assert (invoice.is_paid, invoice.value, acme.plan) == (True, Decimal("120.00"), better)
    assert (invoice.plan, invoice.detail) == (better, "Plano Completo (mensal)")
    look_again()
    assert efi.charges[third.txid]["status"] == "REMOVIDA_PELO_USUARIO_RECEBEDOR"


@pytest.mark.django_db
def test_paid_late_counts_from_today(
    acme: Company, invoice: Invoice, efi: Efi, today: date
) -> None:
    Company.objects.filter(pk=acme.pk).update(due_date=today - timedelta(days=40))
    efi.pay(charge_for(invoice).txid)
    look_again()
    acme.refresh_from_db()
    assert acme.due_date == months_later(today, 1)


@pytest.mark.django_db
def test_a_code_that_nobody_paid_is_let_go_a_day_after_its_end(invoice: Invoice, efi: Efi) -> None:
    charge_for(invoice)
    look_again()
    assert PixCharge.objects.unfinished().count() == 1
    PixCharge.objects.update(expires_at=timezone.now() - timedelta(days=1, minutes=1))
    look_again()
    assert not PixCharge.objects.unfinished().exists()


@pytest.mark.django_db
def test_the_super_user_confirms_once(
    acme: Company, invoice: Invoice, super_user: User, today: date
) -> None:
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    with pytest.raises(InvoicePaid):
        confirm_payment(invoice_id=invoice.pk, actor=super_user)
    before = acme.due_date
    acme.refresh_from_db()
    assert acme.due_date == months_later(max(before, today), 1)
    entry = AuditEntry.objects.get(action="payment.applied")
    assert (entry.actor, entry.company) == (super_user, acme)


STEPS = [
    *("click", "better", "pay old", "pay new", "pay less", "notify", "look", "confirm", "down"),
    *("other plan", "other recurrence", "cancel"),
]
# What each price buys: what the bank was told of it, and for how many months.
BOUGHT = {
    Decimal("49.90"): ("Plano Básico (mensal)", 1),
    Decimal("598.80"): ("Plano Básico (anual)", 12),
    Decimal("120.00"): ("Plano Completo (mensal)", 1),
    Decimal("1440.00"): ("Plano Completo (anual)", 12),
}


@pytest.mark.django_db
@hypothesis_settings(
    max_examples=cases(25),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=12))
@example(steps=["click", "cancel", "confirm", "pay old", "cancel", "confirm"])
@example(steps=["click", "pay old", "other recurrence", "other plan"])
@example(steps=["click", "other plan", "pay old", "other recurrence", "click", "pay new"])
def test_no_order_of_things_extends_a_company_twice_or_not_at_all(
    acme: Company,
    invoice: Invoice,
    better: Plan,
    efi: Efi,
    super_user: User,
    client_for: ClientFor,
    steps: list[str],
) -> None:
    from django.db import transaction

    class Undo(Exception):
        pass

    with pytest.raises(Undo), transaction.atomic():
        efi.charges.clear()
        efi.is_down = False
        start = acme.due_date
        enough = False
        for step in steps:
            enough |= _take(step, invoice, better, efi, super_user, client_for)
        efi.is_down = False
        look_again()
        look_again()
        company = Company.objects.get(pk=acme.pk)
        applied = Payment.objects.filter(outcome="applied")
        assert len(applied) == int(enough)
        assert company.due_date == (
            start if not enough else months_later(start, BOUGHT[applied[0].value][1])
        )
        # An open one asks for what it says, a paid one says what was paid.
        now = Invoice.objects.get(pk=invoice.pk)
        assert now.detail == BOUGHT[now.value][0]
        assert not enough or now.value == applied[0].value
        arrived = sum(len(each.get("pix", [])) for each in efi.charges.values())
        assert Payment.objects.exclude(reference__startswith="invoice").count() == arrived
        raise Undo


def _take(
    step: str, invoice: Invoice, better: Plan, efi: Efi, actor: User, client_for: ClientFor
) -> bool:
    """Do one thing; returns whether it pays the invoice in full."""
    from apps.common.errors import DomainError

    open_ones = [txid for txid, each in efi.charges.items() if each["status"] == "ATIVA"]
    try:
        if step == "click":
            charge_for(invoice)
        elif step == "better":
            charge_for(invoice, better)
        elif step == "confirm":
            confirm_payment(invoice_id=invoice.pk, actor=actor)
            return True
        elif step.startswith("pay") and open_ones:
            chosen = open_ones[0] if step == "pay old" else open_ones[-1]
            efi.pay(chosen, "1.00" if step == "pay less" else "")
            return step != "pay less"
        elif step == "notify":
            notify(client_for, *efi.charges)
            check_due(limit=10)
        elif step == "look":
            look_again()
        elif step.startswith("other"):
            company = Company.objects.get(pk=invoice.company_id)
            to = better if company.plan_id != better.pk else Plan.objects.get(name="Básico")
            other = "MENSAL" if company.recurrence == "ANUAL" else "ANUAL"
            changes = {"plan_id": to.pk} if step == "other plan" else {"recurrence": other}
            change_company(company_id=company.pk, changes=changes, actor=actor)
        elif step == "cancel":  # what is due is cancelled of a suspended company alone
            for is_enabled in (False, True):
                switch = {"is_enabled": is_enabled}
                change_company(company_id=invoice.company_id, changes=switch, actor=actor)
                if not is_enabled:
                    with suppress(InvoicePaid, InvoiceCancelled):
                        cancel_invoice(invoice_id=invoice.pk, actor=actor)
        elif step == "down":
            efi.is_down = not efi.is_down
    except DomainError:
        pass  # paid already, or the bank is away
    return False


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_at_once_a_payment_is_applied_once(
    acme: Company, invoice: Invoice, efi: Efi, super_user: User
) -> None:
    from apps.connections.tests.test_race import at_once

    charge = charge_for(invoice)
    pix = ReceivedPix("E1", charge.value, datetime.now(UTC))
    before = acme.due_date

    def told() -> Any:
        return receive_payment(charge=charge, pix=pix)

    def confirmed() -> Any:
        return confirm_payment(invoice_id=invoice.pk, actor=super_user)

    at_once(told, told, told, confirmed)
    acme.refresh_from_db()
    assert acme.due_date == months_later(before, 1)
    assert Payment.objects.filter(outcome="applied").count() == 1
    assert Payment.objects.filter(reference="E1").count() == 1
