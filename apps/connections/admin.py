"""What the operator decides about connections, for the super user."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.audit.services import record
from apps.common.callers import caller_of, client_address
from apps.connections.models import OperatorAccount
from apps.connections.services import withdraw_account


@admin.register(OperatorAccount)
class OperatorAccountAdmin(admin.ModelAdmin[OperatorAccount]):
    """Meta accounts that the operator's token serves, each for one company."""

    list_display = ("waba_id", "company")
    list_select_related = ("company",)
    search_fields = ("waba_id", "company__name")
    autocomplete_fields = ("company",)
    ordering = ("company__name", "waba_id")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Another account is another row."""
        return False

    def save_model(
        self, request: HttpRequest, obj: OperatorAccount, form: Any, change: bool
    ) -> None:
        """Save, and audit who gave the token to which company."""
        super().save_model(request, obj, form, change)
        record(
            action="connection.account_assigned",
            actor=caller_of(request),
            company_id=obj.company_id,
            detail={"waba_id": obj.waba_id},
            ip_address=client_address(request),
        )

    def delete_model(self, request: HttpRequest, obj: OperatorAccount) -> None:
        """Withdraw the token, also from the numbers that use it."""
        withdraw_account(actor=caller_of(request), account=obj, ip_address=client_address(request))

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Withdraw the token from several companies."""
        for account in queryset:
            self.delete_model(request, account)
