from apps.common.routing import Router, route
from apps.schedules.views import ScheduleMedia, ScheduleRetry, ScheduleViewSet

router = Router()
router.register("schedules", ScheduleViewSet, basename="schedules")

urlpatterns = [
    route(r"schedules/(?P<pk>\d+)/media-upload", ScheduleMedia.as_view(), "schedules-media"),
    route(r"schedules/(?P<pk>\d+)/retry", ScheduleRetry.as_view(), "schedules-retry"),
    *router.urls,
]
