"""What providers told us, stored before anything else happens (rules/inbound §1)."""

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow

# A longer name is stored as its first characters and its digest.
PARTITION_LENGTH = 100


class InboundEvent(LeasedRow):
    """One message, status or other notice of a provider; a replay meets the unique constraint.

    `partition` names the conversation: events of one partition are handled in order of id. One
    that failed is parked for the super user to see. One without a connection is kept as it came and
    never handled.
    """

    wakes = "inbound.process"

    connection = models.ForeignKey(
        "connections.Connection",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="inbound_events",
    )
    connection_id: int | None
    event_id = models.CharField(max_length=250)
    kind = models.CharField(max_length=20)
    partition = models.CharField(max_length=PARTITION_LENGTH)
    payload = models.JSONField()
    received_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "event_id"], name="one_row_per_event"),
            models.UniqueConstraint(
                fields=["event_id"],
                condition=models.Q(connection__isnull=True),
                name="one_row_per_kept_event",
            ),
        ]
        indexes = [
            models.Index(
                fields=["connection", "partition", "id"],
                condition=UNFINISHED,
                name="inbound_unfinished",
            ),
            models.Index(
                fields=["id"],
                condition=UNFINISHED,
                name="inbound_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event_id}"
