"""An admin page whose rows are saved by services, which may refuse with a DomainError."""

from typing import Any, TypeVar

from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from apps.common.errors import DomainError

Row = TypeVar("Row", bound=Model)


class RefusingAdmin(admin.ModelAdmin[Row]):
    """Shows a DomainError of a service as a message above the form, loaded again from the
    database.
    """

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show or save the form; after a DomainError redirect to the form with its sentence."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except DomainError as refusal:
            self.message_user(request, refusal.sentence, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())
