from apps.common.routing import Router
from apps.library.views import FileListViewSet, QuickMessageViewSet

router = Router()
router.register("quick-messages", QuickMessageViewSet, basename="quick-messages")
router.register("files", FileListViewSet, basename="files")

urlpatterns = router.urls
