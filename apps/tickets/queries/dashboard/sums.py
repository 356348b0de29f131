"""Sums over cycles from which counts and means are made."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Self

from django.db.models import (
    Aggregate,
    Count,
    DurationField,
    Expression,
    ExpressionWrapper,
    F,
    QuerySet,
    Sum,
)

from apps.tickets.models import TrackingCycle

NONE = timedelta(0)


def _between(first: str, last: str) -> Expression:
    return ExpressionWrapper(F(last) - F(first), DurationField())


SUPPORT = _between("started_at", "finished_at")
WAIT = _between("queued_at", "started_at")
ANSWER = _between("queued_at", "first_answer_at")


# In the order of the fields of `Sums`.
SUMMED: dict[str, Aggregate] = {
    "cycle_count": Count("pk"),
    "finished_count": Count("finished_at"),
    "supported_count": Count(SUPPORT),
    "support_time": Sum(SUPPORT),
    "waited_count": Count("started_at"),
    "wait_time": Sum(WAIT),
    "answered_count": Count("first_answer_at"),
    "answer_time": Sum(ANSWER),
}


@dataclass
class Sums:
    """Counts and times of some cycles; a mean is a time over the count that has one."""

    cycles: int = 0
    finished: int = 0
    supported: int = 0
    support: timedelta = NONE
    waited: int = 0
    wait: timedelta = NONE
    answered: int = 0
    answer: timedelta = NONE

    def add(self, other: Self) -> None:
        """Count others too."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    @classmethod
    def of(cls, values: Iterable[Any]) -> Self:
        """Return the sums that one row of `summed` has behind its key."""
        known: Any = [NONE if value is None else value for value in values]
        return cls(*known)


def summed(cycles: "QuerySet[TrackingCycle]", key: str) -> "dict[int | None, Sums]":
    """Return the sums of cycles by a key, in one query."""
    return {row[0]: Sums.of(row[1:]) for row in cycles.values_list(key).annotate(**SUMMED)}


def minutes(total: timedelta, count: int) -> float:
    """Return a mean in minutes, to a tenth; 0 of none."""
    return round(total.total_seconds() / 60 / count, 1) if count else 0.0
