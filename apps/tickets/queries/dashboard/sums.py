"""Sums over cycles from which counts and means are made."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from django.db import connection as database
from django.db.models import Aggregate, Count, QuerySet, Sum

from apps.tickets.models import DaySums, Ticket, TrackingCycle
from apps.tickets.queries.dashboard.days import Cover, Gap

# By which the sums of a day are kept.
KEYS = ("queue_id", "connection_id", "user_id", "rate")

# In the order of the fields of `Sums`.
SUMMED: dict[str, Aggregate] = {
    "cycle_count": Count("pk"),
    "finished_count": Count("finished_at"),
    "supported_count": Count("support_microseconds"),
    "support_time": Sum("support_microseconds"),
    "waited_count": Count("started_at"),
    "wait_time": Sum("wait_microseconds"),
    "answered_count": Count("first_answer_at"),
    "answer_time": Sum("answer_microseconds"),
}
# The same as SQL, of cycles and of kept sums, whose cycles are all finished.
OF_CYCLES = (
    "count(*), count(c.finished_at), count(c.support_microseconds), sum(c.support_microseconds),"
    " count(c.started_at), sum(c.wait_microseconds),"
    " count(c.first_answer_at), sum(c.answer_microseconds)"
)
OF_DAYS = (
    "sum(c.cycles), sum(c.cycles), sum(c.supported), sum(c.support),"
    " sum(c.waited), sum(c.wait), sum(c.answered), sum(c.answer)"
)
CYCLES, DAYS, TICKETS = (each._meta.db_table for each in (TrackingCycle, DaySums, Ticket))
# No join: PostgreSQL would read all tickets.
QUEUE_NOW = f"(SELECT t.queue_id FROM {TICKETS} AS t WHERE t.id = c.ticket_id)"  # noqa: S608


@dataclass
class Sums:
    """Counts and times of some cycles, in microseconds; a mean is a time over its count."""

    cycles: int = 0
    finished: int = 0
    supported: int = 0
    support: int = 0
    waited: int = 0
    wait: int = 0
    answered: int = 0
    answer: int = 0

    def add(self, other: Self) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @property
    def support_mean(self) -> float:
        """Return the mean time of support, in minutes to a tenth; 0 of none."""
        return _minutes(self.support, self.supported)

    @property
    def wait_mean(self) -> float:
        """Return the mean time that contacts waited, as `support_mean`."""
        return _minutes(self.wait, self.waited)

    @property
    def answer_mean(self) -> float:
        """Return the mean time until a person's first words, as `support_mean`."""
        return _minutes(self.answer, self.answered)


def _minutes(total: int, count: int) -> float:
    return round(total / 1_000_000 / 60 / count, 1) if count else 0.0


# Sums and the keys that their cycles share.
Summed = list[tuple[tuple[int | None, ...], Sums]]


def summed(cover: Cover, *keys: str) -> Summed:
    """Return the sums of a span's cycles grouped by several of KEYS, in one query.

    An unfinished cycle counts for the present queue of its ticket, so it is in no kept sums.
    """
    company, span = cover.company_id, cover.span
    columns = ", ".join(f"c.{key}" for key in keys)
    now = columns.replace("c.queue_id", QUEUE_NOW)
    whole, ends = _queued_in([(span.since, span.until)])
    parts = [
        f"SELECT {now}, {OF_CYCLES} FROM {CYCLES} AS c"  # noqa: S608
        f" WHERE c.company_id = %s AND c.finished_at IS NULL AND {whole}"
    ]
    values: list[Any] = [company, *ends]
    if cover.gaps:
        gaps, ends = _queued_in(cover.gaps)
        parts.append(
            f"SELECT {columns}, {OF_CYCLES} FROM {CYCLES} AS c"  # noqa: S608
            f" WHERE c.company_id = %s AND c.finished_at IS NOT NULL AND {gaps}"
        )
        values += [company, *ends]
    if cover.since:
        parts.append(
            f"SELECT {columns}, {OF_DAYS} FROM {DAYS} AS c"  # noqa: S608
            " WHERE c.company_id = %s AND c.zone = %s AND c.since >= %s AND c.since < %s"
        )
        values += [company, span.zone.key, *map(_stored, (cover.since, cover.until))]
    groups = ", ".join(str(place + 1) for place in range(len(keys)))
    together: dict[tuple[int | None, ...], Sums] = {}
    with database.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(f"{part} GROUP BY {groups}" for part in parts), values)
        for shared, sums in _read(cursor.fetchall(), len(keys)):
            together.setdefault(shared, Sums()).add(sums)
    return list(together.items())


def _queued_in(gaps: Sequence[Gap]) -> tuple[str, list[Any]]:
    """Return the condition that a cycle was queued in one of some gaps, with its values."""
    found: list[str] = []
    values: list[Any] = []
    for gap in gaps:
        ends = [(sign, end) for sign, end in zip((">=", "<"), gap, strict=True) if end is not None]
        found.append(" AND ".join(f"c.queued_at {sign} %s" for sign, _ in ends) or "1 = 1")
        values += [_stored(end) for _, end in ends]
    return f"({' OR '.join(found)})", values


def _stored(moment: datetime | None) -> Any:
    return database.ops.adapt_datetimefield_value(moment)


def grouped(cycles: "QuerySet[TrackingCycle]", *keys: str) -> Summed:
    """Return the sums of cycles grouped by several keys, in one query."""
    return _read(cycles.values_list(*keys).annotate(**SUMMED), len(keys))


def _read(rows: Iterable[tuple[Any, ...]], count: int) -> Summed:
    return [(row[:count], Sums(*(int(value or 0) for value in row[count:]))) for row in rows]


def by_key(rows: Summed, place: int = 0) -> "dict[int | None, Sums]":
    """Return the sums grouped by the key at one position."""
    found: dict[int | None, Sums] = {}
    for keys, sums in rows:
        found.setdefault(keys[place], Sums()).add(sums)
    return found


def added(parts: Iterable[Sums]) -> Sums:
    total = Sums()
    for each in parts:
        total.add(each)
    return total
