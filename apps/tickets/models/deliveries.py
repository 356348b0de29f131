"""The outbox: one row per thing that must reach the provider."""

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow


class DeliveryKind(models.TextChoices):
    """What is delivered for a message."""

    SEND = "send"
    REACT = "react"
    EDIT = "edit"
    DELETE = "delete"
    MARK_READ = "read"
    REJECT_CALL = "reject"


class DeliveryTurn(models.IntegerChoices):
    """Which conversation goes first where not all can go at once (rules/messages §3)."""

    PERSON = 0
    # To somebody who wrote to us in the last hours.
    ANSWER = 1
    REST = 2


class Delivery(LeasedRow):
    """Work for the sender: kept in order per connection and contact (rules/messages §3).

    What comes due after `leaves_until` asks whoever set that, and holds up nothing behind it.
    """

    wakes = "tickets.deliver"

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    connection = models.ForeignKey(
        "connections.Connection", on_delete=models.CASCADE, related_name="deliveries"
    )
    contact = models.ForeignKey("contacts.Contact", on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey(
        "tickets.Message", on_delete=models.CASCADE, related_name="deliveries"
    )
    kind = models.CharField(max_length=10, choices=DeliveryKind.choices, default=DeliveryKind.SEND)
    turn = models.PositiveSmallIntegerField(
        choices=DeliveryTurn.choices, default=DeliveryTurn.REST, db_default=DeliveryTurn.REST
    )
    payload = models.JSONField(default=dict)
    leaves_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(
                fields=["connection", "contact", "id"],
                condition=UNFINISHED,
                name="delivery_unfinished",
            ),
            models.Index(
                fields=["next_attempt_at", "id"],
                condition=UNFINISHED,
                name="delivery_due",
            ),
            # A claim walks it, and stops when it has enough.
            models.Index(fields=["turn", "id"], condition=UNFINISHED, name="delivery_by_turn"),
            models.Index(fields=["message"], name="delivery_by_message"),
        ]

    def __str__(self) -> str:
        return f"delivery {self.pk} {self.state}"


class MediaFetch(LeasedRow):
    """A received file to be fetched from the provider (rules/inbound §7)."""

    wakes = "tickets.fetch_media"

    message = models.OneToOneField(
        "tickets.Message", on_delete=models.CASCADE, related_name="fetch"
    )
    connection = models.ForeignKey(
        "connections.Connection", on_delete=models.CASCADE, related_name="+"
    )
    # The provider's id; of a QR session, sealed, where the file is and the key that opens it.
    media_id = models.TextField()
    is_voice = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "media fetches"
        indexes = [
            models.Index(
                fields=["id"],
                condition=UNFINISHED,
                name="fetch_due",
            )
        ]

    def __str__(self) -> str:
        return f"media of message {self.message_id} {self.state}"
