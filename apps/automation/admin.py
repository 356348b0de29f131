from django.contrib import admin

from apps.automation.models import IntegrationCall, TokenUse, WebhookDelivery
from apps.common.view_only import ViewOnlyAdmin


@admin.register(IntegrationCall)
class IntegrationCallAdmin(ViewOnlyAdmin[IntegrationCall]):
    """The log of calls of integrations."""

    list_display = (
        *("id", "company", "integration", "event", "attempt"),
        *("status_code", "error", "duration_ms", "created_at"),
    )
    list_filter = ("event", "status_code")
    list_select_related = ("company", "integration")


@admin.register(TokenUse)
class TokenUseAdmin(ViewOnlyAdmin[TokenUse]):
    """The token use of AI answers."""

    list_display = ("id", "company", "prompt", "model", "prompt_tokens", "completion_tokens")
    list_filter = ("model",)
    list_select_related = ("company", "prompt")


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ViewOnlyAdmin[WebhookDelivery]):
    """The pending and finished deliveries of outgoing webhooks."""

    list_display = (
        *("id", "company", "webhook", "event", "state", "attempts"),
        *("status_code", "last_error", "next_attempt_at", "created_at"),
    )
    list_filter = ("state", "event")
    list_select_related = ("company", "webhook")
