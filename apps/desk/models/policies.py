"""How a queue gives what waits to people."""

from datetime import timedelta
from enum import StrEnum

from django.db import models

from apps.common.models import TenantQuerySet, TimestampedModel
from apps.desk.decisions.assignment import (
    Mode,
    OfflineAction,
    Order,
    Policy,
    ReturnTo,
    Sticky,
)


def choices_of(values: type[StrEnum]) -> list[tuple[str, str]]:
    """Return a decision's values as the choices of a column."""
    return [(each.value, each.value) for each in values]


class AssignmentPolicy(TimestampedModel):
    """The rules of one queue (rules/desk §2). A queue without a row is given out by hand."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    queue = models.OneToOneField(
        "queues.Queue", on_delete=models.CASCADE, related_name="assignment_policy"
    )
    mode = models.CharField(max_length=20, choices=choices_of(Mode), default=Mode.MANUAL)
    order = models.CharField(
        max_length=20, choices=choices_of(Order), default=Order.LONGEST_WAITING
    )
    sticky = models.CharField(max_length=20, choices=choices_of(Sticky), default=Sticky.OFF)
    sticky_days = models.PositiveSmallIntegerField(default=30)
    sticky_wait_minutes = models.PositiveSmallIntegerField(default=0)
    return_minutes = models.PositiveSmallIntegerField(default=0)
    return_to = models.CharField(max_length=20, choices=choices_of(ReturnTo), default=ReturnTo.NEXT)
    max_returns = models.PositiveSmallIntegerField(default=3)
    offline_action = models.CharField(
        max_length=20, choices=choices_of(OfflineAction), default=OfflineAction.KEEP
    )
    grace_minutes = models.PositiveSmallIntegerField(default=5)
    fair_limit = models.PositiveSmallIntegerField(default=100)
    fair_window_minutes = models.PositiveSmallIntegerField(default=60)
    release_minutes = models.PositiveSmallIntegerField(default=10)
    # Whether people may also take what waits by hand.
    manual_accept = models.BooleanField(default=True)

    objects = TenantQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.mode} of queue {self.queue_id}"

    @property
    def rules(self) -> Policy:
        """Return the rules as decisions take them."""
        return Policy(
            mode=Mode(self.mode),
            order=Order(self.order),
            sticky=Sticky(self.sticky),
            sticky_days=self.sticky_days,
            sticky_wait=timedelta(minutes=self.sticky_wait_minutes),
            return_after=timedelta(minutes=self.return_minutes) if self.return_minutes else None,
            return_to=ReturnTo(self.return_to),
            max_returns=self.max_returns,
            offline_action=OfflineAction(self.offline_action),
            grace=timedelta(minutes=self.grace_minutes),
            fair_limit=self.fair_limit,
            fair_window=timedelta(minutes=self.fair_window_minutes),
            release_after=timedelta(minutes=self.release_minutes),
            manual_accept=self.manual_accept,
        )
