"""Tells users of what they wait for and follow (rules/messages §13)."""

from collections.abc import Sequence
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.common.errors import DomainError
from apps.tickets import events
from apps.tickets.models import Message, Ticket, TicketActivity, TicketDraft, TicketFollow
from apps.tickets.queries.access import TicketNotFound, readable_ticket, readers_of, visible_to

# Contacts for whom a user waits, and tickets that they follow until they end it; each so many.
MAX_FOLLOWS = 100
MAX_AGE = timedelta(days=30)
# Who is told of the contact's next message.
STILL_WAITS = Q(answer=None) | Q(is_lasting=True)


class TooManyFollows(DomainError):
    """What a user follows until they end it ends by nothing else, so there is no room for more."""

    code = "ERR_TOO_MANY_FOLLOWS"
    message = f"Você já segue {MAX_FOLLOWS} conversas. Deixe de seguir alguma primeiro."


def _recent(user: User) -> QuerySet[TicketFollow]:
    own = TicketFollow.objects.for_company(user.company_id).filter(user=user.pk)
    is_recent = Q(created_at__gt=timezone.now() - MAX_AGE)
    return own.filter(is_recent | Q(is_lasting=True)).order_by("-pk")


def followed_by(user: User) -> list[int]:
    """Return the ids of the tickets for whose contact the user waits."""
    waiting = _recent(user).filter(STILL_WAITS)
    return list(waiting.values_list("ticket_id", flat=True)[: 2 * MAX_FOLLOWS])


def lasting_of(user: User) -> list[int]:
    """Return the ids of the tickets that the user follows until they end it."""
    lasting = _recent(user).filter(is_lasting=True)
    return list(lasting.values_list("ticket_id", flat=True)[:MAX_FOLLOWS])


def answered_to(user: User) -> list[TicketFollow]:
    """Return what came for which the user waited, in conversations not opened since."""
    told = _recent(user).exclude(answer=None).select_related("answer")
    return list(told.filter(answer__ticket__in=visible_to(user))[: 2 * MAX_FOLLOWS])


def follow_ticket(*, user: User, ticket_id: int, lasting: bool = False) -> None:
    """Tell the user when the ticket's contact writes again.

    With `lasting` of every message and every change, until they end it. While the user waits, once
    more changes nothing. Deletes what is old or beyond a hundred of those who wait. Raises
    TicketNotFound, TicketNotReadable, and TooManyFollows of lasting ones.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    own = TicketFollow.objects.for_company(user.company_id).filter(user=user)
    try:
        with transaction.atomic():
            # The ticket first: a message that is received now locks it before its followers.
            Ticket.objects.filter(pk=ticket.pk).update(is_followed=True)
            own.filter(ticket=ticket, is_lasting=False).exclude(answer=None).delete()
            follow, _ = TicketFollow.objects.get_or_create(
                user=user,
                ticket=ticket,
                defaults={"company_id": user.company_id, "is_lasting": lasting},
            )
            if lasting and not follow.is_lasting:
                own.filter(pk=follow.pk).update(is_lasting=True)
            if lasting and own.filter(is_lasting=True).count() > MAX_FOLLOWS:
                raise TooManyFollows
            waits = own.filter(is_lasting=False).order_by("-pk")
            own.filter(pk__in=list(waits.values_list("pk", flat=True)[MAX_FOLLOWS:])).delete()
            old = own.filter(created_at__lte=timezone.now() - MAX_AGE, is_lasting=False)
            old.delete()
    except IntegrityError:
        # The ticket was deleted after it was read.
        raise TicketNotFound from None


def unfollow_ticket(*, user: User, ticket_id: int) -> None:
    """Follow the ticket no longer, and forget the awaited message that came in it.

    Raises TicketNotFound and TicketNotReadable.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    own = TicketFollow.objects.for_company(user.company_id).filter(user=user)
    own.filter(Q(ticket=ticket) | Q(answer__ticket=ticket, is_lasting=False)).delete()


def see_answer(*, user: User, ticket_id: int) -> None:
    """Note that the user has opened the conversation in which an awaited message came.

    Who follows the ticket until they end it goes on. Raises TicketNotFound and TicketNotReadable.
    """
    ticket = readable_ticket(user, pk=ticket_id)
    own = TicketFollow.objects.for_company(user.company_id).filter(user=user)
    came = own.filter(answer__ticket=ticket)
    came.filter(is_lasting=False).delete()
    came.filter(is_lasting=True).update(answer=None)


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


def tell_of_change(ticket: Ticket, activity: TicketActivity) -> None:
    """Tell who follows a ticket of a change by somebody else. Without followers it reads nothing.

    `activity` is the line of the change, or a note.
    """
    if not ticket.is_followed:
        return
    follows = TicketFollow.objects.filter(ticket=ticket, is_lasting=True)
    users = follows.exclude(user=activity.actor_id).values("user_id")
    told = readers_of(ticket).filter(pk__in=users).order_by("pk").values_list("pk", flat=True)
    events.followed_ticket_changed(ticket, activity, list(told))


def _tell(ticket: Ticket, message: Message) -> None:
    of_contact = Ticket.objects.for_company(ticket.company_id).filter(
        contact_id=ticket.contact_id, connection=ticket.connection
    )
    since = timezone.now() - MAX_AGE
    follows = TicketFollow.objects.filter(STILL_WAITS, ticket__in=of_contact)
    follows.filter(created_at__lte=since, is_lasting=False).delete()
    waiting = list(follows.order_by("pk"))
    users = [follow.user_id for follow in waiting]
    readers = set(readers_of(ticket).filter(pk__in=users).values_list("pk", flat=True))
    told = [follow for follow in waiting if follow.user_id in readers]
    events.followed_contact_wrote(message, [(each.user_id, each.ticket_id) for each in told])
    for follow in told:
        _move_draft(follow, ticket)
        if follow.is_lasting and follow.ticket_id != ticket.pk:
            _go_on(follow, ticket)
    TicketFollow.objects.filter(pk__in=[each.pk for each in told]).update(answer=message)
    if len(told) == len(waiting) and not any(each.is_lasting for each in told):
        of_contact.filter(is_followed=True).update(is_followed=False)
        ticket.is_followed = False


def _go_on(follow: TicketFollow, ticket: Ticket) -> None:
    """Follow the ticket that the contact's message opened in place of the former one."""
    if TicketFollow.objects.filter(user=follow.user_id, ticket=ticket).exists():
        follow.delete()
    else:
        TicketFollow.objects.filter(pk=follow.pk).update(ticket=ticket)


def _move_draft(follow: TicketFollow, ticket: Ticket) -> None:
    drafts = TicketDraft.objects.filter(user_id=follow.user_id)
    if follow.ticket_id != ticket.pk and not drafts.filter(ticket=ticket).exists():
        drafts.filter(ticket_id=follow.ticket_id).update(ticket=ticket, updated_at=timezone.now())
