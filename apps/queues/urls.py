from django.urls import URLPattern, URLResolver

from apps.common.routing import Router, route
from apps.queues.views import OptionFileView, OptionViewSet, QueueViewSet

router = Router()
router.register("queue", QueueViewSet, basename="queues")
router.register("queue-options", OptionViewSet, basename="queue-options")

urlpatterns: list[URLPattern | URLResolver] = [
    route(
        r"queue-options/(?P<id>\d+)/media-upload",
        OptionFileView.as_view(),
        name="queue-options-file",
    ),
    *router.urls,
]
