"""Requests for a rating that are sent as a template."""

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class RatingRequest(LeasedRow):
    """A contact outside the 24-hour window is to be asked for a rating (rules/tickets §12).

    A row lasts until the template is written, which may first have to be looked up at Meta.
    """

    wakes = "tickets.ask_ratings"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    cycle = models.OneToOneField(
        "tickets.TrackingCycle", on_delete=models.CASCADE, related_name="rating_request"
    )
    created_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="rating_request_due"
            )
        ]

    def __str__(self) -> str:
        return f"request to rate cycle {self.cycle_id}"
