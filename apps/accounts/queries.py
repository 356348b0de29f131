"""Reads of users."""

from django.db.models import Q, QuerySet

from apps.accounts.models import User


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
    """Return a company's users whose name or e-mail contains the text."""
    text = text.strip()
    users = users_of(company_id)
    return users.filter(Q(name__icontains=text) | Q(email__icontains=text)) if text else users
