"""What came before the message that it refers to."""

from django.db import models
from django.utils import timezone


class EarlyReference(models.Model):
    """What refers to a message that is not here yet (rules/inbound §8).

    A reply, a reaction, an edit, a revoke or a vote.

    `original_id` is that message's id at the provider. `message` is the reply, or the message that
    an edit stands in as; `report` is what else the provider said, the fields of an InboundMessage.
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
