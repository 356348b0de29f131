"""Applying received payments: each exactly once (rules/billing §3)."""

import logging
from datetime import datetime
from decimal import Decimal

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from apps.audit.services import record
from apps.billing import events
from apps.billing.models import (
    CreditKind,
    Invoice,
    InvoiceKind,
    InvoiceStatus,
    Payment,
    PaymentOutcome,
    PixCharge,
    PixProvider,
)
from apps.billing.pix.base import ReceivedPix
from apps.billing.queries.credits import amount_due, balance_of, covered_of, credit_of
from apps.billing.services.change_prices import price_change
from apps.billing.services.credits import add_credit
from apps.billing.services.invoices import (
    cancel_changes,
    detail_of,
    free_due_date,
    locked_invoice,
    reprice_invoices,
    require_open,
    withdraw_codes,
)
from apps.billing.services.refunds import take_back
from apps.common.errors import InvalidInput
from apps.companies.models import Recurrence
from apps.companies.queries import zone_of
from apps.companies.services import extend_due_date

logger = logging.getLogger(__name__)


def receive_payment(*, charge: PixCharge, pix: ReceivedPix) -> Payment | None:
    """Record a payment that a provider reports for a charge, and apply it.

    Returns None for a payment that is already recorded, of which only a newly reported refund is
    applied, and for one that was returned as a whole. A payment that, with earlier payments and the
    credit, does not reach the charge's price is recorded, but not applied. A payment of a paid
    invoice is recorded as a credit, which the super user sees. A cancelled invoice is paid by it
    nevertheless, except one for a change of plan: its price may be that of other days, so its
    payment becomes a credit.
    """
    with transaction.atomic():
        invoice = locked_invoice(charge.invoice_id)
        known = Payment.objects.filter(provider=charge.provider, reference=pix.reference).first()
        if known is not None:
            take_back(invoice, known, refunded=pix.refunded)
            return None
        if pix.refunded >= pix.value:
            return None
        is_ended_change = invoice.kind == InvoiceKind.CHANGE and not invoice.is_open
        if invoice.is_paid or is_ended_change:
            outcome = PaymentOutcome.CREDIT
        elif _is_covered(invoice, charge, pix.value - pix.refunded):
            outcome = PaymentOutcome.APPLIED
        elif invoice.is_open:
            outcome = PaymentOutcome.PARTIAL
        else:
            outcome = PaymentOutcome.CREDIT
        payment = _record_payment(
            invoice=invoice,
            charge=charge,
            provider=charge.provider,
            reference=pix.reference,
            value=pix.value,
            refunded=pix.refunded,
            outcome=outcome,
            paid_at=pix.paid_at,
        )
        if outcome == PaymentOutcome.APPLIED:
            _name_what_was_paid(invoice, charge)
            _settle(invoice, paid_at=payment.paid_at, paid=charge)
        else:
            logger.warning("Payment %s of invoice %s is not applied", payment.pk, invoice.pk)
            if outcome == PaymentOutcome.CREDIT:
                add_credit(
                    company_id=invoice.company_id,
                    kind=CreditKind.PAID_AGAIN,
                    value=payment.value - payment.refunded,
                    invoice=invoice,
                )
            else:
                withdraw_codes([invoice.pk], paid=charge.pk)
                events.paid_in_part(invoice)
    return payment


def confirm_payment(
    *, invoice_id: int, actor: AbstractBaseUser, ip_address: str | None = None
) -> Invoice:
    """Mark an invoice as paid on the super user's confirmation, by a payment of what was due.

    A change of plan is priced anew. Raises InvoiceNotFound, and the errors of `require_open` and
    `price_change`.
    """
    with transaction.atomic():
        invoice = _payable(invoice_id)
        value = amount_due(invoice)
        if not value:
            settle_by_credit(invoice, actor=actor)
            return invoice
        payment = _record_payment(
            invoice=invoice,
            charge=None,
            provider=PixProvider.MANUAL,
            reference=_own_reference(invoice),
            value=value,
            outcome=PaymentOutcome.APPLIED,
            paid_at=timezone.now(),
            actor=actor,
            ip_address=ip_address,
        )
        _settle(invoice, paid_at=payment.paid_at)
    return invoice


def settle_by_credit(invoice: Invoice, *, actor: AbstractBaseUser | None) -> None:
    """Settle an open invoice that earlier payments and credits cover. The caller holds the locks of
    it and of its `company`.
    """
    record(
        action="invoice.paid_by_credit",
        actor=actor,
        company_id=invoice.company_id,
        target=invoice,
        detail={"value": str(invoice.value)},
    )
    _settle(invoice, paid_at=timezone.now())


