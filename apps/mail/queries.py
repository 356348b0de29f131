"""Queries of the e-mails that users wrote."""

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.mail.models import Mail

if TYPE_CHECKING:
    from apps.common.callers import User


def emails_of(user: "User") -> "QuerySet[Mail]":
    """Return the e-mails that the user may see, newest first."""
    return Mail.objects.visible_to(user).order_by("-id")
