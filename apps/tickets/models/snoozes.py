"""Tickets that are put aside until a moment."""

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class Snooze(LeasedRow):
    """A snoozed ticket is due to return at a moment (rules/tickets §18).

    There is one row per ticket, deleted when the ticket returns, whatever wakes it. One that waits
    for the contact alone has no row, only the ticket's `snoozed_at`.
    """

    wakes = "tickets.wake_snoozed"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    ticket = models.OneToOneField("tickets.Ticket", on_delete=models.CASCADE, related_name="snooze")
    created_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="snooze_due")
        ]

    def __str__(self) -> str:
        return f"snooze of ticket {self.ticket_id}"
