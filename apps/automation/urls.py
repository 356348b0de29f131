from apps.automation.views.integrations import IntegrationViewSet
from apps.automation.views.prompts import PromptViewSet
from apps.automation.views.typebot_flows import TypebotFlowView
from apps.automation.views.webhooks import WebhookViewSet
from apps.common.routing import Router, route

router = Router()
router.register("queueIntegration", IntegrationViewSet, basename="integrations")
router.register("prompt", PromptViewSet, basename="prompts")
router.register("outgoing-webhooks", WebhookViewSet, basename="outgoing-webhooks")

urlpatterns = [
    *router.urls,
    route("typebot-flow", TypebotFlowView.as_view(), name="typebot-flow"),
]
