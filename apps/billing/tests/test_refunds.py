"""Refunds and chargebacks: what a payment bought is taken back, once (rules/billing §5)."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.automation.tests.wire import Answer, Received, wire_server
from apps.billing.models import Credit, Invoice, Payment, PixCharge, Plan
from apps.billing.services.charges import check_due
from apps.billing.services.credits import add_credit
from apps.billing.services.invoices import InvoiceRefunded, make_invoices
from apps.billing.services.payments import confirm_payment, register_payment
from apps.billing.services.plan_changes import ask_for_plan
from apps.billing.services.refunds import refund_payment
from apps.billing.tests.efi import Efi
from apps.billing.tests.test_payments import charge_for, look_again, notify
from apps.common.errors import InvalidInput
from apps.companies.models import Company
from apps.companies.services import months_later
from apps.companies.services.keeping import change_company
from apps.mail.models import Mail
from conftest import ClientFor
from tests.factories import make_invoice

pytestmark = pytest.mark.django_db


def paid(invoice: Invoice, efi: Efi) -> PixCharge:
    """Have an invoice paid at Efí; returns its charge."""
    charge = charge_for(invoice)
    efi.pay(charge.txid)
    look_again()
    return charge


@pytest.fixture
def invoice(acme: Company, plan: Plan, today: date) -> Invoice:
    """Acme's open invoice, whose day is near enough to make it again."""
    acme.due_date = today + timedelta(days=5)
    acme.save()
    return make_invoice(acme, due_date=acme.due_date)


def test_a_refund_that_the_provider_tells_takes_back_the_extension_once(
    acme: Company,
    invoice: Invoice,
    efi: Efi,
    super_user: User,
    client_for: ClientFor,
    events: list[dict[str, Any]],
    settings: Any,
) -> None:
    settings.EMAIL_HOST = "localhost"
    before = acme.due_date
    charge = paid(invoice, efi)
    efi.refund(charge.txid, "49.90")
    for _ in range(3):
        assert notify(client_for, charge.txid) == 200
        check_due(limit=10)
    acme.refresh_from_db()
    invoice.refresh_from_db()
    assert acme.due_date == before
    # Its day is the due date again: it asks for its payment again.
    assert (invoice.status, invoice.paid_at) == ("open", None)
    payment = Payment.objects.get()
    assert (payment.value, payment.refunded) == (Decimal("49.90"), Decimal("49.90"))
    entry = AuditEntry.objects.get(action="payment.refunded", company=acme)
    assert entry.detail["value"] == "49.90"
    mail = Mail.objects.get(recipient=super_user.email)
    assert acme.name in mail.subject and "49,90" in mail.body
    told = [each["payload"] for each in events if each["event"] == "payment"]
    assert [each["action"] for each in told] == ["CONCLUIDA", "ESTORNADO"]
    assert told[1]["company"]["dueDate"] == before.isoformat()


def test_a_refund_never_goes_below_today(
    acme: Company, invoice: Invoice, efi: Efi, today: date, client_for: ClientFor
) -> None:
    charge = paid(invoice, efi)
    Company.objects.filter(pk=acme.pk).update(due_date=today + timedelta(days=3))
    efi.refund(charge.txid, "49.90")
    notify(client_for, charge.txid)
    check_due(limit=10)
    acme.refresh_from_db()
    invoice.refresh_from_db()
    assert (acme.due_date, invoice.status) == (today, "refunded")
    # Today is the due date, which has its own invoice.
    again = Invoice.objects.get(company=acme, due_date=today)
    assert (again.status, again.value) == ("open", Decimal("49.90"))
    with pytest.raises(InvoiceRefunded):
        charge_for(invoice)


def test_an_overdue_company_gains_nothing_by_a_refund(
    acme: Company, invoice: Invoice, efi: Efi, today: date
) -> None:
    charge = paid(invoice, efi)
    past = today - timedelta(days=2)
    Company.objects.filter(pk=acme.pk).update(due_date=past)
    efi.refund(charge.txid, "49.90")
    PixCharge.objects.all().start_over(timezone.now())
    check_due(limit=10)
    acme.refresh_from_db()
    assert acme.due_date == past


