from django.urls import URLPattern, re_path

from apps.billing.views.invoices import InvoiceListView, InvoiceView, SubscriptionView
from apps.billing.views.plans import (
    AllPlansView,
    PlansView,
    PlanView,
    PublicPlansView,
)
from apps.billing.views.webhooks import asaas_webhook, efi_webhook
from apps.common.routing import route

urlpatterns = [
    route("plans", PlansView.as_view(), name="plans-list"),
    route("plans/list", PublicPlansView.as_view(), name="plans-public"),
    route("plans/all", AllPlansView.as_view(), name="plans-all"),
    route(r"plans/(?P<plan_id>[0-9]+)", PlanView.as_view(), name="plans-detail"),
    route("invoices/all", InvoiceListView.as_view(), name="invoices-list"),
    route(r"invoices/(?P<invoice_id>[0-9]+)", InvoiceView.as_view(), name="invoices-detail"),
    route("subscription", SubscriptionView.as_view(), name="subscription"),
]

# Mounted at /webhooks/. Efí appends /pix to the registered address.
webhook_patterns: list[URLPattern] = [
    re_path(r"^efi(?:/pix)?/?$", efi_webhook, name="webhook-efi"),
    re_path(r"^asaas/?$", asaas_webhook, name="webhook-asaas"),
]
