"""The wire shapes of invoices and the checkout (rules/billing §1 and §2)."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.billing.models import Invoice, InvoiceStatus, PixCharge, PixProvider, Plan
from apps.common.serializers import IdField, TextField
from apps.companies.models import Company, Recurrence

MAX_PLAN_TEXT = 4000


class InvoiceSerializer(serializers.Serializer[Any]):
    """An invoice; `received` is what was paid of it without being enough."""

    id = serializers.IntegerField()
    detail = serializers.CharField()
    value = serializers.FloatField()
    dueDate = serializers.DateField()
    status = serializers.ChoiceField(choices=InvoiceStatus.choices)
    paidAt = serializers.DateTimeField(allow_null=True)
    received = serializers.FloatField()


class InvoicePageSerializer(serializers.Serializer[Any]):
    """A page of invoices."""

    invoices = InvoiceSerializer(many=True)
    count = serializers.IntegerField()
    hasMore = serializers.BooleanField()


@extend_schema_field(OpenApiTypes.ANY)
class ChosenPlanField(serializers.Field[Any, Any, Any, Any]):
    """What a browser says of the chosen plan: an id, a record, or a record as JSON text.

    Only what names a plan is read of it; what it says of prices is not.
    """

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": "Escolha um dos planos oferecidos."
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return `id`, `name`, `users` and `connections`, as far as they were named."""
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
    """What a checkout asks for.

    Browsers send more (prices, a card): what is not named here is dropped unread.
    """

    invoiceId = IdField()
    plan = ChosenPlanField(required=False, allow_null=True)
    firstName = TextField(max_length=100)
    lastName = TextField(max_length=100)
    address2 = TextField(max_length=200)
    city = TextField(max_length=100)
    state = TextField(max_length=50)
    zipcode = TextField(max_length=20)


class OfferSerializer(serializers.Serializer[Any]):
    """A plan to choose: `value` a month, `price` for the months of the company's recurrence."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    users = serializers.IntegerField()
    connections = serializers.IntegerField()
    queues = serializers.IntegerField()
    value = serializers.FloatField()
    price = serializers.FloatField()


class SupportSerializer(serializers.Serializer[Any]):
    """How the operator is reached: company 1's e-mail and phone; what is not known is empty."""

    email = serializers.CharField(allow_blank=True)
    phone = serializers.CharField(allow_blank=True)


class CheckoutSerializer(serializers.Serializer[Any]):
    """What the checkout shows: the plans, the own one, and what is known of who pays."""

    planId = serializers.IntegerField()
    months = serializers.IntegerField()
    plans = OfferSerializer(many=True)
    isAvailable = serializers.BooleanField()
    firstName = serializers.CharField(allow_blank=True)
    address2 = serializers.CharField(allow_blank=True)
    city = serializers.CharField(allow_blank=True)
    state = serializers.CharField(allow_blank=True)
    zipcode = serializers.CharField(allow_blank=True)
    support = SupportSerializer()


class QrCodeSerializer(serializers.Serializer[Any]):
    """The code to copy, of which browsers draw the picture."""

    qrcode = serializers.CharField()


class ChargeValueSerializer(serializers.Serializer[Any]):
    """What is charged, in reais, as a text: '49.00'."""

    original = serializers.CharField()


class PixChargeSerializer(serializers.Serializer[Any]):
    """A Pix charge to be paid; one without `expiresAt` lasts until it is confirmed by a person."""

    qrcode = QrCodeSerializer()
    valor = ChargeValueSerializer()
    txid = serializers.CharField()
    invoiceId = serializers.IntegerField()
    expiresAt = serializers.DateTimeField(allow_null=True)
    isConfirmedByHand = serializers.BooleanField()


def invoice_row(invoice: Invoice) -> dict[str, Any]:
    """Return an invoice of `queries.invoices_of` in the shape of `InvoiceSerializer`."""
    return {
        "id": invoice.pk,
        "detail": invoice.detail,
        "value": invoice.value,
        "dueDate": invoice.due_date,
        "status": invoice.status,
        "paidAt": invoice.paid_at,
        "received": getattr(invoice, "received", 0),
    }


def invoice_rows(invoices: Sequence[Invoice]) -> list[dict[str, Any]]:
    """Return invoices in the shape of `InvoiceSerializer`."""
    return [invoice_row(invoice) for invoice in invoices]


def offer_row(plan: Plan, price: Decimal) -> dict[str, Any]:
    """Return a plan to choose in the shape of `OfferSerializer`."""
    return {
        "id": plan.pk,
        "name": plan.name,
        "users": plan.users,
        "connections": plan.connections,
        "queues": plan.queues,
        "value": plan.value,
        "price": price,
    }


def checkout_row(
    company: Company,
    offers: Sequence[tuple[Plan, Decimal]],
    *,
    is_available: bool,
    operator: Company,
) -> dict[str, Any]:
    """Return what a checkout shows in the shape of `CheckoutSerializer`."""
    return {
        "planId": company.plan_id,
        "months": Recurrence(company.recurrence).months,
        "plans": [offer_row(plan, price) for plan, price in offers],
        "isAvailable": is_available,
        "firstName": company.billing_name,
        "address2": company.address_street,
        "city": company.address_city,
        "state": company.address_state,
        "zipcode": company.address_zip_code,
        "support": {"email": operator.email, "phone": operator.phone},
    }


def charge_row(charge: PixCharge) -> dict[str, Any]:
    """Return a charge in the shape of `PixChargeSerializer`."""
    return {
        "qrcode": {"qrcode": charge.code},
        "valor": {"original": f"{charge.value:.2f}"},
        "txid": charge.txid,
        "invoiceId": charge.invoice_id,
        "expiresAt": charge.expires_at,
        "isConfirmedByHand": charge.provider == PixProvider.MANUAL,
    }
