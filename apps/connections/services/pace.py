"""The pace of a connection, and the daily limit of new conversations of a new number.

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
# A worker may take a slot this far ahead and wait for it; a wake-up would take longer.
AHEAD = MICROSECONDS // 10
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
JITTER = random.SystemRandom()


@dataclass(frozen=True)
class Slot:
    """A send's slot in `wait` seconds; `gaps` are the seconds until the next slots."""

    wait: float
    gaps: tuple[float, ...] = ()


def pace_of(connection: Connection) -> tuple[int, ...]:
    """Return the pace from the settings of a connection."""
    return tuple(getattr(connection, field) for field in PACE_FIELDS)


def latest_open_slot() -> int:
    """Return the latest slot that can be taken now; claims compare `SendPace` with it."""
    return _microseconds(timezone.now()) + AHEAD


def take_slot(
    connection: Connection,
    *,
    is_person: bool,
    at: datetime | None = None,
    jitter: Callable[[float, float], float] = JITTER.uniform,
) -> Slot | None:
    """Take a connection's next slot; None if another worker has it or it is not due. Messages of
    people wait only the least pause, all others the jitter as well.
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
    # One statement decides among all workers. Only this module's constants are interpolated.
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
    # Slots of an official number come faster than a wake-up.
    is_official = connection.provider == ProviderKind.OFFICIAL
    gaps = () if is_official else tuple(sorted({pause / MICROSECONDS, longer / MICROSECONDS}))
    return Slot(wait, gaps)


def reckon_anew(connection: Connection) -> None:
    """Apply changed settings of the pace; call it in a transaction."""
    # A worker may be counting a contact.
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
    """Return the limit of new conversations on a day of the warm-up, counted from 1.

    None: no limit, because the connection has no warm-up or it is over.
    """
    if not first or day > days:
        return None
    return first + growth * (max(day, 1) - 1)


def is_warming_up(connection: Connection) -> bool:
    """Tell whether new conversations of a connection are counted."""
    return connection.provider == ProviderKind.BETA and bool(connection.warmup_contacts)


@transaction.atomic
def admit_new_contact(
    connection: Connection, contact_id: int, *, at: datetime | None = None
) -> datetime | None:
    """Count a contact with whom the number starts a conversation, once a day.

    Returns None if the limit allows it, else the company's next midnight. The warm-up begins on the
    day of the number's first new conversation.
    """
    now = at or timezone.now()
    zone = zone_of(connection.company_id)
    today = now.astimezone(zone).date()
    SendPace.objects.bulk_create([SendPace(connection=connection)], ignore_conflicts=True)
    # Two workers may not both take the last place of a day.
    pace = SendPace.objects.select_for_update(no_key=True).get(connection=connection)
    number = connection.number or pace.number  # a gateway may not report it
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
    """Return the mean seconds between two sends that are not people's."""
    return sum(_gaps_of(connection)) / 2


def rooms_ahead(connection: Connection, *, at: datetime) -> Iterator[tuple[datetime, int | None]]:
    """Yield each day's start and its limit of new conversations.

    The last item is the first day without a limit: None.
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
    """Return the contacts with whom a new number started conversations on a day."""
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
