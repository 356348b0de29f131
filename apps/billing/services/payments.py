"""Applying received payments: each exactly once (rules/billing §3)."""

import logging

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from apps.audit.services import record
from apps.billing import events
from apps.billing.models import (
    CreditKind,
    Invoice,
    InvoiceStatus,
    Payment,
    PaymentOutcome,
    PixCharge,
    PixProvider,
)
from apps.billing.pix.base import ReceivedPix
from apps.billing.services.credits import add_credit
from apps.billing.services.invoices import (
    detail_of,
    locked_invoice,
    reprice_invoices,
    require_open,
    withdraw_codes,
)
from apps.billing.services.refunds import take_back
from apps.companies.models import Recurrence
from apps.companies.queries import zone_of
from apps.companies.services import extend_due_date

logger = logging.getLogger(__name__)


def receive_payment(*, charge: PixCharge, pix: ReceivedPix) -> Payment | None:
    """Record a payment that a provider reports for a charge, and apply it.

    Returns None for a payment that is already recorded, of which only a newly reported refund is
    applied, and for one that was returned as a whole. A payment lower than the charge is recorded,
    but not applied. A payment of a paid invoice is recorded as a credit, which the super
    user sees. A cancelled invoice is paid by it nevertheless.
    """
    with transaction.atomic():
        invoice = locked_invoice(charge.invoice_id)
        known = Payment.objects.filter(provider=charge.provider, reference=pix.reference).first()
        if known is not None:
            take_back(invoice, known, refunded=pix.refunded)
            return None
        if pix.refunded >= pix.value:
            return None
        if invoice.is_paid:
            outcome = PaymentOutcome.CREDIT
        elif pix.value - pix.refunded < charge.value:
            outcome = PaymentOutcome.PARTIAL
        else:
            outcome = PaymentOutcome.APPLIED
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
            _settle(invoice, payment)
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
                events.paid_in_part(invoice)
    return payment


def confirm_payment(*, invoice_id: int, actor: AbstractBaseUser) -> Invoice:
    """Mark an invoice as paid on the super user's confirmation; raises the errors of
    `require_open`.
    """
    with transaction.atomic():
        invoice = locked_invoice(invoice_id)
        require_open(invoice)
        payment = _record_payment(
            invoice=invoice,
            charge=None,
            provider=PixProvider.MANUAL,
            reference=_own_reference(invoice),
            value=invoice.value,
            outcome=PaymentOutcome.APPLIED,
            paid_at=timezone.now(),
            actor=actor,
        )
        _settle(invoice, payment)
    return invoice


def _own_reference(invoice: Invoice) -> str:
    """Return the reference of a payment that no provider names. The caller holds the lock."""
    count = Payment.objects.filter(invoice=invoice, provider=PixProvider.MANUAL).count()
    return f"invoice-{invoice.pk}" + (f"-{count + 1}" if count else "")


def _record_payment(*, actor: AbstractBaseUser | None = None, **fields: object) -> Payment:
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
    )
    return payment


def _name_what_was_paid(invoice: Invoice, charge: PixCharge) -> None:
    """Set the invoice to the plan and price of the paid charge: it may have been repriced since."""
    invoice.value = charge.value
    invoice.plan = charge.plan
    invoice.recurrence = charge.recurrence or invoice.company.recurrence
    if charge.plan is not None:  # if the plan was deleted, the text stays
        invoice.detail = detail_of(charge.plan, invoice.recurrence)


def _settle(invoice: Invoice, payment: Payment) -> None:
    """Mark an invoice as paid, and change its company's plan and due date.

    The caller holds the locks.
    """
    company, recurrence = invoice.company, invoice.recurrence
    due_date = company.due_date
    invoice.status = InvoiceStatus.PAID
    invoice.paid_at = payment.paid_at
    invoice.save(
        update_fields=["plan", "detail", "value", "recurrence", "status", "paid_at", "updated_at"]
    )
    if invoice.plan is not None and invoice.plan_id != company.plan_id:
        company.plan = invoice.plan
        company.save(update_fields=["plan", "updated_at"])
        reprice_invoices(company, actor=None)
    # Extend by the paid period: the company's recurrence may have changed since.
    months = Recurrence(recurrence).months if recurrence else None
    company = extend_due_date(company_id=company.pk, months=months)
    today = timezone.now().astimezone(zone_of(company.pk)).date()
    invoice.extended_days = (company.due_date - max(due_date, today)).days
    invoice.taken_days = 0
    invoice.save(update_fields=["extended_days", "taken_days", "updated_at"])
    withdraw_codes([invoice.pk], paid=payment.charge_id)
    events.paid(company)
