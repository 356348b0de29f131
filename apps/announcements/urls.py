from django.urls import URLPattern, URLResolver

from apps.announcements.views import AnnouncementMediaView, AnnouncementViewSet
from apps.common.routing import Router, route

router = Router()
router.register("announcements", AnnouncementViewSet, basename="announcements")

urlpatterns: list[URLPattern | URLResolver] = [
    route(
        r"announcements/(?P<id>\d+)/media-upload",
        AnnouncementMediaView.as_view(),
        name="announcements-media",
    ),
    *router.urls,
]
