from django.urls import URLPattern, URLResolver

from apps.automation.views.deliveries import DeliveriesView, DeliveryView, RedeliverView
from apps.automation.views.integrations import IntegrationViewSet, SigningSecretView
from apps.automation.views.prompts import PromptTest, PromptUsage, PromptViewSet
from apps.automation.views.test_session import TestSession
from apps.common.routing import Router, route

router = Router()
router.register("queueIntegration", IntegrationViewSet, basename="integrations")
router.register("prompt", PromptViewSet, basename="prompts")

urlpatterns: list[URLPattern | URLResolver] = [
    route(
        r"queueIntegration/(?P<id>\d+)/secret", SigningSecretView.as_view(), "integrations-secret"
    ),
    route(
        r"queueIntegration/(?P<id>\d+)/deliveries",
        DeliveriesView.as_view(),
        "integrations-deliveries",
    ),
    route(
        r"queueIntegration/(?P<id>\d+)/deliveries/(?P<delivery_id>\d+)",
        DeliveryView.as_view(),
        "integrations-delivery",
    ),
    route(
        r"queueIntegration/(?P<id>\d+)/deliveries/(?P<delivery_id>\d+)/redeliver",
        RedeliverView.as_view(),
        "integrations-redeliver",
    ),
    route("queueIntegration/testSession", TestSession.as_view(), "integrations-test"),
    route("prompt/usage", PromptUsage.as_view(), "prompts-usage"),
    route("prompt/test", PromptTest.as_view(), "prompts-test"),
    *router.urls,
]
