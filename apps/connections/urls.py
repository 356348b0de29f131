from apps.common.routing import Router, route
from apps.connections.views.connections import ConnectionSessionView, ConnectionViewSet
from apps.connections.views.forms import QueueFormsView

router = Router()
router.register("whatsapp", ConnectionViewSet, basename="connections")

urlpatterns = [
    *router.urls,
    route(
        r"whatsappsession/(?P<connection_id>\d+)",
        ConnectionSessionView.as_view(),
        "connections-session",
    ),
    route(r"queue/(?P<queue_id>\d+)/forms", QueueFormsView.as_view(), "queue-forms"),
]
