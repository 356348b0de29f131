from apps.common.routing import route
from apps.companies.views import (
    CompanySchedulesView,
    SettingListView,
    SettingView,
)

urlpatterns = [
    route("settings", SettingListView.as_view(), name="settings-list"),
    route(r"settings/(?P<key>[^/]+)", SettingView.as_view(), name="settings-detail"),
    route(
        r"companies/(?P<company_id>[0-9]+)/schedules",
        CompanySchedulesView.as_view(),
        name="company-schedules",
    ),
]
