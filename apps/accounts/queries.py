"""Reads of users."""

from django.db.models import QuerySet
from django_filters import CharFilter, FilterSet

from apps.accounts.models import User
from apps.common.filters import sifted


def users_of(company_id: int) -> "QuerySet[User]":
    """Return a company's users by name, with what their wire row shows."""
    users: QuerySet[User] = (
        User.objects.for_company(company_id)
        .select_related("company__plan")
        .prefetch_related("queues")
        .order_by("name", "id")
    )
    return users


class UserFilters(FilterSet):
    """What narrows the list of users: a part of the name or e-mail."""

    searchParam = CharFilter(method="search")

    def search(self, users: "QuerySet[User]", name: str, text: str) -> "QuerySet[User]":
        """Keep those whose name or e-mail holds the text."""
        return sifted(users, text, "name", "email")
