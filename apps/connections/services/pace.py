"""How fast a connection sends, and how many people a young number begins to write to in a day.

Slots and counts are rows, so that several workers and a restart keep the same pace
(rules/connections §10).
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import count
from math import ceil
from typing import Any

from django.db import connection as database
from django.db import transaction
from django.utils import timezone

from apps.companies.queries import zone_of
from apps.connections.models import Connection, ProviderKind, SendPace

PACE_FIELDS = (
    "send_pause_seconds",
    "send_jitter_seconds",
    "sends_per_second",
    "warmup_contacts",
    "warmup_growth",
    "warmup_days",
)
MICROSECONDS = 1_000_000
# So far ahead a slot can be taken, by a worker that waits for it: shorter than a wake-up takes.
AHEAD = MICROSECONDS // 10
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
JITTER = random.SystemRandom()


@dataclass(frozen=True)
class Slot:
    """A send's turn: in `wait` seconds. The next ones come after `gaps` seconds more."""

    wait: float
    gaps: tuple[float, ...] = ()


def pace_of(connection: Connection) -> tuple[int, ...]:
    """Return what its form says of the pace of a connection."""
    return tuple(getattr(connection, field) for field in PACE_FIELDS)


def latest_open_slot() -> int:
    """Return the latest slot that can be taken now: what a claim compares `SendPace` with."""
    return _microseconds(timezone.now()) + AHEAD


def take_slot(
    connection: Connection,
    *,
    is_person: bool,
    at: datetime | None = None,
    jitter: Callable[[float, float], float] = JITTER.uniform,
) -> Slot | None:
    """Take a connection's next turn to send; None while it is another's, or not there yet.

    What a person writes waits the least pause alone, everything else the jitter too.
    """
    least, most = _gaps_of(connection)
    if not most:
        return Slot(0.0)
    now = _microseconds(at or timezone.now())
    pause = ceil(least * MICROSECONDS)
    longer = max(pause, ceil(jitter(least, most) * MICROSECONDS))
    own = "people_from" if is_person else "others_from"
    table = database.ops.quote_name(SendPace._meta.db_table)
    begins = f"CASE WHEN {table}.{own} > %(now)s THEN {table}.{own} ELSE %(now)s END"
    values = {
        "connection": connection.pk,
        "now": now,
        "pause": pause,
        "longer": longer,
        "ahead": now + AHEAD,
    }
    # One statement decides among all workers. Nothing but this module's constants is written in.
    statement = f"""
        INSERT INTO {table}
            (connection_id, people_from, others_from, number, day_ceiling, day_contacts)
        VALUES (%(connection)s, %(now)s + %(pause)s, %(now)s + %(longer)s, '', 0, '[]')
        ON CONFLICT (connection_id) DO UPDATE
        SET people_from = {begins} + %(pause)s, others_from = {begins} + %(longer)s
        WHERE {table}.{own} <= %(ahead)s
        RETURNING people_from
    """  # noqa: S608
    with database.cursor() as cursor:
        cursor.execute(statement, values)
        taken = cursor.fetchone()
    if taken is None:
        return None
    wait = max(0, taken[0] - pause - now) / MICROSECONDS
    # Those of an official number come faster than a worker can be woken.
    is_official = connection.provider == ProviderKind.OFFICIAL
    gaps = () if is_official else tuple(sorted({pause / MICROSECONDS, longer / MICROSECONDS}))
    return Slot(wait, gaps)


def reckon_anew(connection: Connection) -> None:
    """Let a connection go on by its form, which has changed; call it in a transaction."""
    # A worker may be counting somebody.
    pace = SendPace.objects.select_for_update(no_key=True).filter(connection=connection).first()
    if pace is None:
        return
    pace.people_from = pace.others_from = 0
    if pace.first_date is not None and pace.day_ends_at is not None:
        ends_on = pace.day_ends_at.astimezone(zone_of(connection.company_id)).date()
        ceiling = _ceiling_of(connection, (ends_on - pace.first_date).days)
        if ceiling is None:
            pace.day_ends_at = None
        pace.day_ceiling = ceiling or 0
    pace.save(update_fields=["people_from", "others_from", "day_ends_at", "day_ceiling"])


