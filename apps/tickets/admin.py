from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest

from apps.tickets.models import Delivery, MediaFetch


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Work in progress: the super user looks, the workers write."""

    list_filter: ClassVar[Any] = ("state",)
    list_select_related: ClassVar[Any] = ("connection",)
    ordering = ("-id",)
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows come from services alone."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let the super user look, not rewrite."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keep the record."""
        return False


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """What goes, went or could not go to the providers."""

    list_display = (
        *("id", "company", "connection", "message", "kind", "state"),
        *("attempts", "next_attempt_at", "last_error"),
    )
    list_filter = ("state", "kind")
    list_select_related = ("company", "connection", "message")


@admin.register(MediaFetch)
class MediaFetchAdmin(ReadOnlyAdmin):
    """Received files and how their download stands."""

    list_display = ("id", "connection", "message", "state", "attempts", "last_error")
    list_select_related = ("connection", "message")
