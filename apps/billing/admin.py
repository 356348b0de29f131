"""Plans, invoices and payments, for the super user."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.billing.models import Invoice, Payment, PixCharge, PixNotice, Plan
from apps.billing.services import delete_plan, save_plan
from apps.billing.services.payments import InvoicePaid, confirm_payment
from apps.common.callers import caller_of
from apps.common.view_only import ViewOnlyAdmin


@admin.register(Plan)
class PlanAdmin(admin.ModelAdmin[Plan]):
    list_display = ("name", "users", "connections", "queues", "value", "is_public")
    search_fields = ("name",)
    ordering = ("name",)
    actions = None

    def save_model(self, request: HttpRequest, obj: Plan, form: Any, change: bool) -> None:
        """Save through the service, which records it."""
        save_plan(plan=obj, actor=caller_of(request), changed=form.changed_data)

    def delete_model(self, request: HttpRequest, obj: Plan) -> None:
        """Delete a plan that no company has; Django refuses the others with their list."""
        delete_plan(plan=obj, actor=caller_of(request))


@admin.register(Invoice)
class InvoiceAdmin(ViewOnlyAdmin[Invoice]):
    """What companies owe; the super user confirms what was paid past the provider."""

    list_display = ("id", "company", "detail", "value", "due_date", "status", "paid_at")
    list_filter = ("status", "due_date")
    list_select_related = ("company",)
    search_fields = ("company__name", "company__email", "detail")
    ordering = ("-due_date", "-id")
    actions = ("confirm",)

    @admin.action(description="Confirmar o pagamento")
    def confirm(self, request: HttpRequest, chosen: "QuerySet[Invoice]") -> None:
        """Take the chosen invoices as paid: their companies go on."""
        confirmed = 0
        for invoice_id in chosen.order_by("due_date").values_list("pk", flat=True):
            try:
                confirm_payment(invoice_id=invoice_id, actor=caller_of(request))
                confirmed += 1
            except InvoicePaid:
                self.message_user(
                    request, f"A fatura {invoice_id} já estava paga.", messages.WARNING
                )
        if confirmed:
            self.message_user(request, f"{confirmed} pagamento(s) confirmado(s).", messages.SUCCESS)


@admin.register(Payment)
class PaymentAdmin(ViewOnlyAdmin[Payment]):
    """What arrived; what was too little, or came a second time, is to be returned or credited."""

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
    """The codes that were made; one whose provider does not answer shows why."""

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
    """What providers notified of; one without a charge speaks of none of ours."""

    list_display = ("id", "provider", "reference", "charge", "received_at")
    list_filter = ("provider", ("charge", admin.EmptyFieldListFilter))
    list_select_related = ("charge",)
    search_fields = ("reference",)
    actions = None
