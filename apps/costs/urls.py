from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.costs.views import (
    AutomaticTextsView,
    CostExportView,
    CostMeterView,
    CostsView,
    ResumeTextView,
    StopTextView,
    TicketCostViewSet,
)

router = Router()
router.register("tickets", TicketCostViewSet, basename="tickets")

urlpatterns: list[URLPattern | URLResolver] = [
    *router.urls,
    route("costs", CostsView.as_view(), "costs"),
    route("costs/meter", CostMeterView.as_view(), "costs-meter"),
    route("costs/automatic-texts", AutomaticTextsView.as_view(), "costs-texts"),
    route("costs/automatic-texts/stop", StopTextView.as_view(), "costs-text-stop"),
    route("costs/automatic-texts/resume", ResumeTextView.as_view(), "costs-text-resume"),
    route("costs/export", CostExportView.as_view(), "costs-export"),
]
