"""People at the desk: what they can take, and when they were there."""

from datetime import datetime
from typing import Any

from django.db import models
from django.utils import timezone

from apps.common.models import TenantQuerySet, TimestampedModel
from apps.desk.decisions.assignment import Channel, Presence
from apps.desk.models.policies import choices_of


class PauseReason(TimestampedModel):
    """Why somebody pauses, as the company calls it; `minutes` is what the screen proposes."""

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="pause_reasons"
    )
    name = models.CharField(max_length=50)
    minutes = models.PositiveSmallIntegerField(default=15)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["company", "name"], name="one_pause_reason_per_name")
        ]

    def __str__(self) -> str:
        return self.name


class Seat(models.Model):
    """A person's place at the desk (rules/desk §4 and §5).

    `load` is the sum of `points` of the person's assignments; whoever changes these changes it in
    the same transaction. `seen_until` is until when an open browser is known. `is_away`: closing
    the browser, not the person, set the presence to offline. The counts are those of `day`.
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="seat")
    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    presence = models.CharField(
        max_length=10, choices=choices_of(Presence), default=Presence.OFFLINE
    )
    since = models.DateTimeField(default=timezone.now)
    # Of a pause: why, and when it ends.
    reason = models.CharField(max_length=50, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    is_away = models.BooleanField(default=True)
    seen_until = models.DateTimeField(null=True, blank=True)
    # Points; 0 is without bound.
    capacity = models.PositiveSmallIntegerField(default=0)
    whatsapp_weight = models.PositiveSmallIntegerField(default=1)
    call_weight = models.PositiveSmallIntegerField(default=3)
    # As those of a queue (rules/hours §2); none: at any time.
    schedules = models.JSONField(default=list)
    skills = models.ManyToManyField("contacts.Tag", related_name="+", blank=True)
    load = models.IntegerField(default=0)
    day = models.DateField(null=True, blank=True)
    given_count = models.PositiveIntegerField(default=0)
    resolved_count = models.PositiveIntegerField(default=0)
    returned_count = models.PositiveIntegerField(default=0)

    objects = TenantQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["company", "presence"], name="seat_by_presence")]

    def __str__(self) -> str:
        return f"user {self.user_id} {self.presence}"

    @property
    def weights(self) -> dict[str, int]:
        return {Channel.WHATSAPP: self.whatsapp_weight, Channel.CALL: self.call_weight}

    @property
    def gone_at(self) -> datetime:
        """Return since when somebody who is offline is gone: a closed browser, since it closed."""
        return self.seen_until if self.is_away and self.seen_until else self.since

    def is_connected(self, now: datetime) -> bool:
        """Tell whether a browser of the person is open."""
        return self.seen_until is not None and self.seen_until > now


class PresencePeriod(models.Model):
    """A stretch of a person's timeline; `reason` keeps the name that the pause had."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    presence = models.CharField(max_length=10, choices=choices_of(Presence))
    reason = models.CharField(max_length=50, blank=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects: Any = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["started_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(ended_at__isnull=True),
                name="one_present_presence_per_user",
            )
        ]
        indexes = [
            models.Index(fields=["user", "started_at"], name="presence_by_user"),
            models.Index(fields=["company", "started_at"], name="presence_by_company"),
        ]

    def __str__(self) -> str:
        return f"user {self.user_id} {self.presence} since {self.started_at}"
