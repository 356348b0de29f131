"""What the operator decides about campaigns, for the super user."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.audit.services import record
from apps.campaigns.models import MessagePrice
from apps.common.callers import caller_of, client_address


@admin.register(MessagePrice)
class MessagePriceAdmin(admin.ModelAdmin[MessagePrice]):
    """Meta's prices; none is known until somebody fills it in."""

    list_display = ("category", "country", "price", "currency", "valid_from")
    list_filter = ("category", "country")
    date_hierarchy = "valid_from"

    def save_model(self, request: HttpRequest, obj: MessagePrice, form: Any, change: bool) -> None:
        """Save, and put down who set it."""
        super().save_model(request, obj, form, change)
        _record(request, "message_price.changed" if change else "message_price.created", obj)

    def delete_model(self, request: HttpRequest, obj: MessagePrice) -> None:
        """Delete, and put down who did."""
        _record(request, "message_price.deleted", obj)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Delete several."""
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
