"""The outbox: one row per thing that must reach the provider."""

from django.db import models
from django.utils import timezone

from apps.common.models import TenantQuerySet


class DeliveryState(models.TextChoices):
    """Where an outbound row stands.

    `sending` is set, and committed, before the network call; when its lease ends without an
    outcome the row is `unknown` and waits for the provider's status before it is tried again.
    """

    WAITING = "waiting"
    CLAIMED = "claimed"
    SENDING = "sending"
    UNKNOWN = "unknown"
    DONE = "done"
    FAILED = "failed"


class DeliveryKind(models.TextChoices):
    """What is delivered for a message."""

    SEND = "send"
    REACT = "react"
    EDIT = "edit"
    DELETE = "delete"
    MARK_READ = "read"
    REJECT_CALL = "reject"


class Delivery(models.Model):
    """Work for the sender: kept in order per connection and contact (specification 4 §6.2)."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(
        "connections.Connection", on_delete=models.CASCADE, related_name="deliveries"
    )
    contact = models.ForeignKey("contacts.Contact", on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey(
        "tickets.Message", on_delete=models.CASCADE, related_name="deliveries"
    )
    kind = models.CharField(max_length=10, choices=DeliveryKind.choices, default=DeliveryKind.SEND)
    payload = models.JSONField(default=dict)
    state = models.CharField(
        max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING
    )
    attempts = models.PositiveIntegerField(default=0)
    next_attempt_at = models.DateTimeField(default=timezone.now)
    owner = models.CharField(max_length=60, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TenantQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(
                fields=["connection", "contact", "id"],
                condition=~models.Q(state__in=["done", "failed"]),
                name="delivery_unfinished",
            ),
            models.Index(
                fields=["next_attempt_at", "id"],
                condition=~models.Q(state__in=["done", "failed"]),
                name="delivery_due",
            ),
            models.Index(fields=["message"], name="delivery_by_message"),
        ]

    def __str__(self) -> str:
        return f"delivery {self.pk} {self.state}"


class FetchState(models.TextChoices):
    """Where the download of a received file stands."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    DONE = "done"
    FAILED = "failed"


class MediaFetch(models.Model):
    """A received file to be fetched from the provider (specification 4 §1.7)."""

    message = models.OneToOneField(
        "tickets.Message", on_delete=models.CASCADE, related_name="fetch"
    )
    connection = models.ForeignKey(
        "connections.Connection", on_delete=models.CASCADE, related_name="+"
    )
    media_id = models.CharField(max_length=500)
    is_voice = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=FetchState.choices, default=FetchState.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    next_attempt_at = models.DateTimeField(default=timezone.now)
    owner = models.CharField(max_length=60, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "media fetches"
        indexes = [
            models.Index(
                fields=["id"],
                condition=models.Q(state__in=["waiting", "claimed"]),
                name="fetch_due",
            )
        ]

    def __str__(self) -> str:
        return f"media of message {self.message_id} {self.state}"
