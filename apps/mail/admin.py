"""The product's e-mails, for the super user: what was not taken, why, and another try."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.view_only import ViewOnlyAdmin
from apps.mail.models import Mail
from apps.mail.services import send_again


@admin.register(Mail)
class MailAdmin(ViewOnlyAdmin[Mail]):
    """Every e-mail with what became of it."""

    list_display = ("id", "company", "recipient", "subject", "state", "attempts", "last_error")
    list_filter = ("state",)
    list_select_related = ("company",)
    search_fields = ("recipient",)
    actions = ("send_again",)
    exclude = ("secret",)

    @admin.action(description="Enviar de novo os que falharam")
    def send_again(self, request: HttpRequest, chosen: "QuerySet[Mail]") -> None:
        """Put the chosen failed mails back to work."""
        count = send_again(list(chosen.values_list("pk", flat=True)))
        self.message_user(request, f"{count} e-mail(s) de volta à fila.", messages.SUCCESS)
