"""Plans, invoices, charges and payments."""

from apps.billing.models.invoices import (
    Credit,
    CreditKind,
    Invoice,
    InvoiceKind,
    InvoiceStatus,
    Payment,
    PaymentOutcome,
    PixCharge,
    PixNotice,
    PixProvider,
)
from apps.billing.models.plans import Plan

__all__ = [
    "Credit",
    "CreditKind",
    "Invoice",
    "InvoiceKind",
    "InvoiceStatus",
    "Payment",
    "PaymentOutcome",
    "PixCharge",
    "PixNotice",
    "PixProvider",
    "Plan",
]
