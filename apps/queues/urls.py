from apps.common.routing import Router
from apps.queues.views import OptionViewSet, QueueViewSet

router = Router()
router.register("queue", QueueViewSet, basename="queues")
router.register("queue-options", OptionViewSet, basename="queue-options")

urlpatterns = router.urls
