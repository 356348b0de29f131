"""Live tickets as the distribution sees them, and who got what and why."""

from django.db import models
from django.db.models import Q

from apps.common.models import TenantQuerySet
from apps.desk.decisions.assignment import Channel, Held, ReturnTo, Why
from apps.desk.decisions.following import Followed
from apps.desk.models.policies import choices_of
from apps.tickets.models import TicketPriority


class Assignment(models.Model):
    """The state of one live ticket, in companies with the distribution on (rules/desk §3).

    It follows the ticket in the transaction that changes it. `queue`, `user`, `priority` and
    `since` are copies of the ticket's queue, holder, priority and `queued_at`. `is_ready`: the
    distribution may give it. `points` is what it adds to the load of `user` now. `aside` says that
    it waits for a hand, and whose (`ReturnTo`).
    """

    ticket = models.OneToOneField(
        "tickets.Ticket", primary_key=True, on_delete=models.CASCADE, related_name="assignment"
    )
    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    queue = models.ForeignKey(
        "queues.Queue", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    channel = models.CharField(max_length=10, choices=choices_of(Channel), default=Channel.WHATSAPP)
    points = models.PositiveSmallIntegerField(default=0)
    is_ready = models.BooleanField(default=False)
    since = models.DateTimeField()
    opened_at = models.DateTimeField()
    priority = models.PositiveSmallIntegerField(
        choices=TicketPriority.choices, default=TicketPriority.NORMAL
    )
    # Only the deletion of a user looks for it.
    prefers = models.ForeignKey(
        "accounts.User",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    prefers_until = models.DateTimeField(null=True, blank=True)
    # Ids of the users from whom it came back.
    returned_by = models.JSONField(default=list)
    returns = models.PositiveSmallIntegerField(default=0)
    aside = models.CharField(max_length=20, blank=True, choices=choices_of(ReturnTo))
    given_at = models.DateTimeField(null=True, blank=True)
    unanswered_since = models.DateTimeField(null=True, blank=True)
    our_word_at = models.DateTimeField(null=True, blank=True)
    # Another responder of the number leads the conversation, or it is snoozed.
    is_apart = models.BooleanField(default=False)

    objects = TenantQuerySet.as_manager()

    class Meta:
        indexes = [
            # For what a queue gives next, in both orders.
            models.Index(
                fields=["queue", "priority", "since", "ticket"],
                condition=Q(is_ready=True),
                name="assignment_longest_waiting",
            ),
            models.Index(
                fields=["queue", "priority", "opened_at", "ticket"],
                condition=Q(is_ready=True),
                name="assignment_oldest",
            ),
            # For the oldest unanswered of each person.
            models.Index(
                fields=["user", "unanswered_since"],
                condition=Q(unanswered_since__isnull=False, is_apart=False),
                name="assignment_unanswered",
            ),
            # For what the supervisors were told of.
            models.Index(
                fields=["company", "since"],
                condition=Q(aside="supervisors"),
                name="assignment_for_supervisors",
            ),
        ]

    def __str__(self) -> str:
        return f"assignment of ticket {self.ticket_id}"

    @property
    def value(self) -> Followed:
        """Return the ticket as decisions take it."""
        return Followed(
            since=self.since,
            opened_at=self.opened_at,
            queue_id=self.queue_id,
            user_id=self.user_id,
            priority=self.priority,
            channel=Channel(self.channel),
            is_ready=self.is_ready,
            prefers=self.prefers_id,
            prefers_until=self.prefers_until,
            returned_by=tuple(self.returned_by),
            returns=self.returns,
            aside=ReturnTo(self.aside) if self.aside else None,
            given_at=self.given_at,
            unanswered_since=self.unanswered_since,
            our_word_at=self.our_word_at,
            is_apart=self.is_apart,
        )

    @property
    def held(self) -> Held:
        """Return the held ticket as decisions take it."""
        return self.value.held

    def become(self, value: Followed) -> None:
        """Have the row be a ticket as decisions return it."""
        self.since, self.priority, self.channel = value.since, value.priority, value.channel
        self.queue_id, self.user_id, self.is_ready = value.queue_id, value.user_id, value.is_ready
        self.prefers_id, self.prefers_until = value.prefers, value.prefers_until
        self.returned_by, self.returns = list(value.returned_by), value.returns
        self.aside, self.given_at, self.is_apart = value.aside or "", value.given_at, value.is_apart
        self.unanswered_since, self.our_word_at = value.unanswered_since, value.our_word_at


class AssignmentLog(models.Model):
    """A ticket changed hands: from whom, to whom, why, when, and who did it, if a person did.

    `number` counts what a queue's distribution has given to the user, from 1.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey(
        "tickets.Ticket", on_delete=models.CASCADE, related_name="assignment_log"
    )
    queue = models.ForeignKey(
        "queues.Queue", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    from_user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    to_user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    why = models.CharField(max_length=20, choices=choices_of(Why))
    actor = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    number = models.PositiveIntegerField(null=True, blank=True)
    at = models.DateTimeField()

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["queue", "to_user", "number"],
                condition=Q(number__isnull=False),
                name="one_assignment_per_number",
            )
        ]

    def __str__(self) -> str:
        return f"ticket {self.ticket_id} to user {self.to_user_id}: {self.why}"


class Turn(models.Model):
    """What a queue's distribution has given to a user: how much, and the log's latest row."""

    queue = models.ForeignKey("queues.Queue", on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    count = models.PositiveIntegerField(default=0)
    last = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "user"], name="one_turn")]

    def __str__(self) -> str:
        return f"turn of user {self.user_id} in queue {self.queue_id}"
