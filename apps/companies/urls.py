from apps.common.routing import route
from apps.companies.views import SettingListView, SettingView

urlpatterns = [
    route("settings", SettingListView.as_view(), name="settings-list"),
    route(r"settings/(?P<key>[^/]+)", SettingView.as_view(), name="settings-detail"),
]
