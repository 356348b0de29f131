"""Sums over cycles from which counts and means are made."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from django.db.models import Aggregate, Count, QuerySet, Sum

from apps.tickets.models import TrackingCycle

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


def summed(cycles: "QuerySet[TrackingCycle]", *keys: str) -> Summed:
    """Return the sums of cycles grouped by several keys, in one query."""
    rows = cycles.values_list(*keys).annotate(**SUMMED)
    count = len(keys)
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
