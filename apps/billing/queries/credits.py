"""What a company has to its credit, and what an invoice still asks for (rules/billing §7)."""

from decimal import Decimal

from django.db.models import F, Q, QuerySet, Sum

from apps.billing.models import Credit, CreditKind, Invoice, Payment, PaymentOutcome

NOTHING = Decimal(0)


def balance_of(company_id: int) -> Decimal:
    """Return a company's unused credit, or as a negative value what it owes: refunds took back
    credit that was used.
    """
    total = Credit.objects.for_company(company_id).aggregate(total=Sum("value"))["total"]
    return total or NOTHING


def credit_of(company_id: int) -> Decimal:
    """Return a company's unused credit."""
    return max(balance_of(company_id), NOTHING)


def credit_and_owed(company_id: int) -> tuple[Decimal, Decimal]:
    """Return a company's unused credit and what it owes, of which one is zero."""
    balance = balance_of(company_id)
    return max(balance, NOTHING), max(-balance, NOTHING)


def covered_of(invoice: Invoice) -> Decimal:
    """Return what payments, without their refunded parts, and used credits cover of an invoice.

    What was paid beyond its price has become a credit, so it is not counted.
    """
    return paid_for(invoice) + used_of(invoice) - overpaid_of(invoice)


def paid_for(invoice: Invoice) -> Decimal:
    """Return what was paid for an invoice and not returned."""
    return _own(invoice).aggregate(total=Sum(F("value") - F("refunded")))["total"] or NOTHING


def overpaid_of(invoice: Invoice) -> Decimal:
    """Return what was paid beyond an invoice's price, without what refunds took back of it."""
    return _moved(invoice, CreditKind.OVERPAID)


def used_of(invoice: Invoice) -> Decimal:
    """Return the credit that an invoice used, without what was given back."""
    return -_moved(invoice, CreditKind.USED)


def downgrades_of(invoice: Invoice) -> tuple[Decimal, Decimal]:
    """Return the credit for cheaper plans that was given from an invoice's payment, and what
    refunds took back of it.
    """
    rows = Credit.objects.filter(invoice=invoice, kind=CreditKind.DOWNGRADE)
    totals = rows.aggregate(
        given=Sum("value", filter=Q(value__gt=0)), taken=Sum("value", filter=Q(value__lt=0))
    )
    return totals["given"] or NOTHING, -(totals["taken"] or NOTHING)


def amount_due(invoice: Invoice) -> Decimal:
    """Return what is still to be paid for an open invoice, after the company's credit or with what
    it owes.
    """
    rest = invoice.value - covered_of(invoice) - balance_of(invoice.company_id)
    return max(rest, NOTHING)


def _own(invoice: Invoice) -> QuerySet[Payment]:
    """Return the invoice's payments except those that became a credit."""
    return Payment.objects.filter(invoice=invoice).exclude(outcome=PaymentOutcome.CREDIT)


def _moved(invoice: Invoice, kind: CreditKind) -> Decimal:
    rows = Credit.objects.filter(invoice=invoice, kind=kind)
    return rows.aggregate(total=Sum("value"))["total"] or NOTHING
