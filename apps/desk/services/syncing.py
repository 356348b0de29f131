"""Takes in the tickets of a company or a queue, for which other rules hold (rules/desk §1)."""

from django.db.models import QuerySet

from apps.desk.models import Assignment, Tick
from apps.desk.services.following import LIVE, follow_anew
from apps.desk.services.known import known
from apps.desk.services.parts import PART, take_in_part
from apps.tickets.models import Ticket


def take_in_company(tick: Tick, after: int) -> int | None:
    """Follow a part of the company's live tickets, and drop the assignments of others.

    `after` and what it returns are as those of `take_in_part`.
    """
    if not known.is_on(tick.company_id):
        return None
    live = Ticket.objects.for_company(tick.company_id).filter(status__in=LIVE)
    kept = Assignment.objects.for_company(tick.company_id)
    ids = {*_beyond(live, after), *_beyond(kept, after)}
    return take_in_part(sorted(ids)[:PART], follow_anew)


def take_in_queue(tick: Tick, after: int) -> int | None:
    """Follow a part of a queue's live tickets, by the rules that the queue has now."""
    if not known.is_on(tick.company_id):
        return None
    live = Ticket.objects.for_company(tick.company_id).filter(queue=tick.queue_id, status__in=LIVE)
    return take_in_part(_beyond(live, after), follow_anew)


def _beyond(rows: "QuerySet[Ticket] | QuerySet[Assignment]", after: int) -> list[int]:
    found = rows.filter(pk__gt=after).order_by("pk")
    return list(found.values_list("pk", flat=True)[:PART])
