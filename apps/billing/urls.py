from django.urls import URLPattern, re_path

from apps.billing.views.invoices import InvoiceViewSet, SubscribedPlanView, SubscriptionView
from apps.billing.views.ledger import LedgerViewSet
from apps.billing.views.plans import PlanViewSet
from apps.billing.views.webhooks import asaas_webhook, efi_webhook
from apps.common.routing import Router, route

router = Router()
router.register("plans", PlanViewSet, basename="plans")
router.register("billing", LedgerViewSet, basename="billing")
router.register("invoices", InvoiceViewSet, basename="invoices")

urlpatterns = [
    *router.urls,
    route("subscription", SubscriptionView.as_view(), name="subscription"),
    route("subscription/plan", SubscribedPlanView.as_view(), name="subscription-plan"),
]

# Mounted at /webhooks/. Efí appends /pix to the registered address.
webhook_patterns: list[URLPattern] = [
    re_path(r"^efi(?:/pix)?/?$", efi_webhook, name="webhook-efi"),
    re_path(r"^asaas/?$", asaas_webhook, name="webhook-asaas"),
]