def ceiling_on(day: int, *, first: int, growth: int, days: int) -> int | None:
    """Return how many people a number may begin to write to on a day of its warm-up, from 1 on.

    None: as many as it likes, for it is not warmed up, or the warm-up is over.
    """
    if not first or day > days:
        return None
    return first + growth * (max(day, 1) - 1)


def is_warming_up(connection: Connection) -> bool:
    """Tell whether the people to whom a connection begins to write are counted."""
    return connection.provider == ProviderKind.BETA and bool(connection.warmup_contacts)


@transaction.atomic
def admit_new_contact(
    connection: Connection, contact_id: int, *, at: datetime | None = None
) -> datetime | None:
    """Count somebody to whom the number begins to write today, once a day.

    Returns None where that may be, else the company's next midnight. The first day of the warm-up
    is that of the first such message of the number.
    """
    now = at or timezone.now()
    zone = zone_of(connection.company_id)
    today = now.astimezone(zone).date()
    SendPace.objects.bulk_create([SendPace(connection=connection)], ignore_conflicts=True)
    # Two workers may not both take the last place of a day.
    pace = SendPace.objects.select_for_update(no_key=True).get(connection=connection)
    number = connection.number or pace.number  # a gateway may not know it
    if pace.first_date is None or number != (pace.number or number):
        pace.first_date, pace.day_ends_at = today, None
    pace.number = number
    ceiling = _ceiling_of(connection, (today - pace.first_date).days + 1)
    if ceiling is None:
        return None
    if pace.day_ends_at is None or pace.day_ends_at <= now:
        pace.day_contacts = []
        pace.day_ends_at = datetime.combine(today + timedelta(days=1), time.min, zone)
    admitted: list[Any] = pace.day_contacts
    is_admitted = contact_id in admitted
    if not is_admitted and len(admitted) < ceiling:
        admitted.append(contact_id)
        is_admitted = True
    pace.day_ceiling = ceiling
    day = ("day_ends_at", "day_ceiling", "day_contacts")
    pace.save(update_fields=["number", "first_date", *day])
    return None if is_admitted else pace.day_ends_at


def mean_gap(connection: Connection) -> float:
    """Return the mean time between two sends that nobody waits for, in seconds."""
    return sum(_gaps_of(connection)) / 2


def rooms_ahead(connection: Connection, *, at: datetime) -> Iterator[tuple[datetime, int | None]]:
    """Yield from when on, and to how many people, a number may begin to write, day by day.

    It ends with the day from which it may write to anybody: None.
    """
    zone = zone_of(connection.company_id)
    today = at.astimezone(zone).date()
    pace = SendPace.objects.filter(connection=connection).first()
    first = pace.first_date if pace and pace.first_date else today
    begun = len(_begun(pace, at))
    for ahead in count():
        day = today + timedelta(days=ahead)
        begins = datetime.combine(day, time.min, zone).astimezone(UTC) if ahead else at
        ceiling = _ceiling_of(connection, (day - first).days + 1)
        if ceiling is None or not is_warming_up(connection):
            yield begins, None
            return
        yield begins, max(ceiling - begun, 0)
        begun = 0


def begun_today(connection: Connection, *, at: datetime) -> list[int]:
    """Return the contacts to whom a young number has begun to write on a day."""
    return _begun(SendPace.objects.filter(connection=connection).first(), at)


def _begun(pace: SendPace | None, at: datetime) -> list[int]:
    if pace is None or pace.day_ends_at is None or pace.day_ends_at <= at:
        return []
    return list(pace.day_contacts)


def _ceiling_of(connection: Connection, day: int) -> int | None:
    return ceiling_on(
        day,
        first=connection.warmup_contacts,
        growth=connection.warmup_growth,
        days=connection.warmup_days,
    )


def _gaps_of(connection: Connection) -> tuple[float, float]:
    """Return the least and the longest time between two sends, in seconds."""
    if connection.provider == ProviderKind.OFFICIAL:
        rate = connection.sends_per_second
        return (1 / rate, 1 / rate) if rate else (0.0, 0.0)
    least = float(connection.send_pause_seconds)
    return least, least + connection.send_jitter_seconds


def _microseconds(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)
