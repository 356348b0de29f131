"""Reads of the e-mails that people wrote."""

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.mail.models import Mail

if TYPE_CHECKING:
    from django.contrib.auth.models import _User as User


def emails_of(user: "User") -> "QuerySet[Mail]":
    """Return what the user may see, the newest first."""
    return Mail.objects.visible_to(user).order_by("-id")
