from apps.common.routing import Router
from apps.queues.views import QueueViewSet

router = Router()
router.register("queue", QueueViewSet, basename="queues")

urlpatterns = router.urls
