"""The ticket, its tags, its tracking cycles, its ratings and its activity."""

import uuid
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from apps.common.models import TenantQuerySet
from apps.tickets.models.elapsed import elapsed


class TicketStatus(models.TextChoices):
    """The status of a ticket (rules/tickets §1)."""

    PENDING = "pending"
    OPEN = "open"
    CLOSED = "closed"


class TicketOwner(models.TextChoices):
    """Who leads the conversation at the provider (rules/tickets §14)."""

    US = "us"
    OTHER = "other"
    IDLE = "idle"


class TicketPriority(models.IntegerChoices):
    """How urgent a ticket is, the most urgent first (rules/tickets §17)."""

    URGENT = 1
    HIGH = 2
    NORMAL = 3
    LOW = 4


class Woken(models.TextChoices):
    """What ended a ticket's snooze: its moment, the contact, or a person (rules/tickets §18)."""

    DUE = "due"
    REPLY = "reply"
    HAND = "hand"


class Ticket(models.Model):
    """A conversation with a contact on a connection.

    `updated_at` orders the lists and is set by the code, because reading must not change it
    (rules/tickets §7). `latest_message` lets a list show acks and icons without a query per row.
    """

    # The row of the latest event about it in this process, for the answer of the call.
    told: dict[str, Any] | None = None

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="tickets"
    )
    connection = models.ForeignKey(
        "connections.Connection", null=True, on_delete=models.SET_NULL, related_name="tickets"
    )
    contact = models.ForeignKey(
        "contacts.Contact", on_delete=models.CASCADE, related_name="tickets"
    )
    queue = models.ForeignKey(
        "queues.Queue", null=True, blank=True, on_delete=models.SET_NULL, related_name="tickets"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="tickets"
    )
    status = models.CharField(
        max_length=10, choices=TicketStatus.choices, default=TicketStatus.PENDING
    )
    unread_count = models.PositiveIntegerField(default=0)
    # Came to its holder, or to its queue, and was not opened there yet (rules/tickets §7).
    is_handed_over = models.BooleanField(default=False, db_default=False)
    # What woke it, if that marked it, until somebody moves it: the waiting list has it on top. It
    # says why only while the mark is there.
    woken = models.CharField(
        max_length=5, choices=Woken.choices, default="", blank=True, db_default=""
    )
    # Put aside since then, until that moment; without one until the contact writes.
    snoozed_at = models.DateTimeField(null=True, blank=True)
    snoozed_until = models.DateTimeField(null=True, blank=True)
    # Who handed it over, and therefore does not see the mark.
    handed_over_by = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    last_message = models.TextField(blank=True)
    latest_message = models.ForeignKey(
        "tickets.Message", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    last_inbound_at = models.DateTimeField(null=True, blank=True)
    # Users may wait for the contact's next message, here or in a ticket before this one.
    is_followed = models.BooleanField(default=False, db_default=False)
    # When its holder was told that the 24-hour window closes; of an earlier window, if the contact
    # has written since.
    window_told_at = models.DateTimeField(null=True, blank=True)
    # When it last began to wait: a copy of its cycle's, by which the waiting list is sorted.
    queued_at = models.DateTimeField(default=timezone.now, db_default=Now())
    # Before the time, in the waiting list.
    priority = models.PositiveSmallIntegerField(
        choices=TicketPriority.choices,
        default=TicketPriority.NORMAL,
        db_default=TicketPriority.NORMAL,
    )
    # The nearest deadline of those that run, and when its last quarter begins (rules/desk §8).
    sla_due_at = models.DateTimeField(null=True, blank=True)
    sla_warns_at = models.DateTimeField(null=True, blank=True)
    is_group = models.BooleanField(default=False)
    # A campaign made the ticket, and since then neither the contact nor a person has opened it.
    unanswered_campaign = models.BooleanField(default=False, db_default=False)
    # As told last, and since when; read it with `owners.owner_now`. Without a time nobody else led.
    owner = models.CharField(
        max_length=5, choices=TicketOwner.choices, default=TicketOwner.US, db_default=TicketOwner.US
    )
    owner_at = models.DateTimeField(null=True, blank=True)
    chatbot = models.BooleanField(default=False)
    # The bot's progress; see `bot_states`.
    bot_state = models.JSONField(default=dict, blank=True)
    use_integration = models.BooleanField(default=False)
    integration = models.ForeignKey(
        "automation.QueueIntegration",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    prompt = models.ForeignKey(
        "automation.Prompt", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The advertisement or post that led the contact here (rules/messages §1).
    referral = models.JSONField(null=True, blank=True)
    tags = models.ManyToManyField("contacts.Tag", through="TicketTag", related_name="tickets")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        ordering = ["-updated_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["company", "connection", "contact"],
                condition=models.Q(status__in=["open", "pending"]),
                name="one_live_ticket_per_contact",
            )
        ]
        indexes = [
            models.Index(
                fields=["company", "status", "unanswered_campaign", "-updated_at", "-id"],
                name="ticket_by_status",
            ),
            models.Index(
                fields=["company", "user", "status", "-updated_at", "-id"], name="ticket_by_user"
            ),
            models.Index(
                fields=["company", "queue", "status", "-updated_at", "-id"], name="ticket_by_queue"
            ),
            # For the waiting list: what was woken, then the most urgent, of these the longest wait.
            models.Index(
                fields=["company", "-woken", "priority", "queued_at", "id"],
                condition=models.Q(status="pending"),
                name="ticket_waiting_order",
            ),
            # For lists of all statuses: a search scans it from the newest ticket.
            models.Index(fields=["company", "-updated_at", "-id"], name="ticket_by_update"),
            models.Index(fields=["contact", "connection", "-id"], name="ticket_by_contact"),
            # For the board: the newest live tickets, open and pending together.
            models.Index(
                fields=["company", "-updated_at", "-id"],
                condition=models.Q(status__in=["open", "pending"]),
                name="ticket_live_by_update",
            ),
            # For the list of what is put aside.
            models.Index(
                fields=["company", "-updated_at", "-id"],
                condition=models.Q(snoozed_at__isnull=False),
                name="ticket_snoozed",
            ),
            # For the list by the nearest deadline. Companies without deadlines have nothing in it.
            # With the status, for PostgreSQL does not know that only live tickets have deadlines.
            models.Index(
                fields=["company", "status", "sla_due_at", "id"],
                condition=models.Q(sla_due_at__isnull=False),
                name="ticket_by_deadline",
            ),
            # For those whose 24-hour window closes soon, of all companies. Without its second
            # condition PostgreSQL would use it for other live tickets.
            models.Index(
                fields=["last_inbound_at"],
                condition=models.Q(status__in=["open", "pending"], last_inbound_at__isnull=False),
                name="ticket_live_by_inbound",
            ),
            # For the timers: live tickets of all companies.
            models.Index(
                fields=["connection", "updated_at"],
                condition=models.Q(status__in=["open", "pending"]),
                name="ticket_live_by_line",
            ),
        ]

    def __str__(self) -> str:
        return f"ticket {self.pk}"

    @property
    def protocol(self) -> str:
        """Return the protocol number: the opening day and the id. It never changes."""
        return protocol_of(self.created_at, self.pk)


def protocol_of(created_at: datetime, ticket_id: int) -> str:
    return f"{created_at:%Y%m%d}{ticket_id:06d}"


class TicketTag(models.Model):
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE)
    tag = models.ForeignKey("contacts.Tag", on_delete=models.CASCADE)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["ticket", "tag"], name="tag_on_ticket_once")]

    def __str__(self) -> str:
        return f"tag {self.tag_id} on ticket {self.ticket_id}"


