from django.urls import URLPattern, URLResolver

from apps.announcements.views import (
    AllHelpsView,
    AnnouncementMediaView,
    AnnouncementViewSet,
    HelpViewSet,
)
from apps.common.routing import Router, route

router = Router()
router.register("announcements", AnnouncementViewSet, basename="announcements")
router.register("helps", HelpViewSet, basename="helps")

urlpatterns: list[URLPattern | URLResolver] = [
    route(
        r"announcements/(?P<id>\d+)/media-upload",
        AnnouncementMediaView.as_view(),
        name="announcements-media",
    ),
    route("helps/list", AllHelpsView.as_view(), name="helps-all"),
    *router.urls,
]
