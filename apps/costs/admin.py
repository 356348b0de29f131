"""Admin pages of Meta's prices and the month's allowances, which the operator enters."""

from datetime import date
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest

from apps.audit.services import record
from apps.common.callers import caller_of, client_address
from apps.costs.models import MessagePrice, ServiceAllowance
from apps.costs.services.repricing import mark_stale


class DatedAdmin(admin.ModelAdmin[Any]):
    """Rows that hold from a day on. A change is audited, and the ledger is priced anew by it."""

    date_hierarchy = "valid_from"
    audited_as = ""
    audited: tuple[str, ...] = ()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save the row; a changed day counts from the earlier one."""
        days = {obj.valid_from}
        if change:
            days |= set(self.model.objects.filter(pk=obj.pk).values_list("valid_from", flat=True))
        super().save_model(request, obj, form, change)
        self._record(request, "changed" if change else "created", obj, since=min(days))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self._record(request, "deleted", obj, since=obj.valid_from)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        """Delete the rows one by one, so that each deletion is audited."""
        for row in queryset:
            self.delete_model(request, row)

    def _record(self, request: HttpRequest, action: str, row: models.Model, since: date) -> None:
        detail = {name: str(getattr(row, name)) for name in self.audited}
        record(
            action=f"{self.audited_as}.{action}",
            actor=caller_of(request),
            company_id=None,
            target=row,
            detail=detail,
            ip_address=client_address(request),
        )
        mark_stale(since=since)


@admin.register(MessagePrice)
class MessagePriceAdmin(DatedAdmin):
    """Meta's prices per message; there are none until the operator fills them in."""

    audited = list_display = ("category", "country", "price", "currency", "valid_from")
    list_filter = ("category", "country")
    audited_as = "message_price"


@admin.register(ServiceAllowance)
class ServiceAllowanceAdmin(DatedAdmin):
    """Free service messages a month; there are none until the operator fills them in."""

    audited = list_display = ("messages", "valid_from")
    audited_as = "service_allowance"
