"""Messages scheduled for a time (rules/schedules §1)."""

from typing import Any, Self

from django.db import models
from django.db.models import Q

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.media_rows import MediaRow
from apps.common.models import TimestampedModel
from apps.common.search import fold


class ScheduleStatus(models.TextChoices):
    """The states on the wire: waiting, in the outbox, accepted by the provider, failed."""

    PENDING = "PENDENTE"
    QUEUED = "AGENDADA"
    SENT = "ENVIADA"
    ERROR = "ERRO"


UNSENT = (ScheduleStatus.PENDING, ScheduleStatus.QUEUED)


class ScheduleQuerySet(LeasedQuerySet["Schedule"]):
    def unsent(self) -> Self:
        """Keep the schedules that are not sent yet; the plan's limit counts these."""
        return self.filter(status__in=UNSENT)


class Schedule(MediaRow, LeasedRow, TimestampedModel):
    """A message to a contact at `send_at`; `status` is the wire's, `state` the worker's.

    `message` is the message in the conversation. It is created in the transaction that sets the
    status to AGENDADA, so the outbox gets it exactly once. From then on the file also belongs to
    the message (`is_media_shared`) and is not deleted with the schedule.
    """

    wakes = "schedules.send"
    also_due = "work.status = 'AGENDADA' AND work.message_id IS NULL"  # its message was deleted

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="scheduled_messages"
    )
    contact = models.ForeignKey(
        "contacts.Contact", on_delete=models.CASCADE, related_name="schedules"
    )
    user = models.ForeignKey(
        "accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The conversation in which it was planned.
    ticket = models.ForeignKey(
        "tickets.Ticket", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    connection = models.ForeignKey(
        "connections.Connection", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    message = models.OneToOneField(
        "tickets.Message",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="schedule",
    )
    body = models.TextField()
    search_text = models.TextField(blank=True, editable=False)
    send_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(
        max_length=10, choices=ScheduleStatus.choices, default=ScheduleStatus.PENDING
    )
    error_code = models.CharField(max_length=50, blank=True)
    error_reason = models.CharField(max_length=500, blank=True)
    # Code of `error_reason`, by which browsers translate it; old rows have none.
    reason_code = models.CharField(max_length=50, blank=True, default="", db_default="")
    reason_detail = models.CharField(max_length=300, blank=True, default="", db_default="")
    is_media_shared = models.BooleanField(default=False)

    objects = ScheduleQuerySet.as_manager()

    class Meta:
        ordering = ["send_at", "id"]
        indexes = [
            models.Index(fields=["company", "send_at", "id"], name="schedule_by_time"),
            models.Index(fields=["company", "status", "send_at", "id"], name="schedule_by_status"),
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="schedule_due"
            ),
            # Finds schedules in the outbox whose message was deleted.
            models.Index(
                fields=["message"], condition=Q(status="AGENDADA"), name="schedule_on_its_way"
            ),
        ]

    def __str__(self) -> str:
        return f"schedule {self.pk} {self.status}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the folded search text in step with the body."""
        self.search_text = fold(self.body)
        fields = kwargs.get("update_fields")
        if fields is not None:
            kwargs["update_fields"] = {*fields, "search_text", "updated_at"}
        super().save(*args, **kwargs)
