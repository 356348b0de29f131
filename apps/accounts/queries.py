"""Reads of users."""

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.common.search import fold


def users_of(company_id: int) -> "QuerySet[User]":
    """Return a company's users by name, with what their wire row shows."""
    users: QuerySet[User] = (
        User.objects.for_company(company_id)
        .select_related("company__plan")
        .prefetch_related("queues")
        .order_by("name", "id")
    )
    return users


def search_users(company_id: int, text: str) -> "QuerySet[User]":
    """Return a company's users whose name or e-mail contains the text, accents and case ignored.

    A company has hundreds of users at most: they are sifted here, in one query.
    """
    text = fold(text)
    users = users_of(company_id)
    if not text:
        return users
    people = User.objects.for_company(company_id).values_list("pk", "name", "email")
    return users.filter(pk__in=[pk for pk, *words in people if text in fold(" ".join(words))])
