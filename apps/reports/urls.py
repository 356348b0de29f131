from django.urls import URLPattern, URLResolver

from apps.common.routing import route
from apps.reports.views import (
    ActivityFileView,
    ActivityView,
    ConversationsFileView,
    ReportedConversationsView,
    ReportFiguresView,
)

urlpatterns: list[URLPattern | URLResolver] = [
    route("reports/conversations", ReportedConversationsView.as_view(), "report-conversations"),
    route(
        "reports/conversations/export",
        ConversationsFileView.as_view(),
        "report-conversations-export",
    ),
    route("reports/figures", ReportFiguresView.as_view(), "report-figures"),
    route("reports/activity", ActivityView.as_view(), "report-activity"),
    route("reports/activity/export", ActivityFileView.as_view(), "report-activity-export"),
]