def test_a_part_takes_back_its_share_of_the_days(acme: Company, invoice: Invoice, efi: Efi) -> None:
    before = acme.due_date
    days = (months_later(before, 1) - before).days
    charge = paid(invoice, efi)
    for value, share in (("4.99", 10), ("19.96", 50)):
        efi.refund(charge.txid, value)
        PixCharge.objects.all().start_over(timezone.now())
        check_due(limit=10)
        acme.refresh_from_db()
        assert acme.due_date == months_later(before, 1) - timedelta(days=days * share // 100)
    invoice.refresh_from_db()
    assert invoice.is_paid
    efi.refund(charge.txid, "24.95")
    PixCharge.objects.all().start_over(timezone.now())
    check_due(limit=10)
    acme.refresh_from_db()
    assert acme.due_date == before


def test_a_refund_that_is_not_done_takes_nothing(acme: Company, invoice: Invoice, efi: Efi) -> None:
    before = acme.due_date
    charge = paid(invoice, efi)
    for status in ("EM_PROCESSAMENTO", "NAO_REALIZADO"):
        efi.refund(charge.txid, "49.90", status)
    PixCharge.objects.all().start_over(timezone.now())
    check_due(limit=10)
    acme.refresh_from_db()
    assert acme.due_date == months_later(before, 1)


def test_a_later_invoice_that_was_open_is_cancelled(
    acme: Company, invoice: Invoice, efi: Efi, today: date
) -> None:
    Company.objects.filter(pk=acme.pk).update(due_date=today)
    Invoice.objects.filter(pk=invoice.pk).update(due_date=today)
    charge = paid(invoice, efi)
    acme.refresh_from_db()
    later = Invoice.objects.create(
        company=acme, detail="Plano", value=50, due_date=acme.due_date, plan=acme.plan
    )
    efi.refund(charge.txid, "49.90")
    PixCharge.objects.all().start_over(timezone.now())
    check_due(limit=10)
    later.refresh_from_db()
    assert later.status == "cancelled"
    assert make_invoices(company_id=acme.pk) == 0


def test_a_refunded_repetition_takes_its_credit(
    acme: Company, invoice: Invoice, better: Plan, efi: Efi
) -> None:
    first, second = charge_for(invoice), charge_for(invoice, better)
    efi.pay(first.txid)
    efi.pay(second.txid)
    look_again()
    assert credit_total(acme) == Decimal(120)
    extended = Company.objects.get(pk=acme.pk).due_date
    efi.refund(second.txid, "100.00")
    PixCharge.objects.all().start_over(timezone.now())
    check_due(limit=10)
    assert credit_total(acme) == Decimal(20)
    # What is used up meanwhile can't be taken any more.
    add_credit(company_id=acme.pk, kind="used", value=Decimal(-15))
    efi.refund(second.txid, "20.00")
    PixCharge.objects.all().start_over(timezone.now())
    check_due(limit=10)
    assert credit_total(acme) == 0
    assert Company.objects.get(pk=acme.pk).due_date == extended


def credit_total(company: Company) -> Decimal:
    return sum((row.value for row in Credit.objects.for_company(company.pk)), Decimal(0))


def test_the_super_user_marks_a_payment_as_refunded(
    acme: Company, invoice: Invoice, super_user: User
) -> None:
    before = acme.due_date
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    payment = Payment.objects.get()
    with pytest.raises(InvalidInput, match=r"49\.90"):
        refund_payment(
            invoice_id=invoice.pk, payment_id=payment.pk, value=Decimal(50), actor=super_user
        )
    refund_payment(invoice_id=invoice.pk, payment_id=payment.pk, value=None, actor=super_user)
    acme.refresh_from_db()
    assert acme.due_date == before
    assert AuditEntry.objects.get(action="payment.refunded").actor == super_user
    with pytest.raises(InvalidInput):
        refund_payment(invoice_id=invoice.pk, payment_id=payment.pk, value=None, actor=super_user)
    # It can be paid and confirmed again.
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    acme.refresh_from_db()
    assert acme.due_date == months_later(before, 1)


def test_an_invoice_that_an_older_version_settled_gives_back_its_period(
    acme: Company, invoice: Invoice, super_user: User
) -> None:
    before = acme.due_date
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    Invoice.objects.filter(pk=invoice.pk).update(extended_days=None)
    refund_payment(
        invoice_id=invoice.pk, payment_id=Payment.objects.get().pk, value=None, actor=super_user
    )
    acme.refresh_from_db()
    assert abs((acme.due_date - before).days) <= 3


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ("PAYMENT_REFUNDED", {"status": "REFUNDED"}),
        ("PAYMENT_CHARGEBACK_REQUESTED", {"status": "CHARGEBACK_REQUESTED"}),
        ("PAYMENT_CHARGEBACK_DISPUTE", {"status": "CHARGEBACK_DISPUTE"}),
        ("PAYMENT_AWAITING_CHARGEBACK_REVERSAL", {"status": "AWAITING_CHARGEBACK_REVERSAL"}),
        (
            "PAYMENT_PARTIALLY_REFUNDED",
            {"refunds": [{"status": "DONE", "value": 24.95}, {"status": "PENDING", "value": 5}]},
        ),
        ("PAYMENT_REFUND_IN_PROGRESS", {"status": "REFUND_IN_PROGRESS", "refunds": None}),
        ("PAYMENT_REFUND_DENIED", {"refunds": [{"status": "CANCELLED", "value": 49.9}]}),
    ],
)
def test_asaas_tells_refunds_and_chargebacks(
    acme: Company,
    invoice: Invoice,
    settings: Any,
    client_for: ClientFor,
    event: str,
    told: dict[str, Any],
) -> None:
    before, after = acme.due_date, months_later(acme.due_date, 1)
    rows: list[dict[str, Any]] = []

    def bank(request: Received) -> Answer:
        if request.method == "POST":
            return Answer(body={"id": "QR1", "payload": "000201..."})
        return Answer(body={"data": rows, "hasMore": False})

    def tell(name: str, token: str = settings.PIX_WEBHOOK_SECRET or "s" * 40) -> int:
        answer = client_for(None).post(
            "/webhooks/asaas",
            {"event": name, "payment": {"id": "pay_1", "pixQrCodeId": "QR1", **told}},
            format="json",
            headers={"asaas-access-token": token},
        )
        check_due(limit=10)
        return int(answer.status_code)

    settings.PIX_PROVIDER, settings.PIX_KEY = "asaas", "pix@balcao.example"
    settings.BILLING_ASAAS_TOKEN, settings.PIX_WEBHOOK_SECRET = "t", "s" * 40
    with wire_server() as server:
        server.handler = bank
        settings.ASAAS_URL = f"{server.url}/v3"
        charge_for(invoice)
        rows.append({"id": "pay_1", "pixQrCodeId": "QR1", "status": "RECEIVED", "value": 49.9})
        assert tell("PAYMENT_RECEIVED") == 200
        # The notification alone proves nothing.
        assert tell(event) == 200 and tell(event, token="wrong") == 401
        acme.refresh_from_db()
        assert acme.due_date == after
        rows[0] |= told
        for _ in range(2):
            assert tell(event) == 200
    acme.refresh_from_db()
    half = after - timedelta(days=(after - before).days // 2)
    expected = {"REFUND_IN_PROGRESS": after}.get(told.get("status", ""), before)
    if "refunds" in told and "status" not in told:
        expected = half if event == "PAYMENT_PARTIALLY_REFUNDED" else after
    assert acme.due_date == expected


def test_a_code_does_not_count_money_that_went_back(
    acme: Company, invoice: Invoice, efi: Efi, super_user: User
) -> None:
    before = acme.due_date
    register_payment(invoice_id=invoice.pk, value=Decimal("30.00"), actor=super_user)
    code = charge_for(invoice)
    assert code.value == Decimal("19.90")
    refund_payment(
        invoice_id=invoice.pk, payment_id=Payment.objects.get().pk, value=None, actor=super_user
    )
    code.refresh_from_db()
    assert code.is_replaced
    # It was paid before the provider withdrew it: that is a part of the price.
    efi.pay(code.txid)
    look_again()
    acme.refresh_from_db()
    invoice.refresh_from_db()
    assert (acme.due_date, invoice.status) == (before, "open")
    assert Payment.objects.order_by("-pk")[0].outcome == "partial"
    efi.pay(charge_for(invoice).txid)
    look_again()
    invoice.refresh_from_db()
    assert (invoice.status, invoice.value) == ("paid", Decimal("49.90"))


def test_a_code_of_a_cancelled_invoice_that_is_not_covered_becomes_a_credit(
    acme: Company, invoice: Invoice, efi: Efi, super_user: User
) -> None:
    register_payment(invoice_id=invoice.pk, value=Decimal("30.00"), actor=super_user)
    code = charge_for(invoice)
    Invoice.objects.filter(pk=invoice.pk).update(status="cancelled")
    Payment.objects.update(refunded=30)
    efi.pay(code.txid)
    look_again()
    assert credit_total(acme) == code.value


def downgraded(acme: Company, better: Plan, admin: User, today: date) -> Invoice:
    """Have acme pay a month of `better` by hand and go back to its cheaper plan."""
    cheap = acme.plan
    acme.plan, acme.due_date = better, today
    acme.save()
    bought = make_invoice(acme, due_date=today)
    confirm_payment(invoice_id=bought.pk, actor=admin)
    ask_for_plan(company_id=acme.pk, plan_id=cheap.pk, actor=admin)
    return bought


def refund(invoice: Invoice, actor: User, value: str = "") -> None:
    """Mark an invoice's only payment, or a part of it, as returned."""
    payment = Payment.objects.get(invoice=invoice)
    refund_payment(
        invoice_id=invoice.pk,
        payment_id=payment.pk,
        value=Decimal(value) if value else None,
        actor=actor,
    )


def test_a_refund_takes_the_credit_that_a_cheaper_plan_gave_from_the_payment(
    acme: Company, plan: Plan, better: Plan, super_user: User, today: date
) -> None:
    bought = downgraded(acme, better, super_user, today)
    assert credit_total(acme) == Decimal("70.10")
    refund(bought, super_user, "60.00")
    assert credit_total(acme) == Decimal("35.05")
    refund(bought, super_user)
    assert credit_total(acme) == 0


def test_such_a_credit_that_was_used_is_asked_for_with_the_next_invoice(
    acme: Company, plan: Plan, better: Plan, super_user: User, today: date, efi: Efi
) -> None:
    bought = downgraded(acme, better, super_user, today)
    acme.refresh_from_db()
    following = make_invoice(acme, due_date=acme.due_date)
    assert charge_for(following).value == 0  # the credit paid it
    refund(bought, super_user)
    assert credit_total(acme) == Decimal("-49.90")
    acme.refresh_from_db()
    third = make_invoice(acme, due_date=acme.due_date + timedelta(days=1))
    assert charge_for(third).value == Decimal("99.80")


def test_a_refunded_change_takes_the_credit_of_going_back(
    acme: Company, plan: Plan, better: Plan, super_user: User, today: date
) -> None:
    Company.objects.filter(pk=acme.pk).update(due_date=today + timedelta(days=15))
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=super_user)
    change = Invoice.objects.get(kind="change")
    confirm_payment(invoice_id=change.pk, actor=super_user)
    ask_for_plan(company_id=acme.pk, plan_id=plan.pk, actor=super_user)
    change.refresh_from_db()
    assert credit_total(acme) == change.value > 0
    refund(change, super_user)
    acme.refresh_from_db()
    assert (acme.plan, credit_total(acme)) == (plan, Decimal(0))


