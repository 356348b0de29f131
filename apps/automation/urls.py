from django.urls import URLPattern, URLResolver

from apps.automation.views.integrations import IntegrationViewSet, SigningSecretView
from apps.common.routing import Router, route

router = Router()
router.register("queueIntegration", IntegrationViewSet, basename="integrations")

urlpatterns: list[URLPattern | URLResolver] = [
    route(
        r"queueIntegration/(?P<id>\d+)/secret", SigningSecretView.as_view(), "integrations-secret"
    ),
    *router.urls,
]
