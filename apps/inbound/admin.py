from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.leases import LeaseState
from apps.inbound.models import InboundEvent
from apps.inbound.services import retry_failed


@admin.register(InboundEvent)
class InboundEventAdmin(admin.ModelAdmin[InboundEvent]):
    """What providers reported; parked events show their error and can be tried again."""

    list_display = ("id", "connection", "kind", "state", "attempts", "received_at", "first_line")
    list_filter = ("state", "kind")
    list_select_related = ("connection",)
    search_fields = ("event_id", "partition")
    ordering = ("-id",)
    show_full_result_count = False
    actions = ("retry",)

    @admin.display(description="error")
    def first_line(self, event: InboundEvent) -> str:
        """Return the last line of the error, which names it."""
        lines = event.last_error.strip().splitlines()
        return lines[-1][:150] if lines else ""

    @admin.action(description="Tentar de novo os eventos com falha")
    def retry(self, request: HttpRequest, chosen: "QuerySet[InboundEvent]") -> None:
        """Put the chosen failed events back to work."""
        failed = chosen.filter(state=LeaseState.FAILED).values_list("pk", flat=True)
        count = retry_failed(event_ids=list(failed))
        self.message_user(request, f"{count} evento(s) de volta à fila.", messages.SUCCESS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Events come from providers alone."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let the super user look, not rewrite."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keep the record."""
        return False
