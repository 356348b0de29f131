from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.leases import LeaseState
from apps.common.view_only import ViewOnlyAdmin
from apps.inbound.models import InboundEvent
from apps.inbound.services import retry_failed


@admin.register(InboundEvent)
class InboundEventAdmin(ViewOnlyAdmin[InboundEvent]):
    """What providers reported; parked events show their error and can be tried again.

    The kind `unknown` are notifications of Meta whose field nothing reads.
    """

    list_display = (
        "id",
        "connection",
        "kind",
        "field",
        "state",
        "attempts",
        "received_at",
        "first_line",
    )
    list_filter = ("state", "kind")
    list_select_related = ("connection",)
    search_fields = ("event_id", "partition")
    actions = ("retry",)

    @admin.display(description="campo")
    def field(self, event: InboundEvent) -> str:
        """Return the field of Meta's notification, empty for other providers."""
        return str(event.payload.get("field") or "")[:60]

    @admin.display(description="erro")
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
