"""Rules of chats and their members (rules/chat §1 and §2)."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from apps.accounts.models import User
from apps.audit.services import record
from apps.chat import events
from apps.chat.models import Chat, ChatMember
from apps.chat.queries import ChatNotFound, get_chat, whole
from apps.chat.serializers import NO_USERS
from apps.common.errors import InvalidInput, NoPermission
from apps.common.media import delete_media


class NotChatOwner(NoPermission):
    """Only the owner may change or delete a chat."""

    message = "Só quem criou a conversa pode editá-la ou excluí-la."


@transaction.atomic
def create_chat(*, user: User, title: str, user_ids: Collection[int]) -> Chat:
    """Create a chat of the user with other users of the company.

    Raises InvalidInput at `users` if there is no other user, or if one is not an active user of the
    company.
    """
    others = _others(user.pk, user_ids)
    _check_users(user.company_id, others)
    chat = Chat.objects.create(company_id=user.company_id, owner_id=user.pk, title=title)
    _add_members(chat, [user.pk, *others])
    made = as_stored(chat)
    events.chat_saved(made)
    return made


@transaction.atomic
def update_chat(*, user: User, reference: int | UUID, fields: Mapping[str, Any]) -> Chat:
    """Change `title`, or replace the members by `users`; the owner always stays.

    New members can read earlier messages; removed ones lose access at once. Raises ChatNotFound,
    NotChatOwner, and InvalidInput as `create_chat`.
    """
    chat = locked(user, reference)
    _check_owner(chat, user)
    before = {member.user_id for member in chat.members.all()}
    gone: set[int] = set()
    if "users" in fields:
        others = _others(chat.owner_id, fields["users"])
        _check_users(chat.company_id, [pk for pk in others if pk not in before])
        gone = before - {*others, chat.owner_id}
        chat.members.filter(user_id__in=gone).delete()
        _add_members(chat, [pk for pk in others if pk not in before])
    chat.title = fields.get("title", chat.title)
    chat.revision += 1
    chat.save(update_fields=["title", "revision", "updated_at"])
    changed = as_stored(chat)
    events.chat_gone(chat_id=chat.pk, company_id=chat.company_id, user_ids=sorted(gone))
    events.chat_saved(changed, known_to=before)
    return changed


@transaction.atomic
def delete_chat(*, user: User, reference: int | UUID, ip_address: str | None = None) -> None:
    """Delete a chat with all its messages, audited; raises ChatNotFound, NotChatOwner."""
    chat = locked(user, reference)
    _check_owner(chat, user)
    record(
        action="chat.deleted",
        actor=user,
        company_id=chat.company_id,
        target=chat,
        detail={"title": chat.title},
        ip_address=ip_address,
    )
    _delete(chat)


@transaction.atomic
def leave_chat(*, user: User, reference: int | UUID) -> None:
    """Leave a chat; raises ChatNotFound.

    When the owner leaves, the longest-standing member becomes the owner. When the last member
    leaves, the chat is deleted.
    """
    _leave(locked(user, reference), user)


def leave_all(user: User) -> None:
    """Leave all chats of a user who is being deleted; their messages keep the user's name."""
    user.chat_messages.exclude(sender_name=user.name).update(sender_name=user.name)
    for chat_id in user.chat_memberships.order_by("chat").values_list("chat", flat=True):
        _leave(locked(user, chat_id), user)


@transaction.atomic
def read_chat(*, user: User, reference: int | UUID) -> Chat:
    """Mark all messages of a chat as read by the user; raises ChatNotFound.

    The members get an event if there were unread messages.
    """
    found = get_chat(user=user, reference=reference)
    if not found.members.filter(user=user, unreads__gt=0).exists():
        return found
    chat = locked(user, found.pk)
    chat.members.filter(user=user).update(unreads=0)
    Chat.objects.filter(pk=chat.pk).update(revision=F("revision") + 1)
    read = as_stored(chat)
    events.chat_read(read)
    return read


def locked(user: User, reference: int | UUID) -> Chat:
    """Return a chat of the user, locked until the end of the transaction.

    The lock orders changes of messages, members and counts, so that events match the stored state.
    Raises ChatNotFound.
    """
    wanted: dict[str, Any] = (
        {"uuid": reference} if isinstance(reference, UUID) else {"pk": reference}
    )
    rows = Chat.objects.for_company(user.company_id).select_for_update(no_key=True)
    chat = rows.filter(**wanted).first()
    # Check the membership under the lock: its previous holder may have removed the user.
    if chat is None or not chat.members.filter(user=user).exists():
        raise ChatNotFound
    return chat


def as_stored(chat: Chat) -> Chat:
    """Read a chat again, with owner and members."""
    return whole(Chat.objects.filter(pk=chat.pk)).get()


def _check_owner(chat: Chat, user: User) -> None:
    if chat.owner_id != user.pk:
        raise NotChatOwner


def _others(owner_id: int, user_ids: Collection[int]) -> list[int]:
    """Return the users other than the owner, without duplicates; raises InvalidInput for none."""
    others = [pk for pk in dict.fromkeys(user_ids) if pk != owner_id]
    if not others:
        raise InvalidInput(NO_USERS, fields={"users": [NO_USERS]}, rule="required")
    return others


def _check_users(company_id: int, user_ids: Collection[int]) -> None:
    found = User.objects.for_company(company_id).filter(pk__in=user_ids, is_active=True)
    if found.count() != len(user_ids):
        sentence = "Um dos usuários não existe mais nesta empresa."
        raise InvalidInput(sentence, fields={"users": [sentence]}, rule="does_not_exist")


def _add_members(chat: Chat, user_ids: Collection[int]) -> None:
    ChatMember.objects.bulk_create(
        ChatMember(company_id=chat.company_id, chat=chat, user_id=pk) for pk in user_ids
    )


def _leave(chat: Chat, user: User) -> None:
    left = list(chat.members.exclude(user=user).order_by("id"))
    if not left:
        _delete(chat)
        return
    chat.members.filter(user=user).delete()
    if chat.owner_id == user.pk:
        chat.owner_id = left[0].user_id
    chat.revision += 1
    # `update` leaves `updated_at` alone: the chat must not move up the list, as no message was
    # sent.
    Chat.objects.filter(pk=chat.pk).update(owner_id=chat.owner_id, revision=chat.revision)
    events.chat_gone(chat_id=chat.pk, company_id=chat.company_id, user_ids=[user.pk])
    events.chat_saved(as_stored(chat), known_to=[member.user_id for member in left])


def _delete(chat: Chat) -> None:
    chat_id, company_id = chat.pk, chat.company_id
    user_ids = list(chat.members.values_list("user", flat=True))
    for path in chat.messages.exclude(media_path="").values_list("media_path", flat=True):
        transaction.on_commit(partial(delete_media, path), robust=True)
    chat.delete()
    events.chat_gone(chat_id=chat_id, company_id=company_id, user_ids=user_ids)
