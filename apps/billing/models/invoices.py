"""Invoices, their Pix charges, payments and the providers' notifications."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel
from apps.companies.models import Recurrence


class InvoiceStatus(models.TextChoices):
    """An invoice's status. There is none for overdue: it is open with a past due date."""

    OPEN = "open", "Em aberto"
    PAID = "paid", "Paga"
    CANCELLED = "cancelled", "Cancelada"
    # All of its payments were returned (rules/billing §5).
    REFUNDED = "refunded", "Estornada"


class InvoiceKind(models.TextChoices):
    PERIOD = "period", "Período"
    # The difference by days for another plan in the middle of a cycle (rules/billing §6).
    CHANGE = "change", "Mudança de plano"


class InvoiceQuerySet(TenantQuerySet["Invoice"]):
    def unpaid(self) -> Self:
        """Keep the invoices that must still be paid."""
        return self.filter(status=InvoiceStatus.OPEN)


class Invoice(TimestampedModel):
    """The amount that a company owes by a date: one for each of its due dates (rules/billing §1),
    and at most one open one for a change of its plan (rules/billing §6).
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="invoices"
    )
    plan = models.ForeignKey(
        "billing.Plan", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    kind = models.CharField(
        max_length=10,
        choices=InvoiceKind.choices,
        default=InvoiceKind.PERIOD,
        db_default=InvoiceKind.PERIOD,
    )
    # For a change of the plan: the plan that the company had.
    previous_plan = models.ForeignKey(
        "billing.Plan", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    detail = models.CharField(max_length=200)
    value = models.DecimalField(max_digits=10, decimal_places=2)
    # The period that the invoice covers. Empty in rows of older versions, which use the company's
    # recurrence.
    recurrence = models.CharField(
        max_length=10, choices=Recurrence.choices, blank=True, default="", db_default=""
    )
    due_date = models.DateField()
    status = models.CharField(
        max_length=10, choices=InvoiceStatus.choices, default=InvoiceStatus.OPEN
    )
    paid_at = models.DateTimeField(null=True, blank=True)
    # The days by which its payment extended the due date, and those of them that refunds took
    # back. Null in invoices that older versions settled.
    extended_days = models.PositiveIntegerField(null=True, blank=True)
    taken_days = models.PositiveIntegerField(default=0, db_default=0)

    objects: ClassVar[InvoiceQuerySet] = InvoiceQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["company", "due_date"],
                condition=Q(kind="period"),
                name="one_invoice_per_due_date",
            ),
            models.UniqueConstraint(
                fields=["company"],
                condition=Q(kind="change", status="open"),
                name="one_open_plan_change",
            ),
        ]
        indexes = [
            # The super user's list of all companies' invoices.
            models.Index(fields=["-due_date", "-id"], name="invoice_by_due_date"),
        ]

    def __str__(self) -> str:
        return f"{self.detail} ({self.pk})"

    @property
    def is_open(self) -> bool:
        return self.status == InvoiceStatus.OPEN

    @property
    def is_paid(self) -> bool:
        return self.status == InvoiceStatus.PAID


class PixProvider(models.TextChoices):
    """The provider that issues the charges (PIX_PROVIDER)."""

    EFI = "efi", "Efí"
    ASAAS = "asaas", "Asaas"
    MANUAL = "manual", "Manual"


class PixCharge(LeasedRow, TimestampedModel):
    """A Pix code for an invoice, at the price of the plan that was chosen for it.

    `txid` is our id, stored before the provider is called; `reference` is the provider's id. The
    row stays unfinished while the code can be paid. A worker polls the provider meanwhile, so that
    a lost notification delays the payment by minutes only. A replaced charge is withdrawn at the
    provider; a payment that arrived before is accepted.
    """

    wakes: ClassVar[str] = "billing.check_charges"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    invoice = models.ForeignKey(Invoice, on_delete=models.CASCADE, related_name="charges")
    plan = models.ForeignKey("billing.Plan", null=True, on_delete=models.SET_NULL, related_name="+")
    provider = models.CharField(max_length=10, choices=PixProvider.choices)
    txid = models.CharField(max_length=35, unique=True)
    reference = models.CharField(max_length=100, blank=True)
    value = models.DecimalField(max_digits=10, decimal_places=2)
    # What earlier payments and credits cover: the price is `value` plus this.
    deducted = models.DecimalField(max_digits=10, decimal_places=2, default=0, db_default=0)
    # The period that the code pays for. It does not change with the company's recurrence.
    recurrence = models.CharField(
        max_length=10, choices=Recurrence.choices, blank=True, default="", db_default=""
    )
    code = models.TextField(blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    is_replaced = models.BooleanField(default=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[LeasedQuerySet["PixCharge"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="charge_due"),
            models.Index(
                fields=["reference"], condition=~Q(reference=""), name="charge_by_reference"
            ),
        ]

    def __str__(self) -> str:
        return self.txid


class PaymentOutcome(models.TextChoices):
    APPLIED = "applied", "Aplicado"
    PARTIAL = "partial", "Valor menor que o da fatura"
    CREDIT = "credit", "Pago de novo (crédito)"


class Payment(models.Model):
    """A received payment, stored once per provider's reference."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    invoice = models.ForeignKey(Invoice, on_delete=models.CASCADE, related_name="payments")
    charge = models.ForeignKey(
        PixCharge, null=True, blank=True, on_delete=models.CASCADE, related_name="payments"
    )
    provider = models.CharField(max_length=10, choices=PixProvider.choices)
    reference = models.CharField(max_length=100)
    value = models.DecimalField(max_digits=10, decimal_places=2)
    # The part of `value` that was returned to the payer.
    refunded = models.DecimalField(max_digits=10, decimal_places=2, default=0, db_default=0)
    outcome = models.CharField(max_length=10, choices=PaymentOutcome.choices)
    paid_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["provider", "reference"], name="one_row_per_payment")
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.reference}"


class CreditKind(models.TextChoices):
    DOWNGRADE = "downgrade", "Mudança para um plano mais barato"
    PAID_AGAIN = "paid_again", "Fatura paga de novo"
    OVERPAID = "overpaid", "Pago a mais"
    GIVEN = "given", "Dado pelo operador"
    USED = "used", "Usado em uma fatura"
    REFUNDED = "refunded", "Devolvido ao pagador"


class Credit(models.Model):
    """A change of a company's credit, whose sum later invoices use up (rules/billing §7).

    `value` is negative for what was used or returned.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="credits"
    )
    invoice = models.ForeignKey(
        Invoice, null=True, blank=True, on_delete=models.SET_NULL, related_name="credits"
    )
    kind = models.CharField(max_length=10, choices=CreditKind.choices)
    value = models.DecimalField(max_digits=10, decimal_places=2)
    note = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TenantQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"


class PixNotice(models.Model):
    """A provider's notification. It proves nothing until the provider is asked for the charge."""

    provider = models.CharField(max_length=10, choices=PixProvider.choices)
    charge = models.ForeignKey(PixCharge, null=True, on_delete=models.SET_NULL, related_name="+")
    reference = models.CharField(max_length=100, blank=True)
    received_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.provider} {self.reference}"
