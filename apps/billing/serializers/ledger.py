"""The wire shapes of all companies' invoices, for the super user (rules/billing §8)."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.audit.serializers import AuditEntrySerializer
from apps.billing.models import (
    CreditKind,
    InvoiceKind,
    InvoiceStatus,
    PaymentOutcome,
    PixProvider,
)
from apps.billing.queries.ledger import STATUSES
from apps.common.serializers import IdField, RowSerializer, TextField, page_of


class LedgerInvoiceSerializer(RowSerializer):
    """An invoice of a company; `value`, `received` and `refunded` are in reais.

    `received` is the sum of its payments without what was returned of them, which is `refunded`.
    """

    id = serializers.IntegerField()
    companyId = serializers.IntegerField(source="company_id")
    companyName = serializers.CharField(source="company.name")
    kind = serializers.ChoiceField(choices=InvoiceKind.choices)
    detail = serializers.CharField()
    value = serializers.FloatField()
    received = serializers.FloatField()
    refunded = serializers.FloatField()
    dueDate = serializers.DateField(source="due_date")
    status = serializers.ChoiceField(choices=InvoiceStatus.choices)
    paidAt = serializers.DateTimeField(source="paid_at", allow_null=True)


LedgerPageSerializer = page_of("invoices", LedgerInvoiceSerializer, "A page of all invoices.")


class LedgerQuerySerializer(serializers.Serializer[Any]):
    """The filters of all companies' invoices."""

    searchParam = serializers.CharField(
        required=False, help_text="Part of the company's name or e-mail, of the detail, or the id."
    )
    status = serializers.ChoiceField(
        choices=STATUSES,
        required=False,
        help_text="`overdue`: open after its day; `partial`: open, and something was received.",
    )
    pageNumber = serializers.IntegerField(required=False)


class LedgerChargeSerializer(RowSerializer):
    """A Pix charge of an invoice; `lastError` says why a call of the provider failed."""

    id = serializers.IntegerField()
    provider = serializers.ChoiceField(choices=PixProvider.choices)
    txid = serializers.CharField()
    value = serializers.FloatField()
    createdAt = serializers.DateTimeField(source="created_at")
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True)
    isReplaced = serializers.BooleanField(source="is_replaced")
    lastError = serializers.CharField(source="last_error", allow_blank=True)


class LedgerPaymentSerializer(RowSerializer):
    """A payment of an invoice; `refunded` is the part of `value` that was returned."""

    id = serializers.IntegerField()
    provider = serializers.ChoiceField(choices=PixProvider.choices)
    reference = serializers.CharField()
    value = serializers.FloatField()
    refunded = serializers.FloatField()
    outcome = serializers.ChoiceField(choices=PaymentOutcome.choices)
    paidAt = serializers.DateTimeField(source="paid_at")


class LedgerCreditSerializer(RowSerializer):
    """A change of a company's credit; negative for what was used or returned."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=CreditKind.choices)
    value = serializers.FloatField()
    note = serializers.CharField(allow_blank=True)
    createdAt = serializers.DateTimeField(source="created_at")


class LedgerDetailSerializer(RowSerializer):
    """An invoice with its charges, payments and history, and its company's credit.

    `due` is what is still to be paid, after the credit or with what the company owes (`owed`).
    """

    invoice = LedgerInvoiceSerializer()
    due = serializers.FloatField()
    credit = serializers.FloatField()
    owed = serializers.FloatField()
    companyDueDate = serializers.DateField(source="invoice.company.due_date")
    charges = LedgerChargeSerializer(many=True)
    payments = LedgerPaymentSerializer(many=True)
    credits = LedgerCreditSerializer(many=True)
    history = AuditEntrySerializer(many=True)


def _value(**options: Any) -> serializers.DecimalField:
    return serializers.DecimalField(
        max_digits=10, decimal_places=2, min_value=Decimal("0.01"), **options
    )


class PaymentInputSerializer(serializers.Serializer[Any]):
    """A payment that was seen at the bank; without `value` it is what is due."""

    value = _value(required=False, allow_null=True)
    reference = TextField(max_length=100)


class CreditInputSerializer(serializers.Serializer[Any]):
    """A credit for the invoice's company, in reais, and what it is for."""

    value = _value()
    note = TextField(max_length=200)


class RefundInputSerializer(serializers.Serializer[Any]):
    """The payment that was returned; without `value`, all that is left of it."""

    payment = IdField()
    value = _value(required=False, allow_null=True)
