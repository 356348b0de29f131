"""The wire shapes of invoices and the checkout (rules/billing §1 and §2)."""

import json
from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.billing.models import InvoiceKind, InvoiceStatus, PixCharge, PixProvider
from apps.common.serializers import IdField, RowSerializer, TextField, page_of
from apps.companies.models import Recurrence

MAX_PLAN_TEXT = 4000


class InvoiceSerializer(RowSerializer):
    """An invoice; `value` and `received` are in reais.

    `received` is the sum of the payments that were too low to settle it.
    """

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=InvoiceKind.choices)
    detail = serializers.CharField()
    value = serializers.FloatField()
    dueDate = serializers.DateField(source="due_date")
    status = serializers.ChoiceField(choices=InvoiceStatus.choices)
    paidAt = serializers.DateTimeField(source="paid_at", allow_null=True)
    received = serializers.FloatField()  # annotated by `queries.invoices_of`


InvoicePageSerializer = page_of("invoices", InvoiceSerializer, "A page of invoices.")


@extend_schema_field(OpenApiTypes.ANY)
class ChosenPlanField(serializers.Field[Any, Any, Any, Any]):
    """The chosen plan: an id, a record, or a record as JSON text.

    The fields that identify a plan are read; prices and all others are ignored.
    """

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": "Escolha um dos planos oferecidos."
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return `id`, `name`, `users` and `connections`, each only if the data have it."""
        if isinstance(data, str):
            if len(data) > MAX_PLAN_TEXT:
                self.fail("invalid")
            try:
                data = json.loads(data) if data.strip() else {}
            except (ValueError, RecursionError):
                self.fail("invalid")
        if isinstance(data, int) and not isinstance(data, bool):
            data = {"id": data}
        if not isinstance(data, dict):
            self.fail("invalid")
        named = {
            "id": _whole(data.get("planId", data.get("id"))),
            "name": data.get("name", data.get("title")),
            "users": _whole(data.get("users")),
            "connections": _whole(data.get("connections")),
        }
        return {name: value for name, value in named.items() if isinstance(value, int | str)}


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and 0 <= value < 10**9 else None


class SubscriptionInputSerializer(serializers.Serializer[Any]):
    """The invoice to pay, the chosen plan and the payer.

    Browsers also send prices and a card. Fields that are not declared here are ignored.
    """

    invoiceId = IdField()
    plan = ChosenPlanField(required=False, allow_null=True)
    firstName = TextField(max_length=100)
    lastName = TextField(max_length=100)
    address2 = TextField(max_length=200)
    city = TextField(max_length=100)
    state = TextField(max_length=50)
    zipcode = TextField(max_length=20)


class OfferSerializer(RowSerializer):
    """A plan to choose; `value` and `price` are in reais.

    `value` is the price for a month, `price` that for all months of the company's recurrence.
    """

    id = serializers.IntegerField(source="plan.id")
    name = serializers.CharField(source="plan.name")
    users = serializers.IntegerField(source="plan.users")
    connections = serializers.IntegerField(source="plan.connections")
    queues = serializers.IntegerField(source="plan.queues")
    value = serializers.FloatField(source="plan.value")
    price = serializers.FloatField()


class SupportSerializer(RowSerializer):
    """The operator's e-mail and phone, those of company 1; empty if they are not known."""

    email = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)


class CheckoutSerializer(RowSerializer):
    """The plans to choose from, the own plan, the company's unused credit or what it owes (`owed`)
    in reais, and the payer's stored name and address.
    """

    planId = serializers.IntegerField(source="company.plan_id")
    months = serializers.IntegerField()
    plans = OfferSerializer(source="offers", many=True)
    credit = serializers.FloatField()
    owed = serializers.FloatField()
    isAvailable = serializers.BooleanField(source="is_available")
    firstName = serializers.CharField(source="company.billing_name", allow_blank=True)
    address2 = serializers.CharField(source="company.address_street", allow_blank=True)
    city = serializers.CharField(source="company.address_city", allow_blank=True)
    state = serializers.CharField(source="company.address_state", allow_blank=True)
    zipcode = serializers.CharField(source="company.address_zip_code", allow_blank=True)
    support = SupportSerializer(source="operator")

    def _read_months(self, checkout: Any) -> int:
        return Recurrence(checkout.company.recurrence).months


class QrCodeSerializer(RowSerializer):
    """The Pix code to copy; browsers draw the QR code from it."""

    qrcode = serializers.CharField(source="code")


class ChargeValueSerializer(RowSerializer):
    """The amount of the charge in reais, as text, for example '49.00'."""

    original = serializers.CharField()

    def _read_original(self, charge: PixCharge) -> str:
        return f"{charge.value:.2f}"


class PixChargeSerializer(RowSerializer):
    """A Pix charge to pay.

    If `expiresAt` is null, it is valid until the operator confirms the payment. With `isPaid`,
    credit has paid the invoice, and there is no code.
    """

    qrcode = QrCodeSerializer(source="*")
    valor = ChargeValueSerializer(source="*")
    txid = serializers.CharField()
    invoiceId = serializers.IntegerField(source="invoice_id")
    expiresAt = serializers.DateTimeField(source="expires_at", allow_null=True)
    isConfirmedByHand = serializers.BooleanField()
    isPaid = serializers.BooleanField()

    def _read_isConfirmedByHand(self, charge: PixCharge) -> bool:
        return charge.provider == PixProvider.MANUAL

    def _read_isPaid(self, charge: PixCharge) -> bool:
        return charge.pk is None
