from django.urls import URLPattern, URLResolver

from apps.chat.views import (
    ChatLeaveView,
    ChatMessagesView,
    ChatReadView,
    ChatsView,
    ChatView,
)
from apps.common.routing import route

REFERENCE = r"(?P<id>\d+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"

urlpatterns: list[URLPattern | URLResolver] = [
    route("chats", ChatsView.as_view(), "chats-list"),
    route(f"chats/{REFERENCE}", ChatView.as_view(), "chats-detail"),
    route(f"chats/{REFERENCE}/read", ChatReadView.as_view(), "chats-read"),
    route(f"chats/{REFERENCE}/leave", ChatLeaveView.as_view(), "chats-leave"),
    route(f"chats/{REFERENCE}/messages", ChatMessagesView.as_view(), "chats-messages"),
]