def register_payment(
    *,
    invoice_id: int,
    value: Decimal,
    actor: AbstractBaseUser,
    reference: str = "",
    ip_address: str | None = None,
) -> Invoice:
    """Record a payment that the super user saw at the bank; one that covers what is due settles
    the invoice.

    A change of plan is priced anew. Raises InvoiceNotFound, the errors of `require_open` and
    `price_change`, and InvalidInput for a reference that is recorded already.
    """
    with transaction.atomic():
        invoice = _payable(invoice_id)
        own = reference.strip() or _own_reference(invoice)
        if Payment.objects.filter(provider=PixProvider.MANUAL, reference=own).exists():
            sentence = "Já existe um pagamento com esta referência."
            raise InvalidInput(sentence, fields={"reference": [sentence]}, rule="taken")
        is_all = value >= amount_due(invoice)
        payment = _record_payment(
            invoice=invoice,
            charge=None,
            provider=PixProvider.MANUAL,
            reference=own,
            value=value,
            outcome=PaymentOutcome.APPLIED if is_all else PaymentOutcome.PARTIAL,
            paid_at=timezone.now(),
            actor=actor,
            ip_address=ip_address,
        )
        if is_all:
            _settle(invoice, paid_at=payment.paid_at)
        else:
            withdraw_codes([invoice.pk])
            events.paid_in_part(invoice)
    return invoice


def _payable(invoice_id: int) -> Invoice:
    """Return an open invoice at its present price, locked with its company."""
    invoice = locked_invoice(invoice_id)
    require_open(invoice)
    if invoice.kind == InvoiceKind.CHANGE:
        price_change(invoice, invoice.company)
    return invoice


def _own_reference(invoice: Invoice) -> str:
    """Return the reference of a payment that no provider names. The caller holds the lock."""
    count = Payment.objects.filter(invoice=invoice, provider=PixProvider.MANUAL).count()
    return f"invoice-{invoice.pk}" + (f"-{count + 1}" if count else "")


def _record_payment(
    *, actor: AbstractBaseUser | None = None, ip_address: str | None = None, **fields: object
) -> Payment:
    invoice = fields["invoice"]
    assert isinstance(invoice, Invoice)  # noqa: S101
    payment: Payment = Payment.objects.create(company_id=invoice.company_id, **fields)
    record(
        action=f"payment.{payment.outcome}",
        actor=actor,
        company_id=invoice.company_id,
        target=invoice,
        detail={
            "value": str(payment.value),
            "provider": payment.provider,
            "reference": payment.reference,
        },
        ip_address=ip_address,
    )
    return payment


def _is_covered(invoice: Invoice, charge: PixCharge, paid: Decimal) -> bool:
    """Tell whether `paid` settles the invoice at the price of the charge.

    What the charge deducted may have been returned or used since.
    """
    had = covered_of(invoice) + balance_of(invoice.company_id)
    return had + paid >= charge.value + charge.deducted


def _name_what_was_paid(invoice: Invoice, charge: PixCharge) -> None:
    """Set the invoice to the plan and price of the paid charge: it may have been repriced since."""
    invoice.value = charge.value + charge.deducted
    if invoice.kind == InvoiceKind.CHANGE:
        return
    invoice.plan = charge.plan
    invoice.recurrence = charge.recurrence or invoice.company.recurrence
    if charge.plan is not None:  # if the plan was deleted, the text stays
        invoice.detail = detail_of(charge.plan, invoice.recurrence)


def _settle(invoice: Invoice, *, paid_at: datetime, paid: PixCharge | None = None) -> None:
    """Mark an invoice as paid, use up credit for what payments do not cover or credit what they
    are too much, and change its company's plan and due date.

    The codes are withdrawn, except the `paid` charge. The caller holds the locks.
    """
    _balance(invoice)
    company, recurrence = invoice.company, invoice.recurrence
    due_date = company.due_date
    invoice.status = InvoiceStatus.PAID
    invoice.paid_at = paid_at
    invoice.save(
        update_fields=["plan", "detail", "value", "recurrence", "status", "paid_at", "updated_at"]
    )
    if invoice.plan is not None and invoice.plan_id != company.plan_id:
        company.plan = invoice.plan
        company.save(update_fields=["plan", "updated_at"])
        reprice_invoices(company, actor=None)
    withdraw_codes([invoice.pk], paid=paid.pk if paid else None)
    if invoice.kind == InvoiceKind.CHANGE:
        events.paid(company)
        return
    # Extend by the paid period: the company's recurrence may have changed since.
    months = Recurrence(recurrence).months if recurrence else None
    company = extend_due_date(company_id=company.pk, months=months)
    # An open change of plan asks for the days of the former due date.
    cancel_changes(company)
    free_due_date(company)
    today = timezone.now().astimezone(zone_of(company.pk)).date()
    invoice.extended_days = (company.due_date - max(due_date, today)).days
    invoice.taken_days = 0
    invoice.save(update_fields=["extended_days", "taken_days", "updated_at"])
    events.paid(company)


def _balance(invoice: Invoice) -> None:
    """Use the company's credit for what the payments of an invoice do not cover, or credit what
    they are beyond its price.

    Open codes of other invoices, which may count on the former credit, are withdrawn.
    """
    rest = invoice.value - covered_of(invoice)
    if rest < 0:
        kind, value = CreditKind.OVERPAID, -rest
    else:
        kind, value = CreditKind.USED, -min(rest, credit_of(invoice.company_id))
    if not value:
        return
    add_credit(company_id=invoice.company_id, kind=kind, value=value, invoice=invoice)
    others = Invoice.objects.for_company(invoice.company_id).unpaid().exclude(pk=invoice.pk)
    withdraw_codes(list(others.values_list("pk", flat=True)))
