"""Companies, for the super user."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.common.callers import caller_of
from apps.companies.models import Company
from apps.companies.services import save_company


@admin.register(Company)
class CompanyAdmin(admin.ModelAdmin[Company]):
    list_display = ("name", "plan", "due_date", "recurrence", "is_enabled")
    list_filter = ("is_enabled", "plan", "recurrence")
    list_select_related = ("plan",)
    search_fields = ("name", "email")
    ordering = ("name",)
    exclude = ("schedules",)
    actions = None

    def get_readonly_fields(self, request: HttpRequest, obj: Company | None = None) -> Any:
        """Company 1 neither expires nor is switched off (rules/companies §1)."""
        return ("due_date", "is_enabled") if obj is not None and obj.is_super else ()

    def has_delete_permission(self, request: HttpRequest, obj: Company | None = None) -> bool:
        """Keep every company: one that left is switched off."""
        return False

    def save_model(self, request: HttpRequest, obj: Company, form: Any, change: bool) -> None:
        """Save through the service, which records and tells."""
        save_company(company=obj, actor=caller_of(request), changed=form.changed_data)
