"""Times by which tickets are answered and resolved, their clocks, and what is done at a moment."""

from datetime import timedelta
from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.common.models import TenantQuerySet, TimestampedModel
from apps.desk.decisions.sla import Clock, Kind, Policy, Step, When
from apps.desk.models.policies import choices_of
from apps.tickets.models import TicketPriority


class SlaPolicy(TimestampedModel):
    """Times in minutes for tickets of a queue, with a tag, or of a priority (rules/desk §8).

    Exactly one of the three is set. A kind without minutes is left to another policy.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="sla_policies"
    )
    queue = models.OneToOneField(
        "queues.Queue", null=True, blank=True, on_delete=models.CASCADE, related_name="sla_policy"
    )
    tag = models.OneToOneField(
        "contacts.Tag", null=True, blank=True, on_delete=models.CASCADE, related_name="sla_policy"
    )
    priority = models.PositiveSmallIntegerField(
        choices=TicketPriority.choices, null=True, blank=True
    )
    first_answer_minutes = models.PositiveIntegerField(null=True, blank=True)
    next_answer_minutes = models.PositiveIntegerField(null=True, blank=True)
    resolution_minutes = models.PositiveIntegerField(null=True, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["company", "priority"],
                condition=Q(priority__isnull=False),
                name="one_sla_per_priority",
            ),
            models.CheckConstraint(
                condition=Q(queue__isnull=False, tag=None, priority=None)
                | Q(queue=None, tag__isnull=False, priority=None)
                | Q(queue=None, tag=None, priority__isnull=False),
                name="sla_is_for_one",
            ),
        ]

    def __str__(self) -> str:
        return f"times {self.pk} of company {self.company_id}"

    @property
    def rules(self) -> Policy:
        """Return the times as decisions take them."""
        minutes = {
            Kind.FIRST: self.first_answer_minutes,
            Kind.NEXT: self.next_answer_minutes,
            Kind.RESOLUTION: self.resolution_minutes,
        }
        return Policy(
            id=self.pk,
            minutes={kind: count for kind, count in minutes.items() if count},
            queue_id=self.queue_id,
            tag_id=self.tag_id,
            priority=self.priority,
        )


class SlaAction(StrEnum):
    """What a step does with a ticket (rules/desk §10)."""

    TELL = "tell"
    TAG = "tag"
    PRIORITY = "priority"
    QUEUE = "queue"
    ASSIGN = "assign"


class SlaTells(StrEnum):
    """Whom a step tells: the holder, or those for whom the ticket waits; or the supervisors."""

    HOLDER = "holder"
    SUPERVISORS = "supervisors"


class SlaStep(models.Model):
    """Something to do at a moment of a policy's clocks, but none before it was made.

    `minutes` are those after the deadline, for `after` alone. `assign` without a `user` gives the
    ticket back to its queue.
    """

    policy = models.ForeignKey(SlaPolicy, on_delete=models.CASCADE, related_name="steps")
    kind = models.CharField(max_length=20, choices=choices_of(Kind))
    when = models.CharField(max_length=10, choices=choices_of(When))
    minutes = models.PositiveIntegerField(default=0)
    action = models.CharField(max_length=10, choices=choices_of(SlaAction))
    tells = models.CharField(max_length=20, blank=True, choices=choices_of(SlaTells))
    tag = models.ForeignKey(
        "contacts.Tag", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    priority = models.PositiveSmallIntegerField(
        choices=TicketPriority.choices, null=True, blank=True
    )
    queue = models.ForeignKey(
        "queues.Queue", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )

    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.action} at {self.when} of {self.kind}"

    @property
    def rules(self) -> Step:
        """Return the step as decisions take it."""
        return Step(self.pk, Kind(self.kind), When(self.when), self.minutes, self.created_at)


class SlaClock(models.Model):
    """A time that runs for a ticket; see `decisions.sla.Clock`.

    `left_seconds` were left at `runs_from`, or are while it is paused. `judged_at` is when it was
    met or missed; then `queue` and `user` are those who had the ticket.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey(
        "tickets.Ticket", on_delete=models.CASCADE, related_name="sla_clocks"
    )
    policy = models.ForeignKey(SlaPolicy, null=True, on_delete=models.SET_NULL, related_name="+")
    queue = models.ForeignKey(
        "queues.Queue", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    kind = models.CharField(max_length=20, choices=choices_of(Kind))
    minutes = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    runs_from = models.DateTimeField(null=True)
    left_seconds = models.FloatField()
    due_at = models.DateTimeField(null=True)
    warns_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    paused_seconds = models.PositiveIntegerField(default=0)
    met_at = models.DateTimeField(null=True)
    missed_at = models.DateTimeField(null=True)
    judged_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ticket", "kind"],
                condition=Q(ended_at__isnull=True),
                name="one_open_clock_of_a_kind",
            )
        ]
        indexes = [
            # For the report and its conversations.
            models.Index(
                fields=["company", "judged_at"],
                condition=Q(judged_at__isnull=False),
                name="sla_clock_judged",
            ),
            # For those that are counted anew.
            models.Index(
                fields=["company", "ticket"],
                condition=Q(ended_at__isnull=True),
                name="sla_clock_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of ticket {self.ticket_id}"

    @property
    def value(self) -> Clock:
        """Return the clock as decisions take it."""
        return Clock(
            id=self.pk,
            kind=Kind(self.kind),
            policy_id=self.policy_id,
            minutes=self.minutes,
            started_at=self.started_at,
            left=timedelta(seconds=self.left_seconds),
            runs_from=self.runs_from,
            due_at=self.due_at,
            warns_at=self.warns_at,
            paused_at=self.paused_at,
            paused_seconds=self.paused_seconds,
            met_at=self.met_at,
            missed_at=self.missed_at,
            ended_at=self.ended_at,
        )


class SlaFiring(models.Model):
    """A step of a clock has happened, once; `refusal` is why it was skipped, if it was."""

    clock = models.ForeignKey(SlaClock, on_delete=models.CASCADE, related_name="firings")
    step = models.ForeignKey(SlaStep, null=True, on_delete=models.SET_NULL, related_name="firings")
    # As the step was.
    action = models.CharField(max_length=10, choices=choices_of(SlaAction))
    refusal = models.CharField(max_length=60, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["clock", "step"], name="one_firing")]

    def __str__(self) -> str:
        return f"{self.action} for clock {self.clock_id}"
