"""Plans, invoices and payments, for the super user."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.billing.models import Invoice, Payment, PixCharge, PixNotice, Plan
from apps.billing.services import delete_plan, save_plan
from apps.billing.services.invoices import cancel_invoice
from apps.billing.services.payments import confirm_payment
from apps.common.callers import caller_of, client_address
from apps.common.errors import DomainError
from apps.common.view_only import ViewOnlyAdmin


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin[Plan]):
    list_display = ("name", "users", "connections", "queues", "value", "is_public")
    search_fields = ("name",)
    ordering = ("name",)
    actions = None

    def save_model(self, request: HttpRequest, obj: Plan, form: Any, change: bool) -> None:
        """Save through the service, which audits the change."""
        save_plan(plan=obj, actor=caller_of(request), changed=form.changed_data)

    def delete_model(self, request: HttpRequest, obj: Plan) -> None:
        """Delete a plan that no company uses.

        Django refuses to delete other plans and lists their companies.
        """
        delete_plan(plan=obj, actor=caller_of(request))


@admin.register(Invoice)
class InvoiceAdmin(ViewOnlyAdmin[Invoice]):
    """The invoices of all companies.

    The super user confirms payments that the provider did not report, and cancels invoices that
    need not be paid.
    """

    list_display = ("id", "company", "detail", "value", "due_date", "status", "paid_at")
    list_filter = ("status", "due_date")
    list_select_related = ("company",)
    search_fields = ("company__name", "company__email", "detail")
    ordering = ("-due_date", "-id")
    actions = ("confirm", "cancel")

    @admin.action(description="Confirmar o pagamento")
    def confirm(self, request: HttpRequest, chosen: "QuerySet[Invoice]") -> None:
        """Mark the chosen invoices as paid, which extends their companies' due dates."""
        actor = caller_of(request)
        self._carry_out(
            request,
            chosen,
            "pagamento(s) confirmado(s)",
            lambda invoice_id: confirm_payment(invoice_id=invoice_id, actor=actor),
        )

    @admin.action(description="Cancelar fatura")
    def cancel(self, request: HttpRequest, chosen: "QuerySet[Invoice]") -> None:
        actor, address = caller_of(request), client_address(request)
        self._carry_out(
            request,
            chosen,
            "fatura(s) cancelada(s)",
            lambda invoice_id: cancel_invoice(
                invoice_id=invoice_id, actor=actor, ip_address=address
            ),
        )

    def _carry_out(
        self,
        request: HttpRequest,
        chosen: "QuerySet[Invoice]",
        done: str,
        carry_out: Callable[[int], object],
    ) -> None:
        """Call `carry_out` for each invoice; show each refusal and the number of successes."""
        count = 0
        for invoice_id in list(chosen.order_by("due_date").values_list("pk", flat=True)):
            try:
                carry_out(invoice_id)
                count += 1
            except DomainError as refusal:
                said = f"Fatura {invoice_id}: {refusal.sentence}"
                self.message_user(request, said, messages.WARNING)
        if count:
            self.message_user(request, f"{count} {done}.", messages.SUCCESS)


@admin.register(Payment)
class PaymentAdmin(ViewOnlyAdmin[Payment]):
    """Received payments. Partial and repeated ones must be returned or credited by hand."""

    list_display = (
        "id",
        "company",
        "invoice",
        "value",
        "outcome",
        "provider",
        "reference",
        "paid_at",
    )
    list_filter = ("outcome", "provider")
    list_select_related = ("company", "invoice")
    search_fields = ("reference", "company__name")
    actions = None


@admin.register(PixCharge)
class PixChargeAdmin(ViewOnlyAdmin[PixCharge]):
    """The Pix charges; `last_error` shows why a provider's call failed."""

    list_display = (
        "id",
        "company",
        "invoice",
        "value",
        "provider",
        "txid",
        "state",
        "expires_at",
        "last_error",
    )
    list_filter = ("provider", "state")
    list_select_related = ("company", "invoice")
    search_fields = ("txid", "reference", "company__name")
    actions = None


@admin.register(PixNotice)
class PixNoticeAdmin(ViewOnlyAdmin[PixNotice]):
    """Notifications of providers; one without a charge does not match any of our charges."""

    list_display = ("id", "provider", "reference", "charge", "received_at")
    list_filter = ("provider", ("charge", admin.EmptyFieldListFilter))
    list_select_related = ("charge",)
    search_fields = ("reference",)
    actions = None
