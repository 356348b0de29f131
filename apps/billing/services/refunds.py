"""Refunds and chargebacks: what a payment bought is taken back (rules/billing §5)."""

import logging
from decimal import ROUND_HALF_UP, Decimal

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
)
from apps.billing.queries.credits import (
    covered_of,
    credit_of,
    downgrades_of,
    overpaid_of,
    paid_for,
    used_of,
)
from apps.billing.services.change_prices import CENT
from apps.billing.services.credits import add_credit
from apps.billing.services.invoices import (
    cancel_later,
    free_due_date,
    invoice_company,
    locked_invoice,
    reprice_invoices,
    withdraw_open_codes,
)
from apps.common.errors import InvalidInput, NotFound
from apps.common.registry import Hook
from apps.companies.models import Company, Recurrence
from apps.companies.services import months_later, shorten_due_date

logger = logging.getLogger(__name__)

# Receives a payment of which a part or all was returned, the returned amount, and the company with
# its present due date, in the transaction of the refund.
payment_refunded: Hook[[Payment, Decimal, Company]] = Hook()


class PaymentNotFound(NotFound):
    """The invoice has no such payment."""

    code = "ERR_NO_PAYMENT_FOUND"
    message = "Pagamento não encontrado."


def refund_payment(
    *,
    invoice_id: int,
    payment_id: int,
    value: Decimal | None,
    actor: AbstractBaseUser,
    ip_address: str | None = None,
) -> Payment:
    """Mark a part of a payment, or all that is left of it, as returned to the payer.

    It returns no money: the super user has returned it at the bank. Raises InvoiceNotFound,
    PaymentNotFound, and InvalidInput for more than is left.
    """
    with transaction.atomic():
        invoice = locked_invoice(invoice_id)
        payment = Payment.objects.filter(pk=payment_id, invoice=invoice).first()
        if payment is None:
            raise PaymentNotFound
        left = payment.value - payment.refunded
        asked = left if value is None else value
        if not 0 < asked <= left:
            sentence = f"Informe um valor de até R$ {left:.2f}."
            raise InvalidInput(
                sentence,
                fields={"value": [sentence]},
                rule="max_value" if asked > left else "min_value",
            )
        refunded = payment.refunded + asked
        take_back(invoice, payment, refunded=refunded, actor=actor, ip_address=ip_address)
    return payment


def take_back(
    invoice: Invoice,
    payment: Payment,
    *,
    refunded: Decimal,
    actor: AbstractBaseUser | None = None,
    ip_address: str | None = None,
) -> None:
    """Record that `refunded` of a payment in all has been returned, and take back what it bought.

    The company's open codes, which may count on that money, are withdrawn. Nothing happens if that
    much is recorded already. The caller holds the invoice's lock.
    """
    returned = min(refunded, payment.value) - payment.refunded
    if returned <= 0:
        return
    payment.refunded += returned
    payment.save(update_fields=["refunded"])
    if payment.outcome == PaymentOutcome.CREDIT:
        _take_credit(payment, returned)
    else:
        _take_excess(invoice, returned)
        if invoice.is_paid:
            _take_what_it_bought(invoice)
    withdraw_open_codes(invoice.company_id)
    company = Company.objects.get(pk=invoice.company_id)
    record(
        action="payment.refunded",
        actor=actor,
        company_id=company.pk,
        target=invoice,
        detail={
            "value": str(returned),
            "provider": payment.provider,
            "reference": payment.reference,
            "dueDate": company.due_date.isoformat(),
        },
        ip_address=ip_address,
    )
    logger.warning("R$ %s of payment %s of company %s went back", returned, payment.pk, company.pk)
    payment_refunded(payment, returned, company)
    events.refunded(company)


def _take_credit(payment: Payment, returned: Decimal) -> None:
    """Take the credit that a repeated payment became, as far as it is unused."""
    left = min(returned, credit_of(payment.company_id))
    if left:
        add_credit(
            company_id=payment.company_id,
            kind=CreditKind.REFUNDED,
            value=-left,
            invoice=payment.invoice,
        )


def _take_excess(invoice: Invoice, returned: Decimal) -> None:
    """Take the credit that came from paying more than the price, also if it is used: the company
    owes it then.
    """
    taken = min(returned, overpaid_of(invoice))
    if taken:
        add_credit(
            company_id=invoice.company_id, kind=CreditKind.OVERPAID, value=-taken, invoice=invoice
        )


def _take_what_it_bought(invoice: Invoice) -> None:
    """Take back the part of the extension, the change of plan, and the credit for a cheaper plan
    that is no longer paid for.
    """
    if invoice.kind == InvoiceKind.CHANGE and not paid_for(invoice):
        _return_used(invoice)
    covered = max(covered_of(invoice), Decimal(0))
    if covered >= invoice.value:
        return
    share = (invoice.value - covered) / invoice.value
    days = 0
    if invoice.kind == InvoiceKind.PERIOD:
        days = int(_extended_days(invoice) * share) - invoice.taken_days
    if not covered:
        invoice.status, invoice.paid_at = InvoiceStatus.REFUNDED, None
    invoice.taken_days += days
    invoice.save(update_fields=["status", "paid_at", "taken_days", "updated_at"])
    if days:
        company = shorten_due_date(company_id=invoice.company_id, days=days)
        cancel_later(company)
        if invoice.status == InvoiceStatus.REFUNDED:
            free_due_date(company, refunded=invoice)
        # The invoice is refunded now: if its day is the due date again, it is reopened.
        invoice_company(company)
    if invoice.kind == InvoiceKind.CHANGE and not covered:
        _change_back(invoice)
    _take_downgrades(invoice, share)


def _return_used(invoice: Invoice) -> None:
    """Give back the credit that an invoice used. A change of plan whose payments were all returned
    is not kept by it.
    """
    used = used_of(invoice)
    if used:
        add_credit(company_id=invoice.company_id, kind=CreditKind.USED, value=used, invoice=invoice)


def _take_downgrades(invoice: Invoice, share: Decimal) -> None:
    """Take the share of the credit that a cheaper plan gave from the invoice's payment, also if it
    is used: the company owes it then.
    """
    given, taken = downgrades_of(invoice)
    value = (given * share).quantize(CENT, ROUND_HALF_UP) - taken
    if value > 0:
        add_credit(
            company_id=invoice.company_id, kind=CreditKind.DOWNGRADE, value=-value, invoice=invoice
        )


def _extended_days(invoice: Invoice) -> int:
    """Return the days by which the invoice's payment extended the due date.

    Older versions did not store them: they are then those of its period.
    """
    if invoice.extended_days is not None:
        return invoice.extended_days
    recurrence = Recurrence(invoice.recurrence or invoice.company.recurrence)
    start = timezone.localdate(invoice.paid_at)
    return (months_later(start, recurrence.months) - start).days


def _change_back(invoice: Invoice) -> None:
    """Give the company its former plan again, if it still has the one that was paid for."""
    company = Company.objects.select_for_update(no_key=True).get(pk=invoice.company_id)
    if invoice.previous_plan is not None and company.plan_id == invoice.plan_id:
        company.plan = invoice.previous_plan
        company.save(update_fields=["plan", "updated_at"])
        reprice_invoices(company, actor=None)
