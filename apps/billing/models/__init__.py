"""Plans, invoices, charges and payments."""

from apps.billing.models.invoices import (
    Invoice,
    InvoiceStatus,
    Payment,
    PaymentOutcome,
    PixCharge,
    PixNotice,
    PixProvider,
)
from apps.billing.models.plans import Plan

__all__ = [
    "Invoice",
    "InvoiceStatus",
    "Payment",
    "PaymentOutcome",
    "PixCharge",
    "PixNotice",
    "PixProvider",
    "Plan",
]
