"""Takes tickets back from people who do not answer, or who have left (rules/desk §6)."""

from datetime import datetime, timedelta

from django.utils import timezone

from apps.desk import events
from apps.desk.decisions.assignment import (
    NO_POLICY,
    OfflineAction,
    Policy,
    Presence,
    ReturnTo,
    Why,
    judge_return,
    leave_moment,
)
from apps.desk.models import Assignment, AssignmentPolicy, Seat, TickKind
from apps.desk.services import ticks
from apps.desk.services.following import because, follow
from apps.tickets.models import Ticket, TicketActivityKind, TicketStatus
from apps.tickets.services.tickets.bot_hooks import left_waiting
from apps.tickets.services.tickets.removals import move_ticket

# Of one person's tickets in one transaction; the others, and what was locked, follow soon.
BATCH = 50
SOON = timedelta(seconds=1)


def return_unanswered(ticket: Ticket) -> None:
    """Return a locked ticket whose contact waits too long, or look at it again when it does."""
    row = Assignment.objects.filter(pk=ticket.pk).first()
    if row is None or row.user_id is None:
        return
    policy = _policy_of(row.queue_id)
    presences = Seat.objects.filter(user=row.user_id).values_list("presence", flat=True)
    presence = Presence(presences.first() or Presence.OFFLINE)
    verdict = judge_return(row.held, policy, presence, timezone.now())
    if verdict.at is not None:
        ticks.plan(TickKind.RETURN, verdict.at, company_id=row.company_id, ticket_id=row.pk)
    if verdict.to is None:
        return
    with because(Why.UNANSWERED, to=verdict.to):
        _return(ticket)
    if verdict.to == ReturnTo.SUPERVISORS:
        events.supervisors_wanted(ticket, row.returns + 1)


def release(ticket: Ticket) -> None:
    """Take the weight of a locked ticket, which waits for its contact, off its holder."""
    follow([ticket], [])


def return_left(seat: Seat) -> None:
    """Return the tickets of somebody who has left, of each queue after its grace.

    It is counted from when the person left or got the ticket, whichever is later. The seat is
    locked. What is snoozed stays with the person until it wakes. A ticket that somebody else has
    locked is left for the next time.
    """
    if seat.presence != Presence.OFFLINE:
        return
    now = timezone.now()
    held = Assignment.objects.filter(user=seat.user_id)
    found = AssignmentPolicy.objects.for_company(seat.company_id)
    found = found.filter(queue__in=held.values("queue_id"), offline_action=OfflineAction.RETURN)
    policies = {each.queue_id: each.rules for each in found}
    due: list[int] = []
    later: list[datetime] = []
    for row in held.filter(queue__in=policies):
        moment = leave_moment(policies[row.queue_id or 0], row.held, seat.gone_at)
        if moment is not None and moment <= now:
            due.append(row.pk)
        elif moment is not None:
            later.append(moment)
    open_ones = Ticket.objects.filter(
        pk__in=due, user=seat.user_id, status=TicketStatus.OPEN, snoozed_at=None
    )
    locked = open_ones.order_by("pk").select_for_update(no_key=True, skip_locked=True)
    with because(Why.OFFLINE):
        for ticket in locked[:BATCH]:
            _return(ticket)
    if open_ones.exists():
        ticks.plan(TickKind.LEAVE, now + SOON, company_id=seat.company_id, user_id=seat.user_id)
    elif later:
        ticks.plan(TickKind.LEAVE, min(later), company_id=seat.company_id, user_id=seat.user_id)


def _return(ticket: Ticket) -> None:
    move_ticket(ticket, TicketStatus.PENDING, TicketActivityKind.RETURNED)
    left_waiting(ticket)


def _policy_of(queue_id: int | None) -> Policy:
    found = AssignmentPolicy.objects.filter(queue=queue_id).first() if queue_id else None
    return found.rules if found else NO_POLICY
