"""QR sessions: who holds them, and what they keep."""

from django.db import models

from apps.common.encryption import EncryptedTextField
from apps.connections.models.connections import Connection


class GatewayProcess(models.Model):
    """A gateway that holds QR sessions; one that was not seen for a while is none any more."""

    name = models.CharField(max_length=100, primary_key=True)
    address = models.CharField(max_length=200)
    room = models.PositiveIntegerField(default=0)
    seen_at = models.DateTimeField()
    # The number of its last lease call: an earlier one that comes late says what is no longer so.
    calls = models.PositiveBigIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["seen_at"], name="gateway_by_sight")]

    def __str__(self) -> str:
        return self.name


class SessionWish(models.TextChoices):
    """What is to become of a QR session."""

    RUN = "run"
    STOP = "stop"
    LOGOUT = "logout"


class QrSession(models.Model):
    """The session of a QR connection: what is wanted, who has it, and what it needs to go on.

    Its id is the connection's, which may be deleted before the phone was told. Every new owner gets
    the next `epoch`; what the owner of an older one writes is refused.
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
    # The number of the owner's last write of state: an earlier one that comes late writes none.
    writes = models.PositiveBigIntegerField(default=0, db_default=0)
    # Linked by a code that is typed into this phone, where it is not empty.
    link_number = models.CharField(max_length=30, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["gateway"], name="session_by_gateway"),
            models.Index(fields=["wanted", "expires_at"], name="session_by_lease"),
        ]

    def __str__(self) -> str:
        return f"session {self.pk}"


class QrFarewell(models.Model):
    """A device of ours that its phone still lists: the next gateway takes it off.

    Its session is over, and may have been linked anew since.
    """

    credentials = EncryptedTextField()
    created_at = models.DateTimeField(auto_now_add=True)
    # A gateway that was given it has until then; null: none was.
    due_at = models.DateTimeField(null=True, blank=True, db_index=True)

    def __str__(self) -> str:
        return f"farewell {self.pk}"


class QrSessionKey(models.Model):
    """A signal key of a QR session, as the gateway gave it."""

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
    """An entry of a phone's address book, as its QR session told it."""

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
