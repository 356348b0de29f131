"""A page of the admin whose rows services save, which may refuse."""

from typing import Any, TypeVar

from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from apps.common.errors import DomainError

Row = TypeVar("Row", bound=Model)


class RefusingAdmin(admin.ModelAdmin[Row]):
    """Shows a refusal of the services as a message, above the row as it is stored."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the form; one that is refused is shown anew."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except DomainError as refusal:
            self.message_user(request, refusal.sentence, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())
