"""Moves conversations when two contacts are merged, and when they are split again.

See rules/contacts §3 and §10. The contacts app calls these functions through its hooks, in its
transaction.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from apps.common.bulk import update_rows
from apps.contacts.services import Merged
from apps.tickets import events
from apps.tickets.bot_states import BOT_FIELDS
from apps.tickets.models import (
    Delivery,
    Message,
    MessageReaction,
    Poll,
    PollVote,
    Ticket,
    TicketActivityKind,
    TicketStatus,
    TrackingCycle,
)
from apps.tickets.owners import owner_like
from apps.tickets.services.tickets.bot_hooks import bot_ends, waits_without_queue
from apps.tickets.services.tickets.days import forget_days_of
from apps.tickets.services.tickets.removals import LIVE, locked_tickets, move_ticket
from apps.tickets.services.tickets.tracking import track

# Keys of what a merge remembers besides the moved rows.
LIVE_BEFORE, CLOSED_BY_IT, DROPPED, OUTVOTED = "live", "closed", "reactions", "votes"


def hold_tickets(contact_ids: Sequence[int]) -> None:
    """Lock the tickets of contacts.

    Storing a message takes this lock before it refers to the contact.
    """
    locked_tickets(contact__in=contact_ids)


def merge_tickets(merged: Merged) -> None:
    """Move conversations to the kept contact; of two live tickets, the moved one is closed."""
    keep, gone = merged.keep, merged.gone
    taken = {ticket.connection_id for ticket in locked_tickets(contact=keep, status__in=LIVE)}
    moved = locked_tickets(contact=gone, status__in=LIVE)
    merged.notes[LIVE_BEFORE] = [ticket.pk for ticket in moved]
    closed = merged.notes.setdefault(CLOSED_BY_IT, {})
    for ticket in moved:
        if ticket.connection_id in taken:
            status, user_id = ticket.status, ticket.user_id
            move_ticket(ticket, TicketStatus.CLOSED, TicketActivityKind.RESOLVED)
            closed[str(ticket.pk)] = [status, user_id, _iso(ticket.closed_at)]
    merged.move(Ticket, "contact")
    forget_days_of(keep.company_id, TrackingCycle.objects.filter(contact__in=[keep, gone]))
    # Not recorded as moved: on a split, cycles follow their tickets, including cycles begun since.
    TrackingCycle.objects.filter(contact=gone).update(contact=keep)
    merged.move(Message, "contact")
    merged.move(Message, "participant")
    merged.move(Delivery, "contact")
    _move_reactions(merged)
    _move_votes(merged)
    for ticket in moved:
        ticket.contact = keep
        events.ticket_updated(ticket)


def _move_reactions(merged: Merged) -> None:
    """Move reactions; where both reacted to one message, the kept contact's reaction stays."""
    answered = MessageReaction.objects.filter(sender=merged.keep).values_list("message_id")
    theirs = MessageReaction.objects.filter(sender=merged.gone)
    dropped = list(theirs.filter(message_id__in=answered))
    merged.notes[DROPPED] = [
        [each.message_id, each.emoji, _iso(each.created_at)] for each in dropped
    ]
    MessageReaction.objects.filter(pk__in=[each.pk for each in dropped]).delete()
    merged.move(MessageReaction, "sender")


def _move_votes(merged: Merged) -> None:
    """Move votes; where both voted on one poll, the later vote stays."""
    kept = {vote.poll_id: vote for vote in PollVote.objects.filter(sender=merged.keep)}
    both = PollVote.objects.filter(sender=merged.gone, poll__in=kept)
    dropped = [min(kept[vote.poll_id], vote, key=attrgetter("voted_at")) for vote in both]
    merged.notes[OUTVOTED] = [
        [each.poll_id, each.sender_id, each.options, _iso(each.voted_at)] for each in dropped
    ]
    PollVote.objects.filter(pk__in=[each.pk for each in dropped]).delete()
    merged.move(PollVote, "sender")


def part_tickets(merged: Merged) -> None:
    """Split the contacts: give the other contact its conversations back.

    Messages written since the merge continue in a new ticket of the kept contact. A ticket that the
    merge closed is reopened if nothing has happened to it since.
    """
    keep, gone = merged.keep, merged.gone
    tickets = locked_tickets(pk__among=merged.moved(Ticket, "contact"), contact=keep)
    before = Q(pk__among=merged.moved(Message, "contact"))
    since: dict[int, list[Message]] = {}
    for message in Message.objects.filter(~before, ticket__in=tickets).order_by("pk"):
        since.setdefault(message.ticket_id, []).append(message)
    merged.move_back(Ticket, "contact")
    forget_days_of(keep.company_id, TrackingCycle.objects.filter(contact__in=[keep, gone]))
    TrackingCycle.objects.filter(ticket__contact=gone).update(contact=gone)
    # Messages go back with their tickets, because a message and its ticket have the same contact.
    merged.move_back(Message, "contact", ticket__contact=gone)
    merged.move_back(Delivery, "contact", message__ticket__contact=gone)
    merged.move_back(Message, "participant")
    merged.move_back(MessageReaction, "sender")
    _react_again(merged)
    merged.move_back(PollVote, "sender")
    _vote_again(merged)
    was_live = set(merged.notes.get(LIVE_BEFORE, []))
    closed = merged.notes.get(CLOSED_BY_IT, {})
    for ticket in tickets:
        is_live = ticket.status in LIVE
        ticket.contact = gone
        if said := since.get(ticket.pk):
            _go_on(ticket, merged, said, was_live=ticket.pk in was_live)
        elif str(ticket.pk) in closed:
            _live_again(ticket, *closed[str(ticket.pk)])
        elif is_live:
            events.ticket_updated(ticket)


