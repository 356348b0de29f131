from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from apps.common.encryption import EncryptedTextField
from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel


class Profile(models.TextChoices):
    """What a user may do in the own company (rules/accounts §2)."""

    ADMIN = "admin", "Administrador"
    USER = "user", "Atendente"


class UserManager(BaseUserManager["User"].from_queryset(TenantQuerySet["User"])):  # type: ignore[misc]
    """Users, found by e-mail whatever its case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the user with this e-mail; raises User.DoesNotExist."""
        user: User = self.get(email__iexact=username or "")
        return user


class User(AbstractBaseUser, TimestampedModel):
    """Someone who signs in. `is_super` marks the one who runs the service."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="users")
    name = models.CharField(max_length=50)
    email = models.EmailField(unique=True)
    profile = models.CharField(max_length=5, choices=Profile.choices, default=Profile.USER)
    is_super = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    token_version = models.PositiveIntegerField(default=0)
    online_until = models.DateTimeField(null=True, blank=True)
    # What the user chose: resolving opens the next conversation, not the list.
    opens_next = models.BooleanField(default=True, db_default=True)
    connection = models.ForeignKey(
        "connections.Connection", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    queues = models.ManyToManyField(
        "queues.Queue", through="UserQueue", related_name="users", blank=True
    )

    # Of the socket that this one is behind, and not stored: it hears of payments alone.
    only_pays = False

    objects: ClassVar[Any] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="one_account_per_email"),
            models.UniqueConstraint(
                fields=["is_super"], condition=models.Q(is_super=True), name="one_super_user"
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def is_admin(self) -> bool:
        """Tell whether the user administers the own company."""
        return self.profile == Profile.ADMIN

    @property
    def is_staff(self) -> bool:
        """Let the super user, and no one else, into the Django admin."""
        return self.is_super

    def has_perm(self, perm: str, obj: object = None) -> bool:
        """Give the super user every permission of the Django admin."""
        return self.is_super

    def has_module_perms(self, app_label: str) -> bool:
        """Show the super user every section of the Django admin."""
        return self.is_super


class UserQueue(models.Model):
    """A user works in a queue."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    queue = models.ForeignKey("queues.Queue", on_delete=models.CASCADE)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "queue"], name="user_in_queue_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} in queue {self.queue_id}"


class RefreshSession(models.Model):
    """One browser's rotating refresh token (rules/accounts §5).

    Only hashes are kept. The token before the current one stays good for a minute after the
    rotation, so that parallel refreshes of one browser all succeed.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="refresh_sessions")
    current_hash = models.CharField(max_length=64, unique=True)
    previous_hash = models.CharField(max_length=64, blank=True, db_index=True)
    rotated_at = models.DateTimeField()
    token_version = models.PositiveIntegerField()
    # The account has signed in elsewhere since: good for nothing but to say so.
    is_taken_over = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"refresh session {self.pk} of user {self.user_id}"


class Authenticator(models.Model):
    """The application that makes a user's second factor (rules/accounts §10; RFC 6238).

    Without `confirmed_at` its code has not been shown yet, and nothing asks for one.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="authenticator")
    secret = EncryptedTextField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # The interval of the code that was good last: none is good twice.
    last_interval = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"authenticator of user {self.user_id}"


class RecoveryCode(models.Model):
    """What lets a user in once without the authenticator; only its hash is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    code_hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "code_hash"], name="one_row_per_recovery_code")
        ]

    def __str__(self) -> str:
        return f"recovery code {self.pk} of user {self.user_id}"


class PasswordReset(LeasedRow):
    """Somebody asked for a new password at an address, whether or not an account has it.

    One row an address (rules/accounts §11): asking anew replaces the code. Only its hash is kept.
    """

    wakes: ClassVar[str] = "accounts.send_reset_codes"

    email = models.EmailField(unique=True)
    language = models.CharField(max_length=10, blank=True)
    asked_at = models.DateTimeField()
    # Empty until the code is drawn, and its mail written.
    code_hash = models.CharField(max_length=64, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    expires_at = models.DateTimeField(null=True)

    objects: ClassVar[LeasedQuerySet["PasswordReset"]] = LeasedQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        indexes = [
            models.Index(
                fields=["next_attempt_at", "id"], condition=UNFINISHED, name="password_reset_due"
            )
        ]

    def __str__(self) -> str:
        return f"password reset {self.pk}"
