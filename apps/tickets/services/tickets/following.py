"""Tells users when a contact writes for whom they wait (rules/messages §13)."""

from collections.abc import Sequence
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.tickets import events
from apps.tickets.models import Message, Ticket, TicketDraft, TicketFollow
from apps.tickets.queries.access import TicketNotFound, readable_ticket, visible_to

MAX_FOLLOWS = 100
MAX_AGE = timedelta(days=30)


def _recent(user: User) -> QuerySet[TicketFollow]:
    own = TicketFollow.objects.for_company(user.company_id).filter(user=user)
    return own.filter(created_at__gt=timezone.now() - MAX_AGE).order_by("-pk")


def followed_by(user: User) -> list[int]:
    """Return the ids of the tickets for whose contact the user waits."""
    waiting = _recent(user).filter(answer=None)
    return list(waiting.values_list("ticket_id", flat=True)[:MAX_FOLLOWS])


def answered_to(user: User) -> list[TicketFollow]:
    """Return what came for which the user waited, in conversations not opened since."""
    told = _recent(user).exclude(answer=None).select_related("answer")
    return list(told.filter(answer__ticket__in=visible_to(user))[:MAX_FOLLOWS])


def follow_ticket(*, user: User, ticket_id: int) -> None:
    """Tell the user when the ticket's contact writes again.

    While the user waits, once more changes nothing. Deletes what is old or beyond a hundred. Raises
    TicketNotFound and TicketNotReadable.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    own = TicketFollow.objects.for_company(user.company_id).filter(user=user)
    try:
        with transaction.atomic():
            # The ticket first: a message that is received now locks it before its followers.
            Ticket.objects.filter(pk=ticket.pk).update(is_followed=True)
            own.filter(ticket=ticket).exclude(answer=None).delete()
            TicketFollow.objects.get_or_create(
                user=user, ticket=ticket, defaults={"company_id": user.company_id}
            )
            beyond = own.order_by("-pk").values_list("pk", flat=True)[MAX_FOLLOWS:]
            own.filter(pk__in=list(beyond)).delete()
            own.filter(created_at__lte=timezone.now() - MAX_AGE).delete()
    except IntegrityError:
        # The ticket was deleted after it was read.
        raise TicketNotFound from None


def unfollow_ticket(*, user: User, ticket_id: int) -> None:
    """Wait for the ticket's contact no longer, and forget the awaited message that came in it.

    Raises TicketNotFound and TicketNotReadable.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    own = TicketFollow.objects.for_company(user.company_id).filter(user=user)
    own.filter(Q(ticket=ticket) | Q(answer__ticket=ticket)).delete()


def tell_followers(messages: Sequence[Message]) -> None:
    """Tell who waits for these contacts, of whose tickets the caller holds the locks.

    What a user had begun to write moves to the ticket in which the contact wrote. Who may not read
    that ticket is told at a later message in one that they may read. Without followers it reads
    nothing.
    """
    first: dict[int, Message] = {}
    for message in messages:
        if message.ticket.is_followed:
            first.setdefault(message.ticket_id, message)
    for message in first.values():
        _tell(message.ticket, message)


def _tell(ticket: Ticket, message: Message) -> None:
    of_contact = Ticket.objects.for_company(ticket.company_id).filter(
        contact_id=ticket.contact_id, connection=ticket.connection
    )
    since = timezone.now() - MAX_AGE
    follows = TicketFollow.objects.filter(ticket__in=of_contact, answer=None)
    follows.filter(created_at__lte=since).delete()
    told, left = [], False
    for follow in follows.select_related("user").order_by("pk"):
        if not visible_to(follow.user).filter(pk=ticket.pk).exists():
            left = True
            continue
        told.append(follow.pk)
        _move_draft(follow, ticket)
        events.followed_contact_wrote(message, follow.user_id, follow.ticket_id)
    TicketFollow.objects.filter(pk__in=told).update(answer=message)
    if not left:
        of_contact.filter(is_followed=True).update(is_followed=False)
        ticket.is_followed = False


def _move_draft(follow: TicketFollow, ticket: Ticket) -> None:
    drafts = TicketDraft.objects.filter(user_id=follow.user_id)
    if follow.ticket_id != ticket.pk and not drafts.filter(ticket=ticket).exists():
        drafts.filter(ticket_id=follow.ticket_id).update(ticket=ticket, updated_at=timezone.now())
