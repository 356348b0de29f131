"""Conversations between users of one company."""

import uuid
from typing import Any, Self

from django.db import models

from apps.common.media_rows import MediaRow
from apps.common.models import TenantQuerySet, TimestampedModel

TITLE_LENGTH = 100
LAST_MESSAGE_LENGTH = 200


class ChatQuerySet(TenantQuerySet["Chat"]):
    def visible_to(self, user: Any) -> Self:
        """Keep the chats that the user is a member of."""
        own = ChatMember.objects.filter(user_id=user.pk).values("chat")
        return self.for_company(user.company_id).filter(pk__in=own)


class Chat(TimestampedModel):
    """A conversation with a title, which only its owner may change or delete (rules/chat §1).

    Every change to the chat, its members or its messages holds the lock of this row and increments
    `revision`. Of two copies a browser keeps the one with the higher revision.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="chats")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(max_length=TITLE_LENGTH)
    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="owned_chats")
    last_message = models.CharField(max_length=LAST_MESSAGE_LENGTH, blank=True)
    message_count = models.PositiveIntegerField(default=0)
    revision = models.PositiveBigIntegerField(default=1)

    objects = ChatQuerySet.as_manager()

    class Meta:
        ordering = ["-updated_at", "-id"]
        indexes = [models.Index(fields=["company", "-updated_at", "-id"], name="chat_newest")]

    def __str__(self) -> str:
        return self.title


class ChatMember(models.Model):
    """A member of a chat, with the number of unread messages."""

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="chat_members"
    )
    chat = models.ForeignKey(Chat, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey(
        "accounts.User", on_delete=models.CASCADE, related_name="chat_memberships"
    )
    unreads = models.PositiveIntegerField(default=0)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["chat", "user"], name="member_of_chat_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} in chat {self.chat_id}"


class ChatMessage(MediaRow, TimestampedModel):
    """A text, a file or both. `sender_name` is shown when the sender's account is deleted.

    `client_id` comes from the browser: the same submission sent twice is stored once.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="chat_messages"
    )
    chat = models.ForeignKey(
        Chat,
        on_delete=models.CASCADE,
        related_name="messages",
        db_index=False,  # `chat_message_newest` begins with it
    )
    sender = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="chat_messages"
    )
    sender_name = models.CharField(max_length=50)
    message = models.TextField(blank=True)
    client_id = models.UUIDField(null=True, editable=False)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["client_id"],
                condition=models.Q(client_id__isnull=False),
                name="one_chat_message_per_client_id",
            ),
            models.CheckConstraint(
                condition=~models.Q(message="") | ~models.Q(media_path=""),
                name="chat_message_says_something",
            ),
        ]
        indexes = [
            models.Index(fields=["chat", "-id"], name="chat_message_newest"),
            # Finds the files to delete with a chat; few messages have one.
            models.Index(
                fields=["chat"],
                condition=~models.Q(media_path=""),
                name="chat_message_files",
            ),
        ]

    def __str__(self) -> str:
        return f"message {self.pk} in chat {self.chat_id}"
