from apps.announcements.views import AnnouncementViewSet, HelpViewSet
from apps.common.routing import Router

router = Router()
router.register("announcements", AnnouncementViewSet, basename="announcements")
router.register("helps", HelpViewSet, basename="helps")

urlpatterns = router.urls
