from apps.common.routing import Router, route
from apps.connections.views.connections import ConnectionSessionView, ConnectionViewSet

router = Router()
router.register("whatsapp", ConnectionViewSet, basename="connections")

urlpatterns = [
    *router.urls,
    route(
        r"whatsappsession/(?P<connection_id>\d+)",
        ConnectionSessionView.as_view(),
        "connections-session",
    ),
]
