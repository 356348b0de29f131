from apps.common.routing import Router
from apps.schedules.views import ScheduleViewSet

router = Router()
router.register("schedules", ScheduleViewSet, basename="schedules")

urlpatterns = router.urls
