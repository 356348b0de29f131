"""Where everything is mounted (rules/wire §5); the browser application owns the rest."""

from importlib import import_module

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from apps.accounts.admin import admin_login, own_password
from apps.billing.urls import webhook_patterns
from apps.common.figures import metrics
from apps.common.health import live, ready
from apps.common.media_views import public_media
from apps.common.routing import by_first_word, route
from apps.common.views import ProbeView, SchemaView, browser_application, offline_worker
from apps.inbound.urls import gateway_patterns
from apps.tickets.views.messages_api import OlderMessagesApiView
from config.admin_names import name_in_portuguese

name_in_portuguese()

# Of two apps with the same address the first one answers.
APPS = (
    "tickets",
    "desk",
    "costs",
    "reports",
    "contacts",
    "accounts",
    "companies",
    "billing",
    "queues",
    "connections",
    "library",
    "automation",
    "schedules",
    "campaigns",
    "chat",
    "announcements",
    "audit",
    "mail",
    "movein",
)
api: list[URLPattern | URLResolver] = [
    by_first_word(
        [
            *(each for app in APPS for each in import_module(f"apps.{app}.urls").urlpatterns),
            # Where the messages API's page of older browsers posts (rules/messages-api §2).
            route("api/messages/send", OlderMessagesApiView.as_view(), "messages-api-older"),
        ]
    ),
    path("public/<path:media_path>", public_media, name="public-media"),
    re_path(r"^$", ProbeView.as_view(), name="probe"),
    re_path(r"^schema/?$", SchemaView.as_view(), name="schema"),
    re_path(r"^docs/?$", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
]

handler404 = "apps.common.refusals.not_found"
handler500 = "apps.common.refusals.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include(api)),
    path("webhooks/", include("apps.inbound.urls")),
    path("webhooks/", include(webhook_patterns)),
    # For gateways alone (docs/gateway.md): no proxy leads here.
    path("internal/gateway/", include(gateway_patterns)),
    # Replaces Django's own page, which remembers no browser.
    path("admin/login/", admin_login, name="operator-login"),
    # Replaces Django's own page, which ends no session and notifies nobody (rules/accounts §5).
    path("admin/password_change/", own_password, name="operator-password"),
    path("admin/", admin.site.urls),
    path("sw.js", offline_worker, name="offline-worker"),
    re_path(r"^health/?$", live, name="health"),
    re_path(r"^health/ready/?$", ready, name="health-ready"),
    re_path(r"^metrics/?$", metrics, name="metrics"),
]
if settings.SIMULATOR:
    urlpatterns.append(path("simulator", include("apps.simulator.urls")))
urlpatterns.append(
    re_path(
        r"^(?!api(?:/|$)|webhooks/|internal/|admin/|static/|health/|socket\.io/|ws/|simulator).*$",
        browser_application,
        name="browser-application",
    )
)
