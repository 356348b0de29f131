"""The super user's calls of all companies' invoices (rules/billing §8)."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.billing.queries.ledger import LedgerFilters, all_invoices
from apps.billing.serializers.ledger import (
    CreditInputSerializer,
    LedgerDetailSerializer,
    LedgerInvoiceSerializer,
    LedgerPageSerializer,
    LedgerQuerySerializer,
    PaymentInputSerializer,
    RefundInputSerializer,
)
from apps.billing.services.credits import give_credit
from apps.billing.services.invoices import cancel_invoice
from apps.billing.services.ledger import ledger_of
from apps.billing.services.payments import confirm_payment, register_payment
from apps.billing.services.refunds import refund_payment
from apps.common.callers import caller_of, client_address
from apps.common.filters import narrowed
from apps.common.paging import page_number, paginate
from apps.common.serializers import body_values, row_of, rows_of


class LedgerViewSet(ViewSet):
    """The invoices of all companies, for the super user."""

    lookup_url_kwarg = "invoice_id"
    lookup_value_regex = "[0-9]+"

    @extend_schema(
        operation_id="listLedger",
        parameters=[LedgerQuerySerializer],
        responses=LedgerPageSerializer,
    )
    def list(self, request: Request) -> Response:
        """Return a page of all companies' invoices, latest due date first."""
        page = paginate(narrowed(all_invoices(), LedgerFilters, request), page_number(request))
        return Response(page.body("invoices", rows_of(LedgerInvoiceSerializer, page.rows)))

    @extend_schema(operation_id="getLedgerInvoice", responses=LedgerDetailSerializer)
    def retrieve(self, request: Request, invoice_id: str) -> Response:
        """Return an invoice with its charges, payments and history, and its company's credit."""
        return self._answer(invoice_id)

    @extend_schema(
        operation_id="registerPayment",
        request=PaymentInputSerializer,
        responses=LedgerDetailSerializer,
    )
    @action(detail=True, methods=["post"], url_name="payments")
    def payments(self, request: Request, invoice_id: str) -> Response:
        """Record a payment that was seen at the bank; one that covers what is due settles the
        invoice.
        """
        fields = body_values(PaymentInputSerializer, request.data)
        caller, address = caller_of(request), client_address(request)
        if fields.get("value") is None:
            confirm_payment(invoice_id=int(invoice_id), actor=caller, ip_address=address)
        else:
            register_payment(
                invoice_id=int(invoice_id),
                value=fields["value"],
                reference=fields.get("reference", ""),
                actor=caller,
                ip_address=address,
            )
        return self._answer(invoice_id)

    @extend_schema(operation_id="cancelInvoice", request=None, responses=LedgerDetailSerializer)
    @action(detail=True, methods=["post"], url_name="cancel")
    def cancel(self, request: Request, invoice_id: str) -> Response:
        """Cancel an invoice that need not be paid, and withdraw its codes."""
        cancel_invoice(
            invoice_id=int(invoice_id),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return self._answer(invoice_id)

    @extend_schema(
        operation_id="giveCredit",
        request=CreditInputSerializer,
        responses=LedgerDetailSerializer,
    )
    @action(detail=True, methods=["post"], url_name="credit")
    def credit(self, request: Request, invoice_id: str) -> Response:
        """Give the invoice's company a credit, which its next payment uses up."""
        fields = body_values(CreditInputSerializer, request.data)
        give_credit(
            company_id=ledger_of(int(invoice_id)).invoice.company_id,
            value=fields["value"],
            note=fields.get("note", ""),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return self._answer(invoice_id)

    @extend_schema(
        operation_id="refundPayment",
        request=RefundInputSerializer,
        responses=LedgerDetailSerializer,
    )
    @action(detail=True, methods=["post"], url_name="refund")
    def refund(self, request: Request, invoice_id: str) -> Response:
        """Mark a payment, or a part of it, as returned, and take back what it bought."""
        fields = body_values(RefundInputSerializer, request.data)
        refund_payment(
            invoice_id=int(invoice_id),
            payment_id=fields["payment"],
            value=fields.get("value"),
            actor=caller_of(request),
            ip_address=client_address(request),
        )
        return self._answer(invoice_id)

    def _answer(self, invoice_id: str) -> Response:
        return Response(row_of(LedgerDetailSerializer, ledger_of(int(invoice_id))))
