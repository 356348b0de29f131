from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from apps.accounts.permissions import (
    ALL,
    OF_EVENTS,
    OF_SUPERVISORS,
    OF_USERS,
    Permission,
    known_permissions,
)
from apps.common.encryption import EncryptedTextField
from apps.common.leases import UNFINISHED, LeasedQuerySet, LeasedRow
from apps.common.models import TenantQuerySet, TimestampedModel


class Profile(models.TextChoices):
    """The role of a user as older browsers know it (rules/accounts §2)."""

    ADMIN = "admin", "Administrador"
    USER = "user", "Atendente"


SUPERVISOR = "supervisor"


def key_of_role(profile: str, is_supervisor: bool, role_id: int | None) -> str:
    """Return the key of a user's role from the stored values; `admin` hides the others."""
    if profile == Profile.ADMIN or not (is_supervisor or role_id):
        return str(profile)
    return SUPERVISOR if is_supervisor else str(role_id)


def granted_by(
    profile: str, is_super: bool, is_supervisor: bool, own: Iterable[str] | None
) -> frozenset[Permission]:
    """Return what a user's role grants, from the stored values; `own` are those of an own role."""
    if is_super or profile == Profile.ADMIN:
        return ALL
    if is_supervisor:
        return OF_SUPERVISORS
    return OF_USERS if own is None else known_permissions(own)


class Scope(models.TextChoices):
    """What a service token serves (rules/accounts §12); `config.access.SCOPES` names the calls."""

    READ = "read"
    TICKETS = "tickets"
    MESSAGES = "messages"
    CONTACTS = "contacts"
    CAMPAIGNS = "campaigns"
    WEBHOOKS = "webhooks"
    EVENTS = "events"


class Role(TimestampedModel):
    """A company's own role: a name for a set of permissions (rules/accounts §2).

    `user`, `admin` and `supervisor` have no row.
    """

    company = models.ForeignKey("companies.Company", on_delete=models.CASCADE, related_name="roles")
    name = models.CharField(max_length=50)
    # Values of `Permission`.
    permissions = models.JSONField(default=list)

    objects: ClassVar[Any] = TenantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint("company", Lower("name"), name="one_role_per_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def granted(self) -> frozenset[Permission]:
        return known_permissions(self.permissions)


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
    # Both are for a user of the profile `user` alone: the role that counts instead of it.
    is_supervisor = models.BooleanField(default=False, db_default=False)
    role = models.ForeignKey(
        Role, null=True, blank=True, on_delete=models.RESTRICT, related_name="users"
    )
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
        """Tell whether the user has the role `admin`; what a role allows is asked with `may`."""
        return self.profile == Profile.ADMIN

    @property
    def granted(self) -> frozenset[Permission]:
        """Return the permissions of the user's role; only a company's own role takes a query."""
        own = self.own_role.permissions if self.own_role else None
        return granted_by(self.profile, self.is_super, self.is_supervisor, own)

    def may(self, permission: Permission) -> bool:
        return permission in self.granted

    @property
    def own_role(self) -> Role | None:
        """Return the company's own role that counts for the user, or None."""
        return self.role if self.role_id is not None and not self.is_admin else None

    @property
    def role_key(self) -> str:
        """Return the role on the wire: `user`, `admin`, `supervisor`, or the id of an own one."""
        return key_of_role(self.profile, self.is_supervisor, self.role_id)

    @property
    def sees_full_numbers(self) -> bool:
        return self.may(Permission.FULL_NUMBER)

    @property
    def event_permissions(self) -> frozenset[Permission]:
        """Return what the role grants of the permissions that live events need."""
        return self.granted & OF_EVENTS

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
