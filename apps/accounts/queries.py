from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django_filters import CharFilter, FilterSet

from apps.accounts.models import Authenticator, RecoveryCode, ServiceToken, User
from apps.common.filters import sifted


def users_of(company_id: int) -> "QuerySet[User]":
    """Return a company's users by name, with the relations that their wire row needs."""
    users: QuerySet[User] = (
        User.objects.for_company(company_id)
        .select_related("company__plan")
        .prefetch_related("queues", "company__settings")
        .order_by("name", "id")
    )
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


def authenticator_of(user: User) -> Authenticator | None:
    """Return the account's confirmed authenticator, or None."""
    return Authenticator.objects.filter(user=user, confirmed_at__isnull=False).first()


def two_factor_of(user: User) -> Standing:
    row = authenticator_of(user)
    count = RecoveryCode.objects.filter(user=user).count() if row else 0
    return Standing(row.confirmed_at if row else None, count)


class UserFilters(FilterSet):
    """Filters the list of users by a part of the name or e-mail."""

    searchParam = CharFilter(method="search")

    def search(self, users: "QuerySet[User]", name: str, text: str) -> "QuerySet[User]":
        """Keep the users whose name or e-mail contains the text."""
        return sifted(users, text, "name", "email")
