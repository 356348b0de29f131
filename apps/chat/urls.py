from django.urls import URLPattern, URLResolver

from apps.chat.views import (
    ChatLeaveView,
    ChatMessagesView,
    ChatReadView,
    ChatsView,
    ChatView,
)
from apps.common.routing import route

# An id or a uuid; of what is neither there is no chat.
REFERENCE = r"(?P<id>[^/]+)"

urlpatterns: list[URLPattern | URLResolver] = [
    route("chats", ChatsView.as_view(), "chats-list"),
    route(f"chats/{REFERENCE}", ChatView.as_view(), "chats-detail"),
    route(f"chats/{REFERENCE}/read", ChatReadView.as_view(), "chats-read"),
    route(f"chats/{REFERENCE}/leave", ChatLeaveView.as_view(), "chats-leave"),
    route(f"chats/{REFERENCE}/messages", ChatMessagesView.as_view(), "chats-messages"),
]
