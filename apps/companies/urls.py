from apps.common.routing import Router, route
from apps.companies.views.companies import CompanyViewSet
from apps.companies.views.retention import RetentionViewSet
from apps.companies.views.settings import PublicSettingView, SettingViewSet

router = Router()
router.register("settings", SettingViewSet, basename="settings")
router.register("companies", CompanyViewSet, basename="companies")

# A router would name these routes after `companies`.
urlpatterns = [
    route(
        r"retention",
        RetentionViewSet.as_view({"get": "show", "put": "choose", "delete": "forget"}),
        name="retention",
    ),
    route(
        r"retention/preview",
        RetentionViewSet.as_view({"get": "preview"}),
        name="retention-preview",
    ),
    route(
        r"retention/defaults",
        RetentionViewSet.as_view({"get": "defaults", "put": "choose_defaults"}),
        name="retention-defaults",
    ),
    *router.urls,
    route(r"public-settings/(?P<key>[^/]+)", PublicSettingView.as_view(), name="public-settings"),
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
