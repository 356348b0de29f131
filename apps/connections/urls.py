from django.urls import URLPattern

from apps.common.routing import route
from apps.connections.views import (
    ConnectionDetailView,
    ConnectionListView,
    ConnectionSessionView,
    ConnectionTokenView,
)

urlpatterns: list[URLPattern] = [
    route("whatsapp", ConnectionListView.as_view(), "connections-list"),
    route(r"whatsapp/(?P<connection_id>\d+)", ConnectionDetailView.as_view(), "connections-detail"),
    route(
        r"whatsapp/(?P<connection_id>\d+)/token",
        ConnectionTokenView.as_view(),
        "connections-token",
    ),
    route(
        r"whatsappsession/(?P<connection_id>\d+)",
        ConnectionSessionView.as_view(),
        "connections-session",
    ),
]
