from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.library.views import QuickMessageFileView, QuickMessageOptions, QuickMessageViewSet

router = Router()
router.register("quick-messages", QuickMessageViewSet, basename="quick-messages")

urlpatterns: list[URLPattern | URLResolver] = [
    route("quick-messages/list", QuickMessageOptions.as_view(), name="quick-messages-options"),
    route(
        r"quick-messages/(?P<id>\d+)/media-upload",
        QuickMessageFileView.as_view(),
        name="quick-messages-file",
    ),
    *router.urls,
]
