from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest

from apps.automation.models import IntegrationCall, TokenUse


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """A record of what happened: the super user looks, nobody rewrites."""

    ordering = ("-id",)
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows come from the engine alone."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let the super user look, not rewrite."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Keep the record."""
        return False


@admin.register(IntegrationCall)
class IntegrationCallAdmin(ReadOnlyAdmin):
    """What was posted to integrations, and what they answered."""

    list_display = (
        *("id", "company", "integration", "event", "attempt"),
        *("status_code", "error", "duration_ms", "created_at"),
    )
    list_filter: ClassVar[Any] = ("event", "status_code")
    list_select_related: ClassVar[Any] = ("company", "integration")


@admin.register(TokenUse)
class TokenUseAdmin(ReadOnlyAdmin):
    """What the answers of models cost."""

    list_display = ("id", "company", "prompt", "model", "prompt_tokens", "completion_tokens")
    list_filter: ClassVar[Any] = ("model",)
    list_select_related: ClassVar[Any] = ("company", "prompt")