class TrackingCycle(models.Model):
    """One pass of a ticket from waiting to resolved (rules/tickets §11).

    `contact` is a copy of the ticket's contact, and `rate` a copy of its rating. `queue` and
    `first_answer_at` are set when the cycle finishes. The dashboard therefore reads many cycles
    without joins to tickets, messages or ratings.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="cycles")
    # `cycle_of_contact` begins with this column, so it needs no index of its own.
    contact = models.ForeignKey(
        "contacts.Contact", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    queue = models.ForeignKey(
        "queues.Queue", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    connection = models.ForeignKey(
        "connections.Connection", null=True, on_delete=models.SET_NULL, related_name="+"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # When it began; `queued_at` moves with each return. Cycles of before the column have none.
    opened_at = models.DateTimeField(null=True, blank=True)
    queued_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    # When a person first wrote to the contact in this cycle.
    first_answer_at = models.DateTimeField(null=True, blank=True)
    # When the contact was asked to rate. An answer counts for a day (rules/tickets §12).
    rating_asked_at = models.DateTimeField(null=True, blank=True)
    rated_at = models.DateTimeField(null=True, blank=True)
    rate = models.PositiveSmallIntegerField(null=True, blank=True)
    # Of the company's list, in the words of that day (rules/tickets §19).
    closing_reason = models.CharField(max_length=60, default="", blank=True, db_default="")
    support_microseconds = elapsed("finished_at", "started_at")
    wait_microseconds = elapsed("started_at", "queued_at")
    answer_microseconds = elapsed("first_answer_at", "queued_at")
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["ticket"],
                condition=models.Q(finished_at__isnull=True),
                name="one_unfinished_cycle_per_ticket",
            )
        ]
        indexes = [
            models.Index(fields=["company", "queued_at"], name="cycle_by_company"),
            # For the report of a person or of a queue, the newest first.
            models.Index(fields=["company", "user", "-queued_at", "-id"], name="cycle_by_user"),
            models.Index(fields=["company", "queue", "-queued_at", "-id"], name="cycle_by_queue"),
            # For the rated ones: most contacts do not answer.
            models.Index(
                fields=["company", "-queued_at", "-id"],
                condition=models.Q(rate__isnull=False),
                name="cycle_rated",
            ),
            # For a contact's first cycle. With the company in it, the index alone answers the
            # query.
            models.Index(fields=["contact", "queued_at", "company"], name="cycle_of_contact"),
            # For the dashboard, which counts them for the queue that their ticket has now, and for
            # the contact who has waited longest.
            models.Index(
                fields=["company", "queued_at"],
                condition=models.Q(finished_at__isnull=True),
                name="cycle_unfinished",
            ),
        ]

    def __str__(self) -> str:
        return f"cycle {self.pk} of ticket {self.ticket_id}"


class Rating(models.Model):
    """A contact's rating of one cycle: 1 unsatisfied, 2 satisfied, 3 very satisfied."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    cycle = models.OneToOneField(TrackingCycle, on_delete=models.CASCADE, related_name="rating")
    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="ratings")
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="ratings"
    )
    rate = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(rate__range=(1, 3)), name="rate_is_1_to_3")
        ]
        indexes = [models.Index(fields=["company", "created_at"], name="rating_by_company")]

    def __str__(self) -> str:
        return f"{self.rate} for cycle {self.cycle_id}"


