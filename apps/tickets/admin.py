from django.contrib import admin

from apps.common.view_only import ViewOnlyAdmin
from apps.tickets.models import Delivery, MediaFetch


@admin.register(Delivery)
class DeliveryAdmin(ViewOnlyAdmin[Delivery]):
    """Deliveries to the providers: waiting, done and failed."""

    list_display = (
        *("id", "company", "connection", "message", "kind", "state"),
        *("attempts", "next_attempt_at", "last_error"),
    )
    list_filter = ("state", "kind")
    list_select_related = ("company", "connection", "message")


@admin.register(MediaFetch)
class MediaFetchAdmin(ViewOnlyAdmin[MediaFetch]):
    """Received files and the state of their download."""

    list_display = ("id", "connection", "message", "state", "attempts", "last_error")
    list_filter = ("state",)
    list_select_related = ("connection", "message")
