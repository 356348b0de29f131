"""Where everything is mounted (rules/wire §5); the browser application owns the rest."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from apps.common.health import live, ready
from apps.common.media_views import public_media
from apps.common.metrics import metrics
from apps.common.routing import route
from apps.common.views import browser_application
from apps.tickets.views.messages_api import OlderMessagesApiView

api: list[URLPattern | URLResolver] = [
    # Addresses are tried in this order: what is called all day comes first.
    path("", include("apps.tickets.urls")),
    path("", include("apps.accounts.urls")),
    path("", include("apps.companies.urls")),
    path("", include("apps.billing.urls")),
    path("", include("apps.queues.urls")),
    path("", include("apps.connections.urls")),
    path("", include("apps.contacts.urls")),
    path("", include("apps.library.urls")),
    path("", include("apps.automation.urls")),
    path("", include("apps.schedules.urls")),
    # Where the messages API's page of older browsers posts (rules/messages-api §2).
    route("api/messages/send", OlderMessagesApiView.as_view(), "messages-api-older"),
    path("public/<path:media_path>", public_media, name="public-media"),
    re_path(r"^schema/?$", SpectacularAPIView.as_view(), name="schema"),
    re_path(r"^docs/?$", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
]

handler404 = "apps.common.refusals.not_found"
handler500 = "apps.common.refusals.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include(api)),
    path("webhooks/", include("apps.inbound.urls")),
    path("admin/", admin.site.urls),
    re_path(r"^health/?$", live, name="health"),
    re_path(r"^health/ready/?$", ready, name="health-ready"),
    re_path(r"^metrics/?$", metrics, name="metrics"),
]
if settings.SIMULATOR:
    urlpatterns.append(path("simulator", include("apps.simulator.urls")))
urlpatterns.append(
    re_path(
        r"^(?!api(?:/|$)|webhooks/|admin/|static/|health/|socket\.io/|ws/|simulator).*$",
        browser_application,
        name="browser-application",
    )
)
