"""Texts that users have typed and not sent (rules/messages §10)."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.tickets.models import TicketDraft
from apps.tickets.queries.access import TicketNotFound, readable_ticket

MAX_DRAFTS = 100
MAX_AGE = timedelta(days=30)


def drafts_of(user: User) -> list[TicketDraft]:
    """Return the user's own drafts of the last 30 days, newest first."""
    since = timezone.now() - MAX_AGE
    own = TicketDraft.objects.for_company(user.company_id).filter(user=user)
    return list(own.filter(updated_at__gt=since).order_by("-updated_at", "-pk")[:MAX_DRAFTS])


def save_draft(*, user: User, ticket_id: int, text: str) -> None:
    """Keep what the user has typed in a conversation; an empty text deletes it.

    Deletes the user's drafts that are old or beyond a hundred. Raises TicketNotFound and
    TicketNotReadable.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    own = TicketDraft.objects.for_company(user.company_id).filter(user=user)
    if not text.strip():
        own.filter(ticket=ticket).delete()
        return
    now = timezone.now()
    try:
        with transaction.atomic():
            TicketDraft.objects.update_or_create(
                user=user,
                ticket=ticket,
                defaults={"company_id": user.company_id, "text": text, "updated_at": now},
            )
            beyond = own.order_by("-updated_at", "-pk").values_list("pk", flat=True)[MAX_DRAFTS:]
            own.filter(pk__in=list(beyond)).delete()
            own.filter(updated_at__lte=now - MAX_AGE).delete()
    except IntegrityError:
        # The ticket was deleted after it was read.
        raise TicketNotFound from None
