"""Keeps the dashboard's sums of days that are over (rules/dashboard §8)."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import reduce
from itertools import islice
from operator import or_
from zoneinfo import ZoneInfo

from django.db import connection as database
from django.db import transaction
from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from apps.tickets.models import DaySums, TrackingCycle
from apps.tickets.queries.dashboard import Span
from apps.tickets.queries.dashboard.days import Cover, cover_of
from apps.tickets.queries.dashboard.figures import first_cycles
from apps.tickets.queries.dashboard.spans import midnight
from apps.tickets.queries.dashboard.sums import KEYS, grouped

# A day is kept when it has been over for so long.
KEPT_AFTER = timedelta(hours=24)
# Changes of younger cycles look for no kept day. The hours between are far more than what clocks
# differ and transactions last.
CHANGED_AFTER = timedelta(hours=12)
# With a clock that goes back.
LONGEST_DAY = timedelta(hours=27)
# The bound of what a call writes.
DAYS_A_CALL = 7
MOMENTS = 100

Day = tuple[datetime, datetime]


def keep_days(company_id: int, span: Span, *, now: datetime) -> Cover:
    """Keep the span's latest days without sums, a few at most; return which are kept then."""
    cover = cover_of(company_id, span)
    days = list(islice(_days_over(cover, now - KEPT_AFTER), DAYS_A_CALL))
    return cover_of(company_id, span) if days and _keep(company_id, span.zone, days) else cover


def forget_days(company_id: int, moments: Iterable[datetime]) -> None:
    """Delete the sums of the days in which cycles of these moments were queued.

    Call it in the transaction that changes or deletes finished cycles of these days, or the first
    cycle of a contact.
    """
    changed = sorted(set(filter(may_be_kept, moments)))
    if not changed:
        return
    if database.vendor == "postgresql":
        _lock(company_id, "pg_advisory_xact_lock_shared")
    for place in range(0, len(changed), MOMENTS):
        held = reduce(or_, map(_holds, changed[place : place + MOMENTS]))
        DaySums.objects.for_company(company_id).filter(held).delete()


def may_be_kept(moment: datetime) -> bool:
    """Return whether a moment's day may have kept sums."""
    return moment < timezone.now() - CHANGED_AFTER


def forget_days_of(company_id: int, cycles: "QuerySet[TrackingCycle]") -> None:
    """Delete the sums of all days in which one of these cycles was queued; see `forget_days`."""
    forget_days(company_id, cycles.order_by().values_list("queued_at", flat=True))


def _days_over(cover: Cover, end: datetime) -> Iterator[Day]:
    """Yield the days in the gaps that were over at `end`, since the company's first cycle."""
    zone, first = cover.span.zone, None
    for since, until in cover.gaps:
        last = end if until is None else min(until, end)
        if since and last - since < timedelta(hours=20):
            continue
        if first is None:
            cycles = TrackingCycle.objects.for_company(cover.company_id).order_by()
            first = cycles.aggregate(first=Min("queued_at"))["first"]
        if first is None or last <= first:
            return
        day = last.astimezone(zone).date()
        over = midnight(day, zone)
        while over > first:
            day -= timedelta(days=1)
            began = midnight(day, zone)
            if since and began < since:
                break
            yield began, over
            over = began


def _keep(company_id: int, zone: ZoneInfo, days: Iterable[Day]) -> bool:
    """Write the sums of days; return False if they change just now or another call keeps some."""
    with transaction.atomic():
        # On SQLite this transaction is the only one that writes.
        if database.vendor == "postgresql" and not _lock(company_id, "pg_try_advisory_xact_lock"):
            return False
        kept = DaySums.objects.for_company(company_id)
        kept.exclude(zone=zone.key).delete()
        present = set(kept.filter(leads__isnull=False).values_list("since", flat=True))
        for since, until in days:
            if since in present:
                continue
            cycles = TrackingCycle.objects.for_company(company_id).order_by()
            queued = cycles.filter(queued_at__gte=since, queued_at__lt=until)
            own = {"company_id": company_id, "zone": zone.key, "since": since, "until": until}
            rows = [DaySums(**own, leads=first_cycles(queued))]
            for keys, sums in grouped(queued.filter(finished_at__isnull=False), *KEYS):
                values = {name: value for name, value in vars(sums).items() if name != "finished"}
                rows.append(DaySums(**own, **dict(zip(KEYS, keys, strict=True)), **values))
            DaySums.objects.bulk_create(rows)
    return True


def _lock(company_id: int, function: str) -> bool:
    """Take a lock until the end of the transaction: of who changes days, or of who keeps them.

    Who keeps a day does not see what is not committed yet; therefore it waits for nobody, and a
    change that comes later waits for it and then deletes what it wrote.
    """
    with database.cursor() as cursor:
        name = f"days of company {company_id}"
        cursor.execute(f"SELECT {function}(hashtext(%s))", [name])
        return bool(cursor.fetchone()[0])


def _holds(moment: datetime) -> Q:
    # The index is on the first moment.
    return Q(since__lte=moment, since__gt=moment - LONGEST_DAY, until__gt=moment)
