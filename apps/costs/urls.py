from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.costs.views import CostExportView, CostMeterView, CostsView, TicketCostViewSet

router = Router()
router.register("tickets", TicketCostViewSet, basename="tickets")

urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    route("costs", CostsView.as_view(), "costs"),
    route("costs/meter", CostMeterView.as_view(), "costs-meter"),
    route("costs/export", CostExportView.as_view(), "costs-export"),
]
