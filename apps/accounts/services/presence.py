"""Presence: `userStatus` messages keep a user online (rules/accounts §6)."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from apps.accounts import events
from apps.accounts.models import User
from apps.accounts.services.users import get_user

# Browsers send `userStatus` every five minutes; the sixth minute allows for a slow network.
ONLINE_FOR = timedelta(minutes=6)
# A browser's sockets may send the message at the same time; only the first one writes.
FRESH = timedelta(minutes=5, seconds=30)


def mark_online(*, user_id: int, company_id: int) -> None:
    """Keep a user online for six more minutes; emit an event when the user was offline before."""
    now = timezone.now()
    until = now + ONLINE_FOR
    user = User.objects.filter(pk=user_id, is_active=True)
    if user.filter(online_until__gt=now + FRESH).exists():
        return
    if user.filter(Q(online_until=None) | Q(online_until__lte=now)).update(online_until=until):
        events.user_changed(get_user(company_id=company_id, user_id=user_id), "update")
    else:
        user.update(online_until=until)
