from django.urls import URLPattern, URLResolver

from apps.automation.views.integrations import IntegrationViewSet, SigningSecretView
from apps.automation.views.prompts import PromptTest, PromptUsage, PromptViewSet
from apps.common.routing import Router, route

router = Router()
router.register("queueIntegration", IntegrationViewSet, basename="integrations")
router.register("prompt", PromptViewSet, basename="prompts")

urlpatterns: list[URLPattern | URLResolver] = [
    route(
        r"queueIntegration/(?P<id>\d+)/secret", SigningSecretView.as_view(), "integrations-secret"
    ),
    route("prompt/usage", PromptUsage.as_view(), "prompts-usage"),
    route("prompt/test", PromptTest.as_view(), "prompts-test"),
    *router.urls,
]
