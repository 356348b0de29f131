from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from apps.accounts.models import (
    SUPERVISOR,
    Authenticator,
    Profile,
    RecoveryCode,
    Role,
    ServiceToken,
    User,
    UserQueue,
    key_of_role,
)
from apps.accounts.permissions import ALL, OF_SUPERVISORS, OF_USERS, Permission
from apps.common.compiled_queries import CompiledQuery, stored
from apps.common.search import fold, sought


def users_by_name(company_id: int) -> "QuerySet[User]":
    users: QuerySet[User] = User.objects.for_company(company_id).order_by("name", "id")
    return users


# What is read of each user of a list, and of each queue of a user.
USER_COLUMNS = (
    *("id", "name", "email", "profile", "is_super", "company_id", "connection_id"),
    *("is_supervisor", "role_id", "role__name", "role__permissions"),
    *("online_until", "created_at", "updated_at"),
)
USER_QUEUE_COLUMNS = ("queue_id", "queue__name", "queue__color")


def listed_users(company_id: int, text: str = "") -> list[tuple[Any, ...]]:
    """Return USER_COLUMNS of a company's users by name, with a text of those whose name or e-mail
    has it, accents and case ignored.

    All are read, since a company has a few hundred users at most.
    """
    users = _EVERY_USER.rows(company_id=company_id)
    if term := sought(text):
        return [row for row in users if term in fold(f"{row[1]} {row[2]}")]
    return users


def queues_by_user(user_ids: Iterable[int]) -> dict[int, list[tuple[Any, ...]]]:
    """Return USER_QUEUE_COLUMNS of the users' queues in the queues' order, by user."""
    found: defaultdict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for user_id, *values in _QUEUES_OF_USERS.rows(ids=list(user_ids)):
        found[user_id].append(tuple(values))
    return found


_EVERY_USER = CompiledQuery(
    lambda *, company_id: users_by_name(company_id).values_list(*USER_COLUMNS)
)
_QUEUES_OF_USERS = CompiledQuery(
    lambda *, ids: (
        UserQueue.objects.filter(user__among=ids)
        .order_by("queue")
        .values_list("user_id", *USER_QUEUE_COLUMNS)
    )
)


# The roles that every company has, in their order on the screen. They can't be changed.
FIXED_ROLES: dict[str, frozenset[Permission]] = {
    Profile.USER: OF_USERS,
    SUPERVISOR: OF_SUPERVISORS,
    Profile.ADMIN: ALL,
}


# The columns of a user with a fixed role.
_COLUMNS_OF: dict[str, dict[str, Any]] = {
    Profile.USER: {"profile": Profile.USER, "is_supervisor": False, "role": None},
    SUPERVISOR: {"profile": Profile.USER, "is_supervisor": True},
    Profile.ADMIN: {"profile": Profile.ADMIN},
}


@dataclass(frozen=True)
class RoleRow:
    """A role and how many users have it. A fixed one has neither id nor name."""

    id: int | None
    key: str
    name: str
    permissions: list[str]
    users: int


def role_row(role: Role) -> RoleRow:
    users = User.objects.filter(role=role).count()
    return RoleRow(role.pk, str(role.pk), role.name, sorted(role.granted), users)


def roles_of(company_id: int) -> list[RoleRow]:
    """Return the fixed roles and then the company's own by name, in two queries."""
    people = User.objects.for_company(company_id)
    counts: Counter[str] = Counter()
    for profile, is_supervisor, role_id, count in (
        people.order_by()
        .values_list("profile", "is_supervisor", "role_id")
        .annotate(count=Count("pk"))
    ):
        counts[key_of_role(profile, is_supervisor, role_id)] += count
    fixed = [
        RoleRow(None, str(key), "", sorted(granted), counts[key])
        for key, granted in FIXED_ROLES.items()
    ]
    own = Role.objects.for_company(company_id).order_by("name", "id")
    return fixed + [
        RoleRow(each.pk, str(each.pk), each.name, sorted(each.granted), counts[str(each.pk)])
        for each in own
    ]


def users_who_may(company_id: int, permission: Permission) -> "QuerySet[User]":
    """Return the active users of a company whose role grants a permission."""
    own = Role.objects.for_company(company_id)
    holds = Q(role__in=[each.pk for each in own if permission in each.granted])
    for key, granted in FIXED_ROLES.items():
        if permission in granted:
            holds |= Q(**_COLUMNS_OF[key])
    users: QuerySet[User] = User.objects.for_company(company_id).filter(holds, is_active=True)
    return users


def service_tokens_of(company_id: int) -> "QuerySet[ServiceToken]":
    """Return a company's service tokens by name, with their creators."""
    tokens: QuerySet[ServiceToken] = ServiceToken.objects.for_company(company_id)
    return tokens.select_related("user").order_by("name", "id")


@dataclass(frozen=True)
class Standing:
    """The state of an account's second factor: its start (None: inactive) and unused recovery
    codes.
    """

    active_since: datetime | None
    recovery_codes: int


_AUTHENTICATORS = CompiledQuery(
    lambda *, user_id: Authenticator.objects.filter(
        user=user_id, confirmed_at__isnull=False
    ).values_list("pk")
)


def authenticator_of(user: User) -> Authenticator | None:
    """Return the account's confirmed authenticator, or None."""
    ids = [pk for (pk,) in _AUTHENTICATORS.rows(user_id=user.pk)]
    return next(iter(stored(Authenticator, ids).values()), None)


def two_factor_of(user: User) -> Standing:
    row = authenticator_of(user)
    count = RecoveryCode.objects.filter(user=user).count() if row else 0
    return Standing(row.confirmed_at if row else None, count)
