"""Moments at which the desk has something to do."""

from typing import ClassVar

from django.db import models

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class TickKind(models.TextChoices):
    """What is due.

    `give`: something in the queue, or among its people, has changed. `give_later`: time alone may
    give somebody what waits in the queue. `return`: the contact of a held ticket waits too long.
    `release`: a held ticket waits for its contact, and weighs nothing from now on. `seen`: the
    person's browser may be closed for too long. `pause`: a pause ends. `leave`: the tickets of
    somebody who has left return. `sync`: the company has switched the distribution on or off.
    `queue_sync`: other rules hold in the queue. `sla`: a deadline of the ticket, or a step on its
    way. `sla_sync`: other times hold in the company. `sla_hours`: other hours do.
    """

    GIVE = "give"
    GIVE_LATER = "give_later"
    RETURN = "return"
    RELEASE = "release"
    SEEN = "seen"
    PAUSE = "pause"
    LEAVE = "leave"
    SYNC = "sync"
    QUEUE_SYNC = "queue_sync"
    SLA = "sla"
    SLA_SYNC = "sla_sync"
    SLA_HOURS = "sla_hours"


# Those of the distribution, besides `sync`.
OF_DISTRIBUTION = (
    *(TickKind.GIVE, TickKind.GIVE_LATER, TickKind.RETURN, TickKind.RELEASE),
    *(TickKind.SEEN, TickKind.PAUSE, TickKind.LEAVE, TickKind.QUEUE_SYNC),
)


class Tick(LeasedRow):
    """Something due at a moment; the transaction that does it deletes the row.

    `key` keeps one row of each kind and subject; `give` has none, because what happens at once
    must not wait for another transaction. `payload` is where the work goes on: `after` the id of a
    ticket, or `beyond` a place in the queue.
    """

    wakes: ClassVar[str] = "desk.run"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=TickKind.choices)
    key = models.CharField(max_length=40, null=True, unique=True)
    queue = models.ForeignKey("queues.Queue", null=True, on_delete=models.CASCADE, related_name="+")
    ticket = models.ForeignKey(
        "tickets.Ticket", null=True, on_delete=models.CASCADE, related_name="+"
    )
    user = models.ForeignKey("accounts.User", null=True, on_delete=models.CASCADE, related_name="+")
    payload = models.JSONField(null=True)

    objects: ClassVar[LeasedQuerySet["Tick"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(fields=["next_attempt_at", "id"], condition=UNFINISHED, name="tick_due")
        ]

    def __str__(self) -> str:
        return f"{self.kind} due at {self.next_attempt_at}"


class RuleTickKind(models.TextChoices):
    """What is due for rules.

    `event`: something happened to the ticket for which there are rules (`payload`). `time`: the
    nearest moment of the ticket for which there is one. `sync`: other rules hold in the company.
    `day`: invoices are overdue since midnight.
    """

    EVENT = "event"
    TIME = "time"
    SYNC = "sync"
    DAY = "day"


class RuleTick(LeasedRow):
    """Something due for rules, as a `Tick`; another worker does it, which may ask Meta.

    `key` keeps one row of each kind and subject; `event` has none. `payload` is what has happened,
    the last `day`, or `after` which ticket a `sync` goes on.
    """

    wakes: ClassVar[str] = "desk.rules"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=RuleTickKind.choices)
    key = models.CharField(max_length=40, null=True, unique=True)
    ticket = models.ForeignKey(
        "tickets.Ticket", null=True, on_delete=models.CASCADE, related_name="+"
    )
    payload = models.JSONField(null=True)

    objects: ClassVar[LeasedQuerySet["RuleTick"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="rule_tick_due"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} due at {self.next_attempt_at}"
