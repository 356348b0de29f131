"""Reads of chats and their messages, limited to members."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django_filters import CharFilter, FilterSet

from apps.accounts.models import User
from apps.chat.models import Chat, ChatMember, ChatMessage
from apps.common.compiled_queries import CompiledQuery
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


@dataclass(frozen=True)
class ChatCounts:
    """In how many chats a user is, and in how many of them the user has unread messages."""

    all: int
    unread: int


def chat_counts(user: User) -> ChatCounts:
    """Return the user's counts, counted here: a user is in a few hundred chats at most."""
    unreads = _UNREADS.rows(company_id=user.company_id, user_id=user.pk)
    return ChatCounts(len(unreads), sum(count > 0 for (count,) in unreads))


# What `first_chats` and `members_by_chat` return of each chat and of each of its members.
CHAT_COLUMNS = (
    *("id", "uuid", "title", "owner_id", "owner__name", "last_message", "revision"),
    *("company_id", "created_at", "updated_at"),
)
MEMBER_COLUMNS = ("id", "user_id", "unreads", "user__name")


def first_chats(user: User) -> list[tuple[Any, ...]]:
    """Return CHAT_COLUMNS of the user's first page of chats, and of one more."""
    return _FIRST.rows(company_id=user.company_id, user_id=user.pk)


def members_by_chat(chat_ids: Iterable[int]) -> dict[int, list[tuple[Any, ...]]]:
    """Return MEMBER_COLUMNS of the chats' members in their order, by chat, in one query."""
    found: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for chat_id, *values in _MEMBERS.rows(ids=list(chat_ids)):
        found[chat_id].append(tuple(values))
    return found


_UNREADS = CompiledQuery(
    lambda *, company_id, user_id: (
        ChatMember.objects.for_company(company_id)
        .filter(user=user_id)
        .order_by()
        .values_list("unreads")
    )
)
_FIRST = CompiledQuery(
    lambda *, company_id, user_id: (
        Chat.objects.for_company(company_id)
        .filter(members__user=user_id)
        .values_list(*CHAT_COLUMNS)[: PAGE_SIZE + 1]
    )
)
_MEMBERS = CompiledQuery(
    lambda *, ids: ChatMember.objects.filter(chat__among=ids).values_list(
        "chat_id", *MEMBER_COLUMNS
    )
)


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
