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
from apps.desk.models import Assignment, Seat, Tick, TickKind
from apps.desk.services import presence, returning, ticks
from apps.desk.services.following import follow_anew
from apps.desk.services.known import known
from apps.desk.services.rounds import give_waiting
from apps.desk.services.sla import escalating, recounting
from apps.desk.services.working import attempt, begun
from apps.tickets.models import Ticket, TicketStatus

# The work is as short as that of a bot's pause.
TICKS = LeasedWork(model=Tick, lease_setting="PAUSE_LEASE_SECONDS")
SYNC_BATCH = 100
GIVES = (TickKind.GIVE, TickKind.GIVE_LATER)
OF_TICKETS: dict[str, Callable[[Ticket], None]] = {
    TickKind.RETURN: returning.return_unanswered,
    TickKind.RELEASE: returning.release,
    TickKind.SLA: escalating.run_due_steps,
}
# With all tickets of a company, in parts; between them the worker renews its lease.
OF_COMPANIES: dict[str, Callable[[int, Callable[[], bool]], None]] = {
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
    if tick.kind == TickKind.SYNC:
        _sync(tick.company_id)
        claim.held(tick).delete()
        return
    if tick.kind in OF_COMPANIES:
        OF_COMPANIES[tick.kind](tick.company_id, partial(claim.renew, tick))
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


def _sync(company_id: int) -> None:
    """Follow the company's live tickets, and drop the assignments of others.

    After the distribution was switched on, or the rules of a queue were changed.
    """
    if not known.is_on(company_id):
        return
    live = Ticket.objects.for_company(company_id).filter(
        status__in=[TicketStatus.OPEN, TicketStatus.PENDING]
    )
    kept = Assignment.objects.for_company(company_id)
    ended = kept.exclude(ticket__status__in=[TicketStatus.OPEN, TicketStatus.PENDING])
    for ids in (
        live.order_by("pk").values_list("pk", flat=True),
        ended.values_list("pk", flat=True),
    ):
        wanted = list(ids)
        for start in range(0, len(wanted), SYNC_BATCH):
            with transaction.atomic():
                tickets = Ticket.objects.filter(pk__in=wanted[start : start + SYNC_BATCH])
                locked = tickets.order_by("pk").select_for_update(no_key=True, of=("self",))
                follow_anew(list(locked.select_related("latest_message")))
