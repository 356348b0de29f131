"""A company's credit, which its next invoices use up (rules/billing §7)."""

from decimal import Decimal

from apps.billing.models import Credit, Invoice


def add_credit(
    *,
    company_id: int,
    kind: str,
    value: Decimal,
    invoice: Invoice | None = None,
    note: str = "",
) -> Credit:
    """Record a change of a company's credit. The caller holds the company's lock."""
    return Credit.objects.create(
        company_id=company_id, kind=kind, value=value, invoice=invoice, note=note
    )
