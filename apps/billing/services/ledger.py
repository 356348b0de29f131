"""An invoice with all that belongs to it, for the super user (rules/billing §8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from apps.audit.models import AuditEntry
from apps.billing.models import Credit, Invoice, InvoiceStatus, Payment, PixCharge
from apps.billing.queries.credits import amount_due, credit_and_owed
from apps.billing.queries.ledger import (
    all_invoices,
    charges_of,
    credits_of,
    history_of,
    payments_of,
)
from apps.billing.services.invoices import InvoiceNotFound


@dataclass(frozen=True)
class LedgerEntry:
    """An invoice, what is still due of it, its company's unused credit or what it owes, and what
    happened to both, newest first.
    """

    invoice: Invoice
    due: Decimal
    credit: Decimal
    owed: Decimal
    charges: Sequence[PixCharge]
    payments: Sequence[Payment]
    credits: Sequence[Credit]
    history: Sequence[AuditEntry]


def ledger_of(invoice_id: int) -> LedgerEntry:
    """Return an invoice of any company with all that belongs to it; raises InvoiceNotFound."""
    invoice = all_invoices().filter(pk=invoice_id).first()
    if invoice is None:
        raise InvoiceNotFound
    is_open = invoice.status == InvoiceStatus.OPEN
    credit, owed = credit_and_owed(invoice.company_id)
    return LedgerEntry(
        invoice=invoice,
        due=amount_due(invoice) if is_open else Decimal(0),
        credit=credit,
        owed=owed,
        charges=list(charges_of(invoice)),
        payments=list(payments_of(invoice)),
        credits=list(credits_of(invoice.company_id)),
        history=list(history_of(invoice)),
    )
