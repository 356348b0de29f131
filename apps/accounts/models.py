from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from apps.common.encryption import EncryptedTextField
from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel


class Profile(models.TextChoices):
    """A user's role in their company (rules/accounts §2)."""

    ADMIN = "admin", "Administrador"
    USER = "user", "Atendente"


class Scope(models.TextChoices):
    """What a service token serves (rules/accounts §12); `config.access.SCOPES` names the calls."""

    READ = "read"
    TICKETS = "tickets"
    MESSAGES = "messages"
    CONTACTS = "contacts"
    CAMPAIGNS = "campaigns"
    WEBHOOKS = "webhooks"
    EVENTS = "events"


class UserManager(BaseUserManager["User"].from_queryset(TenantQuerySet["User"])):  # type: ignore[misc]
    """Users, looked up by e-mail without regard to case."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the user with this e-mail; raises User.DoesNotExist."""
        user: User = self.get(email__iexact=username or "")
        return user


class User(AbstractBaseUser, TimestampedModel):
    """A person who signs in. `is_super` marks the operator of the service."""

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="users")
    name = models.CharField(max_length=50)
    email = models.EmailField(unique=True)
    profile = models.CharField(max_length=5, choices=Profile.choices, default=Profile.USER)
    is_super = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    token_version = models.PositiveIntegerField(default=0)
    online_until = models.DateTimeField(null=True, blank=True)
    # The user's preference: after resolving a ticket, open the next conversation instead of the
    # list.
    opens_next = models.BooleanField(default=True, db_default=True)
    connection = models.ForeignKey(
        "connections.Connection", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    queues = models.ManyToManyField(
        "queues.Queue", through="UserQueue", related_name="users", blank=True
    )

    # Not stored; set for a socket's user. True: the socket receives payment events only.
    only_pays = False
    # Not stored; set for a program that calls with a service token. Such a caller has the id 0.
    service_token: "ServiceToken | None" = None
    # Not stored; the only events that a program's socket receives, by their declared names.
    # None: all.
    hears: "frozenset[str] | None" = None

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
        """Tell whether the user administers their company."""
        return self.profile == Profile.ADMIN

    @property
    def person(self) -> "User | None":
        """Return the user that rows name as their author; None for a program, which has no
        account.
        """
        return None if self.service_token is not None else self

    @property
    def token_id(self) -> int | None:
        return self.service_token.pk if self.service_token is not None else None

    @property
    def ends_at(self) -> datetime | None:
        """Return when a program's service token ends."""
        return self.service_token.expires_at if self.service_token is not None else None

    @property
    def is_staff(self) -> bool:
        """Only the super user may enter the Django admin."""
        return self.is_super

    def has_perm(self, perm: str, obj: object = None) -> bool:
        """The super user has every permission of the Django admin."""
        return self.is_super

    def has_module_perms(self, app_label: str) -> bool:
        """The super user sees every section of the Django admin."""
        return self.is_super


class UserQueue(models.Model):
    """A user's membership in a queue."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    queue = models.ForeignKey("queues.Queue", on_delete=models.CASCADE)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "queue"], name="user_in_queue_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} in queue {self.queue_id}"


class ServiceToken(TimestampedModel):
    """A company's token for programs (rules/accounts §12). Only its hash is stored."""

    company = models.ForeignKey(
        "companies.Company", on_delete=models.CASCADE, related_name="service_tokens"
    )
    name = models.CharField(max_length=50)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    # Who created it. The token belongs to the company and stays valid without this user.
    user = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[Any] = TenantQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["company", "name", "id"], name="service_token_by_name")]

    def __str__(self) -> str:
        return self.name


class RefreshSession(models.Model):
    """One browser's rotating refresh token (rules/accounts §5).

    Only hashes are stored. The previous token stays valid for a minute after the rotation, so that
    parallel refreshes of one browser all succeed.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="refresh_sessions")
    current_hash = models.CharField(max_length=64, unique=True)
    previous_hash = models.CharField(max_length=64, blank=True, db_index=True)
    rotated_at = models.DateTimeField()
    token_version = models.PositiveIntegerField()
    # The account has signed in elsewhere since. The row only explains the refusal.
    is_taken_over = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"refresh session {self.pk} of user {self.user_id}"


class Authenticator(models.Model):
    """The application that generates a user's second factor (rules/accounts §10; RFC 6238).

    Without `confirmed_at` the user has not entered a first code yet, and sign-ins ask for none.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="authenticator")
    secret = EncryptedTextField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # The interval of the last accepted code, so that no code is accepted twice.
    last_interval = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"authenticator of user {self.user_id}"


class RecoveryCode(models.Model):
    """A code that replaces the authenticator for one sign-in; only its hash is stored."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="recovery_codes")
    code_hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "code_hash"], name="one_row_per_recovery_code")
        ]

    def __str__(self) -> str:
        return f"recovery code {self.pk} of user {self.user_id}"


class PasswordReset(LeasedRow):
    """A request to reset the password at an e-mail address, whether or not an account has it.

    There is one row per address (rules/accounts §11); a new request replaces the code. Only the
    code's hash is stored.
    """

    wakes: ClassVar[str] = "accounts.send_reset_codes"

    email = models.EmailField(unique=True)
    language = models.CharField(max_length=10, blank=True)
    asked_at = models.DateTimeField()
    # Empty until the worker has generated the code and queued its e-mail.
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
