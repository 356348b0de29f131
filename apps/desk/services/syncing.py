"""Takes in the tickets of a company or a queue, for which other rules hold (rules/desk §1)."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet, Sum

from apps.desk.models import OF_DISTRIBUTION, Assignment, Seat, Tick
from apps.desk.services import ticks
from apps.desk.services.following import LIVE, follow_anew
from apps.desk.services.known import known
from apps.desk.services.parts import PART, take_in_part
from apps.desk.services.presence import leave_all
from apps.tickets.models import Ticket


def take_in_company(tick: Tick, after: int) -> int | None:
    """Follow a part of the company's live tickets, and drop the assignments of others.

    Where the distribution was switched off, forget a part of them. `after` and what it returns are
    as those of `take_in_part`.
    """
    if not known.is_on(tick.company_id):
        return _forget(tick.company_id)
    live = Ticket.objects.for_company(tick.company_id).filter(status__in=LIVE)
    kept = Assignment.objects.for_company(tick.company_id)
    ids = {*_beyond(live, after), *_beyond(kept, after)}
    end = take_in_part(sorted(ids)[:PART], follow_anew)
    if end is None:
        _count_loads(tick.company_id)
    return end


def _forget(company_id: int) -> int | None:
    """Forget what tickets had; after the last part everybody is offline, and nothing is due."""
    rows = Assignment.objects.for_company(company_id)
    if ids := list(rows.order_by("pk").values_list("pk", flat=True)[:PART]):
        rows.filter(pk__in=ids).delete()
        return ids[-1]
    leave_all(company_id)
    Seat.objects.for_company(company_id).update(load=0, seen_until=None)
    Tick.objects.for_company(company_id).filter(kind__in=OF_DISTRIBUTION).delete()
    return None


def _count_loads(company_id: int) -> None:
    """Have each load be the sum of what the person's tickets weigh, however it went astray."""
    for user_id in Seat.objects.for_company(company_id).values_list("user", flat=True):
        with transaction.atomic():
            seat = Seat.objects.select_for_update(no_key=True).filter(user=user_id).first()
            # After the lock, which whoever changes points holds until they are stored.
            held = Assignment.objects.filter(user=user_id).aggregate(sum=Sum("points"))
            load = held["sum"] or 0
            if seat is not None and seat.load != load:
                Seat.objects.filter(user=user_id).update(load=load)
                ticks.give_for(company_id, [user_id])


def take_in_queue(tick: Tick, after: int) -> int | None:
    """Follow a part of a queue's live tickets, by the rules that the queue has now."""
    if not known.is_on(tick.company_id):
        return None
    live = Ticket.objects.for_company(tick.company_id).filter(queue=tick.queue_id, status__in=LIVE)
    return take_in_part(_beyond(live, after), follow_anew)


def _beyond(rows: "QuerySet[Any]", after: int) -> list[int]:
    found = rows.filter(pk__gt=after).order_by("pk")
    return list(found.values_list("pk", flat=True)[:PART])
