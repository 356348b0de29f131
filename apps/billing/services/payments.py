"""Applying received payments: each exactly once (rules/billing §3)."""

import logging

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from apps.audit.services import record
from apps.billing import events
from apps.billing.models import (
    Invoice,
    InvoiceStatus,
    Payment,
    PaymentOutcome,
    PixCharge,
    PixProvider,
)
from apps.billing.pix.base import ReceivedPix
from apps.billing.services.invoices import (
    detail_of,
    locked_invoice,
    reprice_invoices,
    require_open,
    withdraw_codes,
)
from apps.companies.models import Recurrence
from apps.companies.services import extend_due_date

logger = logging.getLogger(__name__)


def receive_payment(*, charge: PixCharge, pix: ReceivedPix) -> Payment | None:
    """Record a payment that a provider reports for a charge, and apply it.

    Returns None for a payment that is already recorded. A payment lower than the charge is
    recorded, but not applied. A payment of a paid invoice is recorded as a credit, which the super
    user sees. A cancelled invoice is paid by it nevertheless.
    """
    with transaction.atomic():
        invoice = locked_invoice(charge.invoice_id)
        known = Payment.objects.filter(provider=charge.provider, reference=pix.reference)
        if known.exists():
            return None
        if invoice.is_paid:
            outcome = PaymentOutcome.CREDIT
        elif pix.value < charge.value:
            outcome = PaymentOutcome.PARTIAL
        else:
            outcome = PaymentOutcome.APPLIED
        payment = _record_payment(
            invoice=invoice,
            charge=charge,
            provider=charge.provider,
            reference=pix.reference,
            value=pix.value,
            outcome=outcome,
            paid_at=pix.paid_at,
        )
        if outcome == PaymentOutcome.APPLIED:
            _name_what_was_paid(invoice, charge)
            _settle(invoice, payment)
        else:
            logger.warning("Payment %s of invoice %s is not applied", payment.pk, invoice.pk)
            if outcome == PaymentOutcome.PARTIAL:
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
            reference=f"invoice-{invoice.pk}",
            value=invoice.value,
            outcome=PaymentOutcome.APPLIED,
            paid_at=timezone.now(),
            actor=actor,
        )
        _settle(invoice, payment)
    return invoice


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
    withdraw_codes([invoice.pk], paid=payment.charge_id)
    events.paid(company)
