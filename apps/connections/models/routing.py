"""The work on a number's place among its responders (rules/connections §16)."""

from django.db import models

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.connections.models.connections import Connection


class RoutingCheck(LeasedRow):
    """Subscribes a number's account to what other responders do, and reads its roles every night.

    It is never finished: each attempt says when the next one is due. What came of it stands on the
    connection; `told` is Meta's answer as it was.
    """

    wakes = "connections.check_routing"

    connection = models.OneToOneField(
        Connection, on_delete=models.CASCADE, related_name="routing_check"
    )
    is_subscribed = models.BooleanField(default=False)
    told = models.JSONField(null=True, blank=True)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at"], condition=UNFINISHED, name="routing_due")
        ]

    def __str__(self) -> str:
        return f"routing of connection {self.connection_id}"
