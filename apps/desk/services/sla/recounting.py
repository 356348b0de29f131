"""Takes in all tickets of a company, in parts, when other times or hours hold (rules/desk §9).

Each part is a transaction. A worker that ends in the middle begins anew; what was taken in changes
nothing the second time.
"""

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from apps.common.bulk import update_rows
from apps.desk import events
from apps.desk.models import SlaClock, Tick, TickKind
from apps.desk.queries.sla import live_tickets, open_tickets
from apps.desk.services import ticks
from apps.desk.services.known import SLA, known
from apps.desk.services.sla.following import Follower, count_anew
from apps.tickets.models import Ticket

PART = 100
Find = Callable[[int, int, int], list[int]]
TakeIn = Callable[[list[Ticket]], None]
# Called between parts, so that the work is still the worker's.
Renew = Callable[[], bool]


def note_hours(company_id: int) -> None:
    """Have the open clocks of a company counted anew, if it has any."""
    if known.is_on(company_id, SLA):
        ticks.plan(TickKind.SLA_HOURS, timezone.now(), company_id=company_id)


def take_in_hours(company_id: int, renew: Renew) -> None:
    """Count the open clocks of a company by the hours of now."""
    if known.is_on(company_id, SLA):
        _in_parts(company_id, open_tickets, count_anew, renew)


def take_in_times(company_id: int, renew: Renew) -> None:
    """Give a company's tickets the clocks of its times of now, or none while it has them off."""
    if known.is_on(company_id, SLA):
        # A ticket of a company without times keeps no clock.
        _in_parts(company_id, live_tickets, _follow, renew)
    else:
        _in_parts(company_id, open_tickets, _forget, renew)


def _in_parts(company_id: int, find: Find, take_in: TakeIn, renew: Renew) -> None:
    after = 0
    while ids := find(company_id, after, PART):
        with transaction.atomic():
            tickets = Ticket.objects.filter(pk__in=ids).order_by("pk")
            take_in(list(tickets.select_for_update(no_key=True)))
        after = ids[-1]
        if not renew():
            # Another worker has it now.
            return


def _follow(tickets: list[Ticket]) -> None:
    Follower(tickets, plans=True).run()


def _forget(tickets: list[Ticket]) -> None:
    now = timezone.now()
    ids = [ticket.pk for ticket in tickets]
    SlaClock.objects.filter(ticket__in=ids, ended_at=None).update(ended_at=now, paused_at=None)
    Tick.objects.filter(key__in=[ticks.key_of(TickKind.SLA, pk) for pk in ids]).delete()
    shown = [ticket for ticket in tickets if ticket.sla_due_at is not None]
    for ticket in shown:
        ticket.sla_due_at = ticket.sla_warns_at = None
    update_rows(shown, ["sla_due_at", "sla_warns_at"])
    for ticket in shown:
        events.deadline_changed(ticket)
