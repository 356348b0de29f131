"""References to messages that have not arrived yet."""

from django.db import models
from django.utils import timezone


class EarlyReference(models.Model):
    """A reply, reaction, edit, revoke or vote whose original has not arrived (rules/inbound §8).

    `original_id` is the provider's id of the original. `message` is the reply, or the message that
    an edit is stored as. `report` holds the other reported fields of an InboundMessage.
    """

    connection = models.ForeignKey(
        "connections.Connection", on_delete=models.CASCADE, related_name="+"
    )
    original_id = models.CharField(max_length=200)
    message = models.ForeignKey(
        "tickets.Message", null=True, on_delete=models.CASCADE, related_name="+"
    )
    report = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["connection", "original_id", "id"], name="early_by_original")
        ]

    def __str__(self) -> str:
        return f"reference to {self.original_id}"
