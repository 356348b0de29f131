"""The dashboard's sums of days that are over."""

from django.db import models

from apps.common.models import TenantQuerySet


class DaySums(models.Model):
    """Sums over the finished cycles that were queued on one day of the company's zone.

    A day has a row for each queue, connection, user and rating of its cycles, and one row more with
    `leads`, which says that the day is kept. A change of such a cycle deletes the day's rows in the
    same transaction (`services/tickets/days.py`). Times are in microseconds.

    The ids are no foreign keys: to write them must not wait for a deletion, and the dashboard takes
    what is not there any more for none.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    zone = models.CharField(max_length=64)
    # The midnights between which the cycles were queued; `until` is the moment after the day.
    since = models.DateTimeField()
    until = models.DateTimeField()
    # Contacts whose first cycle of all was queued on the day.
    leads = models.PositiveIntegerField(null=True)
    queue_id = models.BigIntegerField(null=True)
    connection_id = models.BigIntegerField(null=True)
    user_id = models.BigIntegerField(null=True)
    rate = models.PositiveSmallIntegerField(null=True)
    cycles = models.PositiveIntegerField(default=0)
    supported = models.PositiveIntegerField(default=0)
    support = models.BigIntegerField(default=0)
    waited = models.PositiveIntegerField(default=0)
    wait = models.BigIntegerField(default=0)
    answered = models.PositiveIntegerField(default=0)
    answer = models.BigIntegerField(default=0)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["company", "zone", "since"],
                condition=models.Q(leads__isnull=False),
                name="day_kept_once",
            )
        ]
        indexes = [models.Index(fields=["company", "since"], name="day_sums_by_company")]

    def __str__(self) -> str:
        return f"{self.cycles} cycles since {self.since}"
