"""Plans, for the super user."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from apps.billing.models import Plan
from apps.billing.services import delete_plan, save_plan
from apps.common.callers import caller_of


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
