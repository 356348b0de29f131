"""Embedded signups, and requests for the data of phones."""

from django.db import models
from django.utils import timezone

from apps.common.encryption import EncryptedTextField
from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet
from apps.connections.models.connections import Connection


class PhoneSyncKind(models.TextChoices):
    """The data that a phone which stays in use may be asked for, once each."""

    CONTACTS = "contacts"
    HISTORY = "history"


class PhoneSyncOutcome(models.TextChoices):
    """The progress; `unclear` if it is unknown whether Meta received the request."""

    WAITING = "waiting"
    UNCLEAR = "unclear"
    ASKED = "asked"
    RUNNING = "running"
    FINISHED = "finished"
    DECLINED = "declined"
    FAILED = "failed"
    EXPIRED = "expired"


class PhoneSync(LeasedRow):
    """A request for the data of a number's phone after signup, and its progress.

    The lease is for sending the request. `phase` and `progress` (0 to 100) are Meta's;
    `received_count` counts new rows.
    """

    wakes = "connections.ask_phones"

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="phone_syncs")
    kind = models.CharField(max_length=10, choices=PhoneSyncKind.choices)
    outcome = models.CharField(
        max_length=10, choices=PhoneSyncOutcome.choices, default=PhoneSyncOutcome.WAITING
    )
    request_id = models.CharField(max_length=200, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    phase = models.PositiveSmallIntegerField(null=True, blank=True)
    progress = models.PositiveSmallIntegerField(default=0)
    received_count = models.PositiveIntegerField(default=0)
    # When the last event was sent, and when data last arrived.
    told_at = models.DateTimeField(null=True, blank=True)
    received_at = models.DateTimeField(null=True, blank=True)
    # Why it failed, and the code of that for other languages.
    reason = models.CharField(max_length=500, blank=True)
    reason_code = models.CharField(max_length=50, blank=True)
    reason_detail = models.CharField(max_length=300, blank=True)

    objects = LeasedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["connection", "kind"], name="one_phone_sync_per_kind")
        ]
        indexes = [models.Index(fields=["id"], condition=UNFINISHED, name="phone_sync_due")]

    def __str__(self) -> str:
        return f"{self.kind} of connection {self.connection_id}"


class SignupStep(models.TextChoices):
    """The steps of an embedded signup, in their order."""

    CODE = "code"
    NUMBER = "number"
    SUBSCRIPTION = "subscription"
    REGISTRATION = "registration"


class Signup(models.Model):
    """A code of Meta's embedded signup and the token that it was exchanged for, kept for a day.

    A code works once: a retry continues from here. `pin` was generated for a number without one.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="+")
    code_hash = models.CharField(max_length=64)
    access_token = EncryptedTextField(blank=True)
    pin = EncryptedTextField(blank=True)
    connection = models.ForeignKey(
        Connection, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # A call is working on it until then.
    busy_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["company", "code_hash"], name="one_signup_per_code")
        ]
        indexes = [models.Index(fields=["created_at"], name="signup_by_age")]

    def __str__(self) -> str:
        return f"signup {self.pk} of company {self.company_id}"
