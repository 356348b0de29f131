"""What providers told us, stored before anything else happens (specification 4 §1.1)."""

from django.db import models
from django.utils import timezone


class InboundState(models.TextChoices):
    """Where an event stands; `failed` is parked for the super user to see."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"


class InboundEvent(models.Model):
    """One message, status or other notice of a provider; a replay meets the unique constraint.

    `partition` names the conversation: events of one partition are handled in order of id.
    """

    connection = models.ForeignKey(
        "connections.Connection", on_delete=models.CASCADE, related_name="inbound_events"
    )
    event_id = models.CharField(max_length=250)
    kind = models.CharField(max_length=20)
    partition = models.CharField(max_length=100)
    payload = models.JSONField()
    state = models.CharField(
        max_length=10, choices=InboundState.choices, default=InboundState.WAITING
    )
    attempts = models.PositiveIntegerField(default=0)
    next_attempt_at = models.DateTimeField(default=timezone.now)
    owner = models.CharField(max_length=60, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    received_at = models.DateTimeField(default=timezone.now)
    processed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "event_id"], name="one_row_per_event")
        ]
        indexes = [
            models.Index(
                fields=["connection", "partition", "id"],
                condition=models.Q(state__in=["waiting", "claimed"]),
                name="inbound_unfinished",
            ),
            models.Index(
                fields=["id"],
                condition=models.Q(state__in=["waiting", "claimed"]),
                name="inbound_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event_id}"
