from apps.common.routing import Router, route
from apps.companies.views.companies import CompanyViewSet
from apps.companies.views.settings import SettingViewSet

router = Router()
router.register("settings", SettingViewSet, basename="settings")
router.register("companies", CompanyViewSet, basename="companies")

# A router would name these routes after `companies`.
urlpatterns = [
    *router.urls,
    route(
        r"companies/listPlan/(?P<company_id>[0-9]+)",
        CompanyViewSet.as_view({"get": "plan"}),
        name="company-plan",
    ),
    route(
        r"companies/(?P<company_id>[0-9]+)/schedules",
        CompanyViewSet.as_view({"get": "schedules", "put": "update_schedules"}),
        name="company-schedules",
    ),
]
