from django.urls import URLPattern

from apps.common.routing import route
from apps.connections.views.connections import (
    ConnectionAlertsView,
    ConnectionDetailView,
    ConnectionListView,
    ConnectionPhoneView,
    ConnectionProfileView,
    ConnectionSessionView,
    ConnectionTokenView,
    SetupCheckView,
    SignupView,
    WebhookView,
)
from apps.connections.views.templates import (
    TemplateCreateView,
    TemplateDetailView,
    TemplateSampleView,
)

urlpatterns: list[URLPattern] = [
    route("whatsapp", ConnectionListView.as_view(), "connections-list"),
    route(r"whatsapp/(?P<connection_id>\d+)", ConnectionDetailView.as_view(), "connections-detail"),
    route(
        r"whatsapp/(?P<connection_id>\d+)/alerts",
        ConnectionAlertsView.as_view(),
        "connections-alerts",
    ),
    route(
        r"whatsapp/(?P<connection_id>\d+)/profile",
        ConnectionProfileView.as_view(),
        "connections-profile",
    ),
    route(
        r"whatsapp/(?P<connection_id>\d+)/phone",
        ConnectionPhoneView.as_view(),
        "connections-phone",
    ),
    route("whatsapp/check", SetupCheckView.as_view(), "connections-check"),
    route("whatsapp/signup", SignupView.as_view(), "connections-signup"),
    route("whatsapp/webhook", WebhookView.as_view(), "connections-webhook"),
    route(
        r"whatsapp/(?P<connection_id>\d+)/token",
        ConnectionTokenView.as_view(),
        "connections-token",
    ),
    route(
        r"whatsapp/(?P<connection_id>\d+)/templates",
        TemplateCreateView.as_view(),
        "connections-templates",
    ),
    route(
        r"whatsapp/(?P<connection_id>\d+)/templates/samples",
        TemplateSampleView.as_view(),
        "connections-template-samples",
    ),
    route(
        r"whatsapp/(?P<connection_id>\d+)/templates/(?P<template_id>\d+)",
        TemplateDetailView.as_view(),
        "connections-template",
    ),
    route(
        r"whatsappsession/(?P<connection_id>\d+)",
        ConnectionSessionView.as_view(),
        "connections-session",
    ),
]
