"""The admin of e-mails: their states, their errors, and sending failed ones again."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.view_only import ViewOnlyAdmin
from apps.mail.models import Mail
from apps.mail.services import send_again


@admin.register(Mail)
class MailAdmin(ViewOnlyAdmin[Mail]):
    """All e-mails with their states."""

    list_display = ("id", "company", "recipient", "subject", "state", "attempts", "last_error")
    list_filter = ("state",)
    list_select_related = ("company",)
    search_fields = ("recipient",)
    actions = ("send_again",)
    exclude = ("secret",)

    @admin.action(description="Enviar de novo os que falharam")
    def send_again(self, request: HttpRequest, chosen: "QuerySet[Mail]") -> None:
        """Queue the selected failed mails again."""
        count = send_again(list(chosen.values_list("pk", flat=True)))
        self.message_user(request, f"{count} e-mail(s) de volta à fila.", messages.SUCCESS)
