"""Admin pages for what the operator maintains about costs."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.audit.services import record
from apps.common.callers import caller_of, client_address
from apps.costs.models import MessagePrice


@admin.register(MessagePrice)
class MessagePriceAdmin(admin.ModelAdmin[MessagePrice]):
    """Meta's prices per message; there are none until the operator fills them in."""

    list_display = ("category", "country", "price", "currency", "valid_from")
    list_filter = ("category", "country")
    date_hierarchy = "valid_from"

    def save_model(self, request: HttpRequest, obj: MessagePrice, form: Any, change: bool) -> None:
        """Save the price and record the change in the audit log."""
        super().save_model(request, obj, form, change)
        _record(request, "message_price.changed" if change else "message_price.created", obj)

    def delete_model(self, request: HttpRequest, obj: MessagePrice) -> None:
        """Delete the price and record the deletion in the audit log."""
        _record(request, "message_price.deleted", obj)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Delete the prices one by one, so that each deletion is audited."""
        for price in queryset:
            self.delete_model(request, price)


def _record(request: HttpRequest, action: str, price: MessagePrice) -> None:
    detail = {name: str(getattr(price, name)) for name in MessagePriceAdmin.list_display}
    record(
        action=action,
        actor=caller_of(request),
        company_id=None,
        target=price,
        detail=detail,
        ip_address=client_address(request),
    )
