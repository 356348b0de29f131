from django.urls import URLPattern, URLResolver

from apps.automation.views.calls import CallsView, CallView, RepeatCallView
from apps.automation.views.integrations import IntegrationViewSet, SigningSecretView
from apps.automation.views.prompts import PromptTest, PromptUsage, PromptViewSet
from apps.automation.views.testsession import TestSessionView
from apps.automation.views.webhooks import (
    RetryWebhookDeliveryView,
    WebhookDeliveriesView,
    WebhookSecretView,
    WebhookTestView,
    WebhookViewSet,
)
from apps.common.routing import Router, route

router = Router()
router.register("queueIntegration", IntegrationViewSet, basename="integrations")
router.register("prompt", PromptViewSet, basename="prompts")
router.register("outgoing-webhooks", WebhookViewSet, basename="outgoing-webhooks")

urlpatterns: list[URLPattern | URLResolver] = [
    route(
        r"queueIntegration/(?P<id>\d+)/secret", SigningSecretView.as_view(), "integrations-secret"
    ),
    route(
        r"queueIntegration/(?P<id>\d+)/deliveries",
        CallsView.as_view(),
        "integrations-deliveries",
    ),
    route(
        r"queueIntegration/(?P<id>\d+)/deliveries/(?P<call_id>\d+)",
        CallView.as_view(),
        "integrations-delivery",
    ),
    route(
        r"queueIntegration/(?P<id>\d+)/deliveries/(?P<call_id>\d+)/redeliver",
        RepeatCallView.as_view(),
        "integrations-redeliver",
    ),
    route("queueIntegration/testSession", TestSessionView.as_view(), "integrations-test"),
    route(
        r"outgoing-webhooks/(?P<id>\d+)/secret",
        WebhookSecretView.as_view(),
        "outgoing-webhooks-secret",
    ),
    route(
        r"outgoing-webhooks/(?P<id>\d+)/test", WebhookTestView.as_view(), "outgoing-webhooks-test"
    ),
    route(
        r"outgoing-webhooks/(?P<id>\d+)/deliveries",
        WebhookDeliveriesView.as_view(),
        "outgoing-webhooks-deliveries",
    ),
    route(
        r"outgoing-webhooks/(?P<id>\d+)/deliveries/(?P<delivery_id>\d+)/retry",
        RetryWebhookDeliveryView.as_view(),
        "outgoing-webhooks-retry",
    ),
    route("prompt/usage", PromptUsage.as_view(), "prompts-usage"),
    route("prompt/test", PromptTest.as_view(), "prompts-test"),
    *router.urls,
]
