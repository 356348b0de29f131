"""Texts that users have typed and not sent."""

from django.db import models

from apps.common.models import TenantQuerySet


class TicketDraft(models.Model):
    """What a user has typed in a conversation; only that user gets it (rules/messages §10)."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey("tickets.Ticket", on_delete=models.CASCADE, related_name="drafts")
    text = models.TextField()
    updated_at = models.DateTimeField()

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "ticket"], name="one_draft")]

    def __str__(self) -> str:
        return f"draft of user {self.user_id} in ticket {self.ticket_id}"
