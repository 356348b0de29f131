"""QR sessions: their owners and their stored state."""

from django.db import models

from apps.common.encryption import EncryptedTextField
from apps.connections.models.connections import Connection


class GatewayProcess(models.Model):
    """A gateway that runs QR sessions; it counts only if it was seen recently."""

    name = models.CharField(max_length=100, primary_key=True)
    address = models.CharField(max_length=200)
    room = models.PositiveIntegerField(default=0)
    seen_at = models.DateTimeField()
    # The number of its last lease call; an earlier call that arrives late is outdated.
    calls = models.PositiveBigIntegerField(default=0)
    # Its last sign of life, one a second while it owns sessions; null: it gives none.
    beaten_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["seen_at"], name="gateway_by_sight")]

    def __str__(self) -> str:
        return self.name


class SessionWish(models.TextChoices):
    """The wanted state of a QR session."""

    RUN = "run"
    STOP = "stop"
    LOGOUT = "logout"


class QrSession(models.Model):
    """The session of a QR connection: its wanted state, its owner and its credentials.

    Its id is the connection's id; the connection may be deleted before the phone is logged out.
    Every new owner gets the next `epoch`; writes of an older epoch are refused.
    """

    id = models.BigIntegerField(primary_key=True)
    connection = models.OneToOneField(
        Connection, null=True, on_delete=models.SET_NULL, related_name="qr_session"
    )
    wanted = models.CharField(max_length=10, choices=SessionWish.choices, default=SessionWish.STOP)
    gateway = models.CharField(max_length=100, blank=True)
    address = models.CharField(max_length=200, blank=True)
    epoch = models.PositiveBigIntegerField(default=0)
    expires_at = models.DateTimeField(null=True, blank=True)
    credentials = EncryptedTextField(blank=True)
    # The number of the owner's last write; an earlier write that arrives late is dropped.
    writes = models.PositiveBigIntegerField(default=0, db_default=0)
    # The phone number to pair by code; empty for pairing by QR code.
    link_number = models.CharField(max_length=30, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["gateway"], name="session_by_gateway"),
            models.Index(fields=["wanted", "expires_at"], name="session_by_lease"),
        ]

    def __str__(self) -> str:
        return f"session {self.pk}"


class QrFarewell(models.Model):
    """A linked device of an ended session that its phone still lists; the next gateway logs it out.

    The connection may have a new session since.
    """

    credentials = EncryptedTextField()
    created_at = models.DateTimeField(auto_now_add=True)
    # The time until which one gateway may try it; null: no gateway has it.
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)

    def __str__(self) -> str:
        return f"farewell {self.pk}"


class QrSessionKey(models.Model):
    """A signal key of a QR session, in the gateway's form."""

    session = models.ForeignKey(QrSession, on_delete=models.CASCADE, related_name="keys")
    type = models.CharField(max_length=50)
    name = models.CharField(max_length=200)
    value = EncryptedTextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "type", "name"], name="one_session_key_per_name"
            )
        ]

    def __str__(self) -> str:
        return f"{self.type} of session {self.session_id}"


class QrAddress(models.Model):
    """An entry of a phone's address book, reported by its QR session."""

    session = models.ForeignKey(QrSession, on_delete=models.CASCADE, related_name="addresses")
    # The number, else the LID with its suffix.
    key = models.CharField(max_length=100)
    number = models.CharField(max_length=30, blank=True)
    lid = models.CharField(max_length=100, blank=True)
    name = models.CharField(max_length=200, blank=True)
    is_saved = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "QR addresses"
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], name="one_qr_address_per_key")
        ]

    def __str__(self) -> str:
        return self.key
