"""Gives what waits to people: one decision a transaction (rules/desk §3).

It waits for no lock. A ticket or a seat that somebody else has locked is left for the next look.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User, UserQueue
from apps.desk.decisions.assignment import NO_TURN, Channel, Given, Snapshot, decide
from apps.desk.models import Assignment, Seat, TickKind
from apps.desk.queries.snapshots import (
    Place,
    may_take,
    places_after,
    read_snapshot,
    turns_of,
)
from apps.desk.services import ticks
from apps.desk.services.following import because, follow
from apps.tickets.models import Ticket, TicketStatus
from apps.tickets.services.tickets.assigning import assign_ticket

# After so many decisions others have their turn; the rest is due at once.
MOST_DECISIONS = 50
# When what was locked is looked at again.
SOON = timedelta(seconds=1)
BY = "assignment"


def give_waiting(
    company_id: int, queue_ids: Collection[int], beyond: Mapping[int, Place] | None = None
) -> int:
    """Give what waits in these queues, as long as somebody is free; return how many tickets.

    `beyond` is after which place to begin in a queue. What nobody can take is passed over: by what
    is given people only get busier, so it is not looked at again. Never call it inside a
    transaction.
    """
    count, left, places = 0, set(queue_ids), dict(beyond or {})
    for _ in range(MOST_DECISIONS):
        given, again, after = give_once(company_id, left, places)
        count += given
        if again:
            continue
        left, places = set(after), after
        if not left:
            return count
    ticks.give(company_id, left, places)
    return count


def give_once(
    company_id: int, queue_ids: Collection[int], beyond: Mapping[int, Place] | None = None
) -> tuple[int, bool, dict[int, Place]]:
    """Carry out one decision.

    Return how many tickets were given, whether to decide again about the same tickets, and if not,
    where to go on in queues of which not all was read.
    """
    now = timezone.now()
    with transaction.atomic():
        snapshot = read_snapshot(company_id, queue_ids, now, beyond)
        decision = decide(snapshot)
        given = _carry_out(snapshot, decision.given) if decision.given else 0
        is_complete = given == len(decision.given)
        again_at = decision.again_at if is_complete else now + SOON
        if again_at is not None:
            for queue_id in queue_ids:
                ticks.plan_sooner(
                    TickKind.GIVE_LATER, again_at, company_id=company_id, queue_id=queue_id
                )
    again = bool(given) and is_complete
    # What was locked is due again from the first on.
    goes_on = not decision.given and bool(snapshot.people)
    # What was given may have been all that was read.
    return given, again, places_after(snapshot, beyond or {}) if goes_on else {}


def _carry_out(snapshot: Snapshot, wanted: Sequence[Given]) -> int:
    """Give tickets to people, if both are still as the decision saw them; return how many."""
    tickets = _locked_tickets([each.ticket_id for each in wanted])
    seats = _locked_seats([each.user_id for each in wanted], snapshot.now)
    users = User.objects.in_bulk(seats)
    rows = Assignment.objects.filter(is_ready=True).in_bulk(tickets)
    links = UserQueue.objects.filter(user__in=seats)
    members = set(links.values_list("user_id", "queue_id"))
    # Another worker may have given something to the same people since.
    turns = turns_of(seats, snapshot.policies)
    seen = {person.id: person for person in snapshot.people}
    queues = {each.id: each.queue_id for each in snapshot.waiting}
    _follow_stale([each.ticket_id for each in wanted if each.ticket_id not in tickets])
    # Whatever moved these unseen.
    follow([each for pk, each in tickets.items() if each.queue_id != queues[pk]], [])
    count = 0
    for each in wanted:
        ticket, row = tickets.get(each.ticket_id), rows.get(each.ticket_id)
        seat, user = seats.get(each.user_id), users.get(each.user_id)
        if ticket is None or row is None or seat is None or user is None:
            continue
        queue_id = ticket.queue_id or 0
        turn = turns.get(user.pk, {}).get(queue_id, NO_TURN)
        weight = seat.weights[Channel(row.channel)]
        has_room = not seat.capacity or seat.load + weight <= seat.capacity
        is_same = turn == seen[user.pk].turn_in(queue_id) and queue_id == queues[ticket.pk]
        if has_room and is_same and (user.pk, queue_id) in members:
            with because(each.why):
                assign_ticket(ticket, user, by=BY)
            count += 1
    return count


def _locked_tickets(ids: Collection[int]) -> dict[int, Ticket]:
    waiting = Ticket.objects.filter(
        pk__in=ids,
        status=TicketStatus.PENDING,
        user=None,
        queue__isnull=False,
    )
    locked = waiting.order_by("pk").select_for_update(no_key=True, skip_locked=True)
    return {ticket.pk: ticket for ticket in locked}


def _follow_stale(ids: Collection[int]) -> None:
    """Take in tickets that do not wait any more, whatever changed them unseen."""
    stale = Ticket.objects.filter(pk__in=ids).exclude(status=TicketStatus.PENDING, user=None)
    locked = stale.order_by("pk").select_for_update(no_key=True, skip_locked=True)
    follow(list(locked) if ids else [], [])


def _locked_seats(ids: Collection[int], now: datetime) -> dict[int, Seat]:
    free = Seat.objects.filter(may_take(now), user__in=ids).order_by("user_id")
    return {
        seat.user_id: seat
        for seat in free.select_for_update(no_key=True, skip_locked=True, of=("self",))
    }
