from apps.common.routing import route
from apps.companies.views.companies import (
    CompanyListView,
    CompanyOptionsView,
    CompanyPlanView,
    CompanyView,
)
from apps.companies.views.settings import CompanySchedulesView, SettingListView, SettingView

urlpatterns = [
    route("settings", SettingListView.as_view(), name="settings-list"),
    route(r"settings/(?P<key>[^/]+)", SettingView.as_view(), name="settings-detail"),
    route("companies", CompanyListView.as_view(), name="companies-list"),
    route("companies/list", CompanyOptionsView.as_view(), name="companies-options"),
    route(r"companies/(?P<company_id>[0-9]+)", CompanyView.as_view(), name="companies-detail"),
    route(
        r"companies/listPlan/(?P<company_id>[0-9]+)",
        CompanyPlanView.as_view(),
        name="company-plan",
    ),
    route(
        r"companies/(?P<company_id>[0-9]+)/schedules",
        CompanySchedulesView.as_view(),
        name="company-schedules",
    ),
]
