"""Rules and macros of a company, what they have done, and live tickets as rules saw them last."""

from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.common.models import TenantQuerySet, TimestampedModel
from apps.desk.decisions.rules import When
from apps.desk.models.policies import choices_of


class Tells(StrEnum):
    """Whom an action tells: the holder, or those for whom the ticket waits; or the supervisors."""

    HOLDER = "holder"
    SUPERVISORS = "supervisors"


class Rule(TimestampedModel):
    """When … if … then … (rules/desk §12); `decisions.rule_forms` reads the three.

    Rules run in the order of `position`. `since` is when it was switched on, None while it is off.
    `problem` says why the product switched it off.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="rules")
    name = models.CharField(max_length=80, blank=True)
    position = models.PositiveIntegerField(default=0)
    when = models.CharField(max_length=20, choices=choices_of(When))
    trigger = models.JSONField(default=dict)
    condition = models.JSONField(null=True, blank=True)
    actions = models.JSONField(default=list)
    since = models.DateTimeField(null=True, blank=True)
    problem = models.CharField(max_length=200, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["position", "id"]
        indexes = [
            # For what happens to tickets: only rules that are on are read then.
            models.Index(
                fields=["company", "position", "id"],
                condition=Q(since__isnull=False),
                name="rule_that_is_on",
            )
        ]

    def __str__(self) -> str:
        return self.name or f"rule {self.pk}"

    @property
    def is_on(self) -> bool:
        return self.since is not None


class Macro(TimestampedModel):
    """A named list of actions for one ticket (rules/desk §15), a person's own or the company's.

    `shortcut` is one key, '' for none. `problem` says what an action names that is gone.
    """

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="macros"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.CASCADE, related_name="macros"
    )
    name = models.CharField(max_length=80)
    shortcut = models.CharField(max_length=1, blank=True)
    actions = models.JSONField(default=list)
    problem = models.CharField(max_length=200, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class RuleTicket(models.Model):
    """A live ticket as rules saw it last, in companies with rules on (rules/desk §13).

    What it has become since is what starts rules. `our_word_at` is None if the contact wrote last.
    Moments until `seen_until` have been looked at.
    """

    ticket = models.OneToOneField(
        "tickets.Ticket", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    queue_id = models.BigIntegerField(null=True)
    user_id = models.BigIntegerField(null=True)
    status = models.CharField(max_length=10)
    tags = models.JSONField(default=list)
    lane_id = models.BigIntegerField(null=True)
    our_word_at = models.DateTimeField(null=True)
    unanswered_since = models.DateTimeField(null=True)
    seen_until = models.DateTimeField(null=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["company", "ticket"], name="rule_ticket_of_company")]

    def __str__(self) -> str:
        return f"ticket {self.ticket_id} as rules saw it"


class RuleRun(models.Model):
    """A rule or a macro has run in a ticket, or was refused; nothing of a refused one was done.

    `name` and `actions` are as they were, `event` has what it was about (`id` of a tag, queue,
    person or lane, `messageId`, `rate`), `chain` are the rules that led to it. `before` and
    `after` are what the run changed, by name of the field. `user` is who ran a macro. `anchor`
    keeps a moment from starting a rule twice. `refusal` is a code of `decisions.rules.Refusal` or
    of an error, and `sentence` says it. `can_undo`: nothing has left the house. `client_id` is the
    browser's, so that a call that is repeated runs a macro once.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    rule = models.ForeignKey(Rule, null=True, on_delete=models.SET_NULL, related_name="runs")
    macro = models.ForeignKey(Macro, null=True, on_delete=models.SET_NULL, related_name="runs")
    ticket = models.ForeignKey("tickets.Ticket", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(
        "accounts.User", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(max_length=80, blank=True)
    when = models.CharField(max_length=20, blank=True, choices=choices_of(When))
    actions = models.JSONField(default=list)
    event = models.JSONField(default=dict)
    chain = models.JSONField(default=list)
    anchor = models.CharField(max_length=60, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    refusal = models.CharField(max_length=60, blank=True)
    sentence = models.CharField(max_length=300, blank=True)
    can_undo = models.BooleanField(default=False)
    undone_at = models.DateTimeField(null=True)
    client_id = models.UUIDField(null=True, editable=False)
    at = models.DateTimeField(default=timezone.now)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["rule", "ticket", "anchor"],
                condition=~Q(anchor="") & Q(refusal=""),
                name="one_run_per_moment",
            ),
            models.UniqueConstraint(
                fields=["ticket", "user", "client_id"],
                condition=Q(client_id__isnull=False),
                name="one_run_per_client_id",
            ),
        ]
        indexes = [
            models.Index(fields=["company", "-id"], name="rule_run_of_company"),
            models.Index(fields=["rule", "-id"], name="rule_run_of_rule"),
            models.Index(fields=["rule", "at"], name="rule_run_by_time"),
            models.Index(fields=["ticket", "at"], name="rule_run_of_ticket_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.name} in ticket {self.ticket_id}"
