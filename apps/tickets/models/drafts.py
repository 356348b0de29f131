"""Texts that users have typed and not sent, and the conversations that they wait for."""

from django.db import models
from django.utils import timezone

from apps.common.models import TenantQuerySet


class TicketDraft(models.Model):
    """What a user has typed in a conversation, as a message and as a note (rules/messages §10)."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey("tickets.Ticket", on_delete=models.CASCADE, related_name="drafts")
    text = models.TextField(blank=True)
    note = models.TextField(blank=True, default="", db_default="")
    updated_at = models.DateTimeField()

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "ticket"], name="one_draft")]

    def __str__(self) -> str:
        return f"draft of user {self.user_id} in ticket {self.ticket_id}"


class TicketFollow(models.Model):
    """A user wants to be told when the contact of a ticket writes (rules/messages §13).

    `answer` is the contact's message; the row is deleted when the user has opened its conversation.
    Until the contact writes the ticket says with `is_followed` that there may be one. With
    `is_lasting` the user hears of every message and every change, and the row stays.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey("tickets.Ticket", on_delete=models.CASCADE, related_name="follows")
    answer = models.ForeignKey(
        "tickets.Message", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    is_lasting = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "ticket"], name="one_follow")]

    def __str__(self) -> str:
        return f"user {self.user_id} follows ticket {self.ticket_id}"