class TicketActivityKind(models.TextChoices):
    """Events of a ticket that the conversation shows."""

    ACCEPTED = "accepted"
    RETURNED = "returned"
    RESOLVED = "resolved"
    REOPENED = "reopened"
    TRANSFERRED = "transferred"
    # By the bot: it led the ticket to a queue, or ended and left the ticket to a person.
    QUEUED = "queued"
    BOT_ENDED = "bot_ended"
    RATED = "rated"
    # Closed because the contact did not answer.
    EXPIRED = "expired"
    # The contact's number changed.
    RENUMBERED = "renumbered"
    # Another responder of the number passed the conversation to us, or took it.
    CONTROL_PASSED = "control_passed"
    CONTROL_TAKEN = "control_taken"
    # A person took the conversation, or gave it back (rules/tickets §14).
    TOOK_CONTROL = "took_control"
    GAVE_CONTROL = "gave_control"
    # A note in the conversation, for the team alone (rules/tickets §16).
    NOTED = "noted"
    PRIORITIZED = "prioritized"
    SNOOZED = "snoozed"
    WOKEN = "woken"


class TicketActivity(models.Model):
    """An entry in a ticket's activity; `detail` keeps names as they were."""

    ticket = models.ForeignKey(Ticket, on_delete=models.CASCADE, related_name="activities")
    kind = models.CharField(max_length=20, choices=TicketActivityKind.choices)
    actor = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["ticket", "created_at"], name="event_by_ticket"),
            # For what a person did on a day.
            models.Index(
                fields=["actor", "created_at"],
                condition=models.Q(actor__isnull=False),
                name="event_by_actor",
            ),
            # For what a company no longer keeps.
            models.Index(
                fields=["created_at"],
                condition=models.Q(detail__has_key="note"),
                name="event_note_by_age",
            ),
        ]

    def __str__(self) -> str:
        return f"ticket {self.ticket_id} {self.kind}"
