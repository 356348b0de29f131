from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.library.views import (
    FileListUploadView,
    FileListViewSet,
    QuickMessageFileView,
    QuickMessageOptions,
    QuickMessageViewSet,
)

router = Router()
router.register("quick-messages", QuickMessageViewSet, basename="quick-messages")
router.register("files", FileListViewSet, basename="files")

urlpatterns: list[URLPattern | URLResolver] = [
    route("quick-messages/list", QuickMessageOptions.as_view(), name="quick-messages-options"),
    route(
        r"quick-messages/(?P<id>\d+)/media-upload",
        QuickMessageFileView.as_view(),
        name="quick-messages-file",
    ),
    route(
        r"files/uploadList/(?P<id>\d+)",
        FileListUploadView.as_view(),
        name="files-upload",
    ),
    *router.urls,
]