def _go_on(ticket: Ticket, merged: Merged, said: Sequence[Message], *, was_live: bool) -> None:
    """Move the messages since the merge to a new ticket with the status of this one."""
    now = timezone.now()
    bot_ends(ticket)
    heard = [message.created_at for message in said if not message.from_me]
    new = Ticket(
        company_id=ticket.company_id,
        contact=merged.keep,
        connection_id=ticket.connection_id,
        queue_id=ticket.queue_id,
        user_id=ticket.user_id,
        status=ticket.status,
        unread_count=min(ticket.unread_count, len(heard)),
        last_inbound_at=heard[-1] if heard else None,
        created_at=said[0].created_at,
        updated_at=ticket.updated_at,
        queued_at=ticket.queued_at,
        closed_at=ticket.closed_at,
        **owner_like(ticket),
    )
    _show_last(new, said[-1])
    new.save()
    Message.objects.filter(pk__among=[message.pk for message in said]).update(ticket=new)
    if new.status in LIVE:
        track(new, old_status="", at=now)
    left = Message.objects.filter(ticket=ticket).order_by("pk")
    _show_last(ticket, left.last())
    last_heard = left.filter(from_me=False).last()
    ticket.last_inbound_at = last_heard.created_at if last_heard else None
    ticket.unread_count = max(0, ticket.unread_count - len(heard))
    changed = ("latest_message", "last_message", "last_inbound_at", "unread_count")
    update_rows([ticket], (*changed, *BOT_FIELDS))
    if ticket.status in LIVE and not was_live:
        move_ticket(ticket, TicketStatus.CLOSED, TicketActivityKind.RESOLVED)
    else:
        events.ticket_updated(ticket)
    events.ticket_updated(new)
    for waiting in (new, ticket):
        if waiting.status == TicketStatus.PENDING and waiting.queue_id is None:
            waits_without_queue(waiting)


def _show_last(ticket: Ticket, message: Message | None) -> None:
    ticket.latest_message = message
    ticket.last_message = message.preview if message else ""


def _live_again(ticket: Ticket, status: str, user_id: int | None, closed_at: str) -> None:
    if ticket.status != TicketStatus.CLOSED or _iso(ticket.closed_at) != closed_at:
        return
    # If the contact has opened another ticket on this connection since, that one continues.
    live = Ticket.objects.filter(contact=ticket.contact_id, status__in=LIVE)
    if live.filter(connection=ticket.connection_id).exists():
        return
    user = ticket.user
    is_held = user is not None and user.is_active and user.pk == user_id
    if status == TicketStatus.OPEN and not is_held:
        status = TicketStatus.PENDING
    move_ticket(ticket, status, TicketActivityKind.REOPENED)
    if ticket.status == TicketStatus.PENDING and ticket.queue_id is None:
        waits_without_queue(ticket)


def _react_again(merged: Merged) -> None:
    dropped: list[list[Any]] = merged.notes.get(DROPPED, [])
    ids = [message_id for message_id, _, _ in dropped]
    there = set(Message.objects.filter(pk__in=ids).values_list("pk", flat=True))
    MessageReaction.objects.bulk_create(
        MessageReaction(
            message_id=message_id,
            from_me=False,
            sender=merged.gone,
            emoji=emoji,
            created_at=parse_datetime(at) or timezone.now(),
        )
        for message_id, emoji, at in dropped
        if message_id in there
    )


def _vote_again(merged: Merged) -> None:
    dropped: list[list[Any]] = merged.notes.get(OUTVOTED, [])
    polls = Poll.objects.filter(pk__in=[each[0] for each in dropped])
    there = set(polls.values_list("pk", flat=True))
    for poll_id, sender_id, options, at in dropped:
        sender = merged.keep if sender_id == merged.keep.pk else merged.gone
        voted = PollVote.objects.filter(poll_id=poll_id, sender=sender)
        if poll_id in there and not voted.exists():
            PollVote.objects.create(
                poll_id=poll_id,
                from_me=False,
                sender=sender,
                options=options,
                voted_at=parse_datetime(at) or timezone.now(),
            )


def _iso(moment: Any) -> str:
    return moment.isoformat() if moment else ""
