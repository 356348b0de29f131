"""The read-only audit log."""

from django.contrib import admin

from apps.audit.models import AuditEntry
from apps.common.view_only import ViewOnlyAdmin


@admin.register(AuditEntry)
class AuditEntryAdmin(ViewOnlyAdmin[AuditEntry]):
    list_display = (
        "created_at",
        "company",
        "actor_name",
        "action",
        "object_type",
        "object_id",
        "ip_address",
    )
    list_filter = ("action",)
    list_select_related = ("company",)
    search_fields = ("actor_name", "action", "object_id", "company__name")
    date_hierarchy = "created_at"
    ordering = ("-created_at", "-id")
    actions = None
