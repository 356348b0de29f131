"""Reads of chats and their messages, limited to members."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django_filters import CharFilter, FilterSet

from apps.accounts.models import User
from apps.chat.models import Chat, ChatMember, ChatMessage
from apps.common.errors import NotFound
from apps.common.filters import sifted
from apps.common.paging import PAGE_SIZE, Page


class ChatNotFound(NotFound):
    """There is no such chat, or the caller is no member of it."""

    code = "ERR_NO_CHAT_FOUND"
    message = "Conversa não encontrada."


class ChatFilters(FilterSet):
    """Filters of chats: a part of the title or of a member's name."""

    searchParam = CharFilter(method="search")

    def search(self, rows: QuerySet[Chat], name: str, text: str) -> QuerySet[Chat]:
        """Keep those that contain the text, ignoring accents and case."""
        return sifted(rows, text, "title", "members__user__name")


def chats_of(user: User) -> QuerySet[Chat]:
    """Return the user's chats with owner and members, the most recently changed first."""
    return whole(Chat.objects.visible_to(user))


def whole(chats: QuerySet[Chat]) -> QuerySet[Chat]:
    """Return chats with owner and members loaded."""
    return chats.select_related("owner").prefetch_related("members__user")


def get_chat(*, user: User, reference: int | UUID) -> Chat:
    """Return a chat that the user is a member of, by id or uuid; raises ChatNotFound."""
    wanted: dict[str, Any] = (
        {"uuid": reference} if isinstance(reference, UUID) else {"pk": reference}
    )
    found = chats_of(user).filter(**wanted).first()
    if found is None:
        raise ChatNotFound
    return found


def unread_chats(user: User) -> int:
    """Return in how many chats the user has unread messages."""
    return ChatMember.objects.for_company(user.company_id).filter(user=user, unreads__gt=0).count()


def messages_of(chat: Chat, *, number: int = 1, before_id: int | None = None) -> Page[ChatMessage]:
    """Return a page of a chat's messages, counted from the newest, or those before `before_id`.

    Within the page the oldest comes first; `has_more` tells whether there are older ones. Older
    browsers use page numbers and get a message twice when a new one arrives between two pages.
    `before_id` avoids this, and the database skips no rows.
    """
    rows = ChatMessage.objects.filter(chat=chat).select_related("sender").order_by("-id")
    start = 0 if before_id else (number - 1) * PAGE_SIZE
    if before_id:
        rows = rows.filter(pk__lt=before_id)
    found = list(rows[start : start + PAGE_SIZE + 1])
    return Page(found[:PAGE_SIZE][::-1], chat.message_count, len(found) > PAGE_SIZE)
