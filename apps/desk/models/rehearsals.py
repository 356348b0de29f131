"""Rehearsals: a change of the desk tried on what happened (rules/desk §16)."""

from enum import StrEnum
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.desk.models.policies import choices_of


class Subject(StrEnum):
    """What is tried: how a queue distributes, times of answers, a rule, or a queue's bot."""

    ASSIGNMENT = "assignment"
    SLA = "sla"
    RULE = "rule"
    BOT = "bot"


class Rehearsal(LeasedRow):
    """A change and, when it has been tried, its report; nothing else is written.

    `proposal` are the fields of the change by the names of their columns. `target_id` is the queue,
    times or rule that it would change, None for new ones. `user` is who started it. `report` is
    that of `decisions.tally.Tally`, with what it says of how it was made.
    """

    wakes: ClassVar[str] = "desk.rehearse"
    also_due: ClassVar[str] = "work.expires_at < %(now)s"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    subject = models.CharField(max_length=10, choices=choices_of(Subject))
    target_id = models.BigIntegerField(null=True)
    proposal = models.JSONField(default=dict)
    days = models.PositiveSmallIntegerField(default=7)
    # The span that was tried; it ends when it was asked for.
    since = models.DateTimeField()
    until = models.DateTimeField()
    tickets_total = models.PositiveIntegerField(default=0)
    tickets_done = models.PositiveIntegerField(default=0)
    report = models.JSONField(null=True)
    error_code = models.CharField(max_length=50, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, db_index=True)

    objects: ClassVar[LeasedQuerySet["Rehearsal"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["company"],
                condition=~Q(state__in=["done", "failed"]),
                name="one_rehearsal_at_a_time",
            )
        ]
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="rehearsal_due"
            )
        ]

    def __str__(self) -> str:
        return f"rehearsal {self.pk} of {self.subject}"
