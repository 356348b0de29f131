"""Handles what is due: the one worker of the desk (rules/desk §3 and §10).

A tick is deleted in the transaction that does its work, so a killed worker neither repeats nor
skips it. Rounds of a queue are several transactions, each whole in itself; their ticks are deleted
after the last one. Lock order: tickets and seats before their ticks.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial

from django.db import transaction

from apps.common.leases import Claim, LeasedWork
from apps.desk.models import OF_DISTRIBUTION, Seat, Tick, TickKind
from apps.desk.services import presence, returning, syncing, ticks
from apps.desk.services.known import known
from apps.desk.services.rounds import give_waiting
from apps.desk.services.sla import escalating, recounting
from apps.desk.services.working import attempt, begun, do_part
from apps.tickets.models import Ticket

# The work is as short as that of a bot's pause.
TICKS = LeasedWork(model=Tick, lease_setting="PAUSE_LEASE_SECONDS")
GIVES = (TickKind.GIVE, TickKind.GIVE_LATER)
OF_TICKETS: dict[str, Callable[[Ticket], None]] = {
    TickKind.RETURN: returning.return_unanswered,
    TickKind.RELEASE: returning.release,
    TickKind.SLA: escalating.run_due_steps,
}
# With all tickets of a company or queue, one part a claim: it takes in what is after an id, and
# returns the id after which to go on.
IN_PARTS: dict[str, Callable[[Tick, int], int | None]] = {
    TickKind.SYNC: syncing.take_in_company,
    TickKind.QUEUE_SYNC: syncing.take_in_queue,
    TickKind.SLA_SYNC: recounting.take_in_times,
    TickKind.SLA_HOURS: recounting.take_in_hours,
}
OF_PEOPLE: dict[str, Callable[[Seat], None]] = {
    TickKind.SEEN: presence.look_for,
    TickKind.PAUSE: presence.end_pause,
    TickKind.LEAVE: returning.return_left,
}


def run_due(*, limit: int) -> int:
    """Claim up to `limit` ticks and do what they are for; returns the number claimed.

    Never call it inside a transaction.
    """
    with TICKS.claimed(limit) as claim:
        rows = begun(claim) if claim.ids else []
        for tick in rows:
            if tick.kind not in GIVES:
                attempt(claim, [tick], partial(_handle, claim, tick))
        # Last: what was returned just now is given at once.
        _give(claim, [tick for tick in rows if tick.kind in GIVES])
        return len(claim.ids)


def _give(claim: Claim[Tick], rows: Sequence[Tick]) -> None:
    by_company: defaultdict[int, list[Tick]] = defaultdict(list)
    for tick in rows:
        by_company[tick.company_id].append(tick)
    for company_id, of_company in by_company.items():
        attempt(claim, of_company, partial(_give_in, claim, company_id, of_company))


def _give_in(claim: Claim[Tick], company_id: int, rows: Sequence[Tick]) -> None:
    wanted = {(tick.queue_id, ticks.place_in(tick)) for tick in rows if tick.queue_id is not None}
    if known.is_on(company_id):
        give_waiting(company_id, {queue_id for queue_id, place in wanted if place is None})
        for queue_id, place in wanted:
            if place is not None:
                give_waiting(company_id, [queue_id], {queue_id: place})
    claim.held(*rows).delete()


def _handle(claim: Claim[Tick], tick: Tick) -> None:
    if tick.kind in IN_PARTS:
        do_part(claim, tick, IN_PARTS[tick.kind])
        return
    if tick.kind in OF_DISTRIBUTION and not known.is_on(tick.company_id):
        claim.held(tick).delete()
        return
    with transaction.atomic():
        if tick.kind in OF_TICKETS:
            tickets = Ticket.objects.select_for_update(no_key=True)
            ticket = tickets.filter(pk=tick.ticket_id or 0).first()
            if claim.held(tick).delete()[0] and ticket is not None:
                OF_TICKETS[tick.kind](ticket)
        else:
            seats = Seat.objects.select_for_update(no_key=True)
            seat = seats.filter(user=tick.user_id).first()
            if claim.held(tick).delete()[0] and seat is not None:
                OF_PEOPLE[tick.kind](seat)