def test_a_cent_of_credit_does_not_keep_a_refunded_change(
    acme: Company, plan: Plan, better: Plan, super_user: User, today: date
) -> None:
    Company.objects.filter(pk=acme.pk).update(due_date=today + timedelta(days=15))
    Credit.objects.create(company=acme, kind="given", value=Decimal("0.01"))
    ask_for_plan(company_id=acme.pk, plan_id=better.pk, actor=super_user)
    change = Invoice.objects.get(kind="change")
    confirm_payment(invoice_id=change.pk, actor=super_user)
    acme.refresh_from_db()
    assert (acme.plan, credit_total(acme)) == (better, Decimal(0))
    refund(change, super_user)
    acme.refresh_from_db()
    change.refresh_from_db()
    assert (acme.plan, change.status) == (plan, "refunded")
    assert credit_total(acme) == Decimal("0.01")


def test_a_refund_of_an_earlier_period_leaves_an_invoice_to_pay(
    acme: Company, invoice: Invoice, super_user: User, efi: Efi
) -> None:
    near, before = acme.due_date, months_later(acme.due_date, -1)
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    acme.refresh_from_db()
    end = acme.due_date
    # The month before was paid too, and its payment goes back.
    earlier = make_invoice(
        acme,
        due_date=before,
        status="paid",
        paid_at=timezone.now(),
        extended_days=(end - near).days,
    )
    Payment.objects.create(
        company=acme, invoice=earlier, provider="manual", reference="1", value=earlier.value,
        outcome="applied", paid_at=timezone.now(),
    )  # fmt: skip
    refund(earlier, super_user)
    acme.refresh_from_db()
    invoice.refresh_from_db()
    earlier.refresh_from_db()
    # What was paid now pays the earlier month, and the present one is asked for.
    assert (invoice.due_date, invoice.status) == (before, "paid")
    assert (earlier.due_date, earlier.status) == (near, "open") == (acme.due_date, "open")
    efi.pay(charge_for(earlier).txid)
    look_again()
    acme.refresh_from_db()
    assert acme.due_date == end


def test_a_due_date_that_is_set_to_a_paid_day_has_an_invoice_to_pay(
    acme: Company, invoice: Invoice, super_user: User
) -> None:
    near = acme.due_date
    confirm_payment(invoice_id=invoice.pk, actor=super_user)
    change_company(company_id=acme.pk, changes={"due_date": near}, actor=super_user)
    assert Invoice.objects.get(status="open").due_date == near
    invoice.refresh_from_db()
    assert (invoice.status, invoice.due_date) == ("paid", near - timedelta(days=1))
