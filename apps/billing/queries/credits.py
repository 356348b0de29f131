"""What a company has to its credit, and what an invoice still asks for (rules/billing §7)."""

from decimal import Decimal

from django.db.models import F, QuerySet, Sum

from apps.billing.models import Credit, Invoice, Payment, PaymentOutcome

NOTHING = Decimal(0)


def credit_of(company_id: int) -> Decimal:
    """Return a company's unused credit."""
    total = Credit.objects.for_company(company_id).aggregate(total=Sum("value"))["total"]
    return max(total or NOTHING, NOTHING)


def covered_of(invoice: Invoice) -> Decimal:
    """Return what payments, without their refunded parts, and used credits cover of an invoice."""
    paid = _own(invoice).aggregate(total=Sum(F("value") - F("refunded")))["total"]
    used = Credit.objects.filter(invoice=invoice, kind="used").aggregate(total=Sum("value"))
    return (paid or NOTHING) - (used["total"] or NOTHING)


def amount_due(invoice: Invoice) -> Decimal:
    """Return what is still to be paid for an open invoice, after the company's credit."""
    rest = invoice.value - covered_of(invoice) - credit_of(invoice.company_id)
    return max(rest, NOTHING)


def _own(invoice: Invoice) -> QuerySet[Payment]:
    """Return the invoice's payments except those that became a credit."""
    return Payment.objects.filter(invoice=invoice).exclude(outcome=PaymentOutcome.CREDIT)
