from apps.chat.views import ChatViewSet
from apps.common.routing import Router

router = Router()
router.register("chats", ChatViewSet, basename="chats")

urlpatterns = router.urls
