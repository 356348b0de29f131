from django.urls import URLPattern

from apps.common.routing import route
from apps.connections.views import (
    ConnectionDetailView,
    ConnectionListView,
    ConnectionSessionView,
    ConnectionTokenView,
    SetupCheckView,
    WebhookView,
)

urlpatterns: list[URLPattern] = [
    route("whatsapp", ConnectionListView.as_view(), "connections-list"),
    route(r"whatsapp/(?P<connection_id>\d+)", ConnectionDetailView.as_view(), "connections-detail"),
    route("whatsapp/check", SetupCheckView.as_view(), "connections-check"),
    route("whatsapp/webhook", WebhookView.as_view(), "connections-webhook"),
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
