"""How a person's presence falls on days (rules/reports §5)."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple

from apps.desk.decisions.assignment import Presence

ZERO = timedelta(0)


class Period(NamedTuple):
    """A stretch of a person's timeline; without an end it goes on."""

    presence: str
    reason: str
    start: datetime
    end: datetime | None


class Day(NamedTuple):
    """A calendar day between two midnights of a zone."""

    date: date
    start: datetime
    end: datetime


@dataclass
class Presences:
    """How long a person was present in each way; pauses by their reasons, '' without one."""

    online: timedelta = ZERO
    offline: timedelta = ZERO
    pauses: dict[str, timedelta] = field(default_factory=dict)

    @property
    def is_there(self) -> bool:
        """Tell whether the person was online or paused at all."""
        return bool(self.online or self.pauses)

    @property
    def paused(self) -> timedelta:
        return sum(self.pauses.values(), ZERO)


def spread(periods: Iterable[Period], days: Sequence[Day], now: datetime) -> dict[date, Presences]:
    """Return the presences of each day that has any; nothing counts that is yet to come.

    The days are in order.
    """
    starts = [day.start for day in days]
    found: dict[date, Presences] = {}
    for period in periods:
        end = now if period.end is None else min(period.end, now)
        for day in days[max(bisect_right(starts, period.start) - 1, 0) :]:
            if day.start >= end:
                break
            share = min(end, day.end) - max(period.start, day.start)
            if share <= ZERO:
                continue
            of_day = found.setdefault(day.date, Presences())
            if period.presence == Presence.ONLINE:
                of_day.online += share
            elif period.presence == Presence.OFFLINE:
                of_day.offline += share
            else:
                of_day.pauses[period.reason] = of_day.pauses.get(period.reason, ZERO) + share
    return found
