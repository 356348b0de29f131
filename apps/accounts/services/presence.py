"""Who is online: a time that every sign of life moves on (specification 4 §11)."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from apps.accounts import events
from apps.accounts.models import User
from apps.accounts.queries import users_of

# Browsers give a sign of life every five minutes; the sixth forgives a slow network.
SIGN_OF_LIFE = timedelta(minutes=6)
# Several sockets of a tab speak at once; one write for them all.
FRESH = timedelta(minutes=5, seconds=30)


def note_sign_of_life(*, user_id: int, company_id: int) -> None:
    """Keep a user online for six more minutes; the company hears of one who just came."""
    now = timezone.now()
    until = now + SIGN_OF_LIFE
    user = User.objects.filter(pk=user_id, is_active=True)
    if user.filter(online_until__gt=now + FRESH).exists():
        return
    if user.filter(Q(online_until=None) | Q(online_until__lte=now)).update(online_until=until):
        events.user_changed(users_of(company_id).get(pk=user_id), "update")
    else:
        user.update(online_until=until)
