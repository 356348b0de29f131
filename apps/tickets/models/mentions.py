"""Mentions of users in the notes of conversations."""

from django.db import models
from django.utils import timezone

from apps.common.models import TenantQuerySet


class NoteMention(models.Model):
    """A user is mentioned, by name or as a member of a queue, in a note (rules/tickets §16)."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey("tickets.Ticket", on_delete=models.CASCADE, related_name="+")
    note = models.ForeignKey(
        "tickets.TicketActivity", on_delete=models.CASCADE, related_name="mentions"
    )
    # The last message before the note: the list of mentions leads there.
    message = models.ForeignKey(
        "tickets.Message", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # When the user opened the conversation.
    seen_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["note", "user"], name="one_mention")]
        indexes = [models.Index(fields=["user", "-id"], name="mention_by_user")]

    def __str__(self) -> str:
        return f"user {self.user_id} in note {self.note_id}"
