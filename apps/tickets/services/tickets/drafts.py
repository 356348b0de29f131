"""Texts that users have typed and not sent (rules/messages §10)."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.realtime.visits import is_viewed_beside
from apps.tickets import events
from apps.tickets.models import TicketDraft
from apps.tickets.queries.access import TicketNotFound, readable_ticket

MAX_DRAFTS = 100
MAX_AGE = timedelta(days=30)
# Whose text is older has left it.
WRITES_FOR = timedelta(minutes=10)
MAX_WRITERS = 20


def drafts_of(user: User) -> list[TicketDraft]:
    """Return the user's own drafts of the last 30 days, newest first."""
    since = timezone.now() - MAX_AGE
    own = TicketDraft.objects.for_company(user.company_id).filter(user=user)
    return list(own.filter(updated_at__gt=since).order_by("-updated_at", "-pk")[:MAX_DRAFTS])


def writers_in(user: User, ticket_id: int) -> list[TicketDraft]:
    """Return what others are writing in a conversation: texts of the last ten minutes.

    Raises TicketNotFound and TicketNotReadable.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    drafts = TicketDraft.objects.for_company(user.company_id).filter(ticket=ticket)
    recent = drafts.filter(updated_at__gt=timezone.now() - WRITES_FOR).exclude(text="")
    others = recent.exclude(user=user.pk).select_related("user")
    return list(others.order_by("-updated_at", "-pk")[:MAX_WRITERS])


def save_draft(*, user: User, ticket_id: int, **typed: str) -> None:
    """Keep what the user has typed in a conversation: its `text`, its `note`, or both.

    What is not given stays; a draft of two empty texts is deleted. The user's other browsers are
    told, and of a text also who else has the conversation open. Deletes the user's drafts that are
    old or beyond a hundred. Raises TicketNotFound and TicketNotReadable.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    own = TicketDraft.objects.for_company(user.company_id).filter(user=user)
    now = timezone.now()
    given = {name: text if text.strip() else "" for name, text in typed.items()}
    # Who comes later asks `writers_in`.
    is_watched = "text" in given and is_viewed_beside(user.pk, ticket.pk)
    try:
        with transaction.atomic():
            if any(given.values()):
                TicketDraft.objects.update_or_create(
                    user=user,
                    ticket=ticket,
                    defaults={"company_id": user.company_id, "updated_at": now, **given},
                )
                beyond = own.order_by("-updated_at", "-pk").values_list("pk", flat=True)
                own.filter(pk__in=list(beyond[MAX_DRAFTS:])).delete()
                own.filter(updated_at__lte=now - MAX_AGE).delete()
            else:
                own.filter(ticket=ticket).update(updated_at=now, **given)
                own.filter(ticket=ticket, text="", note="").delete()
            events.draft_saved(user, ticket.pk, given, now)
            if is_watched:
                events.writes(ticket, user, given["text"], now)
    except IntegrityError:
        # The ticket was deleted after it was read.
        raise TicketNotFound from None
