"""The outbox: one row for each operation at the provider, and for each file to fetch."""

from django.db import models
from django.utils import timezone

from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow, LeaseState
from apps.connections.models import ProviderKind
from apps.tickets.models.tickets import TicketOwner


class DeliveryKind(models.TextChoices):
    """The operation at the provider."""

    SEND = "send"
    REACT = "react"
    EDIT = "edit"
    DELETE = "delete"
    MARK_READ = "read"
    REJECT_CALL = "reject"


class DeliveryTurn(models.IntegerChoices):
    """Priority between conversations when not all can be sent at once (rules/messages §3)."""

    PERSON = 0
    # To a contact who wrote in the last hours.
    ANSWER = 1
    REST = 2


class DeliveryQuerySet(LeasedQuerySet["Delivery"]):
    def give_up_claims(self) -> int:
        """Free rows of a dead worker (rules/messages §3).

        A QR session sends a row under one id, so that a repetition is no second message: it waits
        for no report. A row that was claimed and did not leave may have ended the process, so its
        next attempts are counted before they begin.
        """
        repeatable = self.filter(connection__provider=ProviderKind.BETA)
        freed = repeatable.give_up_sends(timezone.now())
        claimed = self.filter(state=LeaseState.CLAIMED, attempts=0)
        return freed + claimed.release(attempts=1) + super().give_up_claims()


class Delivery(LeasedRow):
    """An operation for the sender, in order per connection and contact (rules/messages §3).

    A row that is due after `leaves_until` gets a new time from the `late_delivery` hook, and does
    not block later rows.
    """

    wakes = "tickets.deliver"
    # Who leads the conversation, as read with the claim.
    led_by = TicketOwner.US.value

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

    objects = DeliveryQuerySet.as_manager()

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
            # A claim scans this index in order and stops when it has enough rows.
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
    # The provider's media id. For a QR session it is sealed data: the file's location and its key.
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
