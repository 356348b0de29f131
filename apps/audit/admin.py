"""The audit log, for reading."""

from django.contrib import admin
from django.http import HttpRequest

from apps.audit.models import AuditEntry


@admin.register(AuditEntry)
class AuditEntryAdmin(admin.ModelAdmin[AuditEntry]):
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

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Entries are written with what they record, never by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: AuditEntry | None = None) -> bool:
        """Entries stay as they were written."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: AuditEntry | None = None) -> bool:
        """Entries stay."""
        return False
