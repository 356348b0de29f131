"""Times between two moments, all of them or open ones, and the bands of first answers.

See rules/reports §3 and §4. Times are in microseconds.
"""

from bisect import bisect_right
from datetime import datetime, timedelta

from apps.desk.decisions.hours import Calendar

MICROSECOND, SECOND = timedelta(microseconds=1), 1_000_000
# The longest time of each band, in seconds.
BANDS = {"1m": 60, "5m": 300, "15m": 900, "1h": 3600, "4h": 14_400, "24h": 86_400}
# Later than all of them, and never.
MORE, NEVER = "more", "never"
BAND_NAMES = (*BANDS, MORE, NEVER)
# How far ahead a calendar is read at once.
AHEAD = timedelta(days=35)


def band_of(answer: int | None) -> str:
    """Return the band of a resolved conversation's first answer; None: nobody answered."""
    if answer is None:
        return NEVER
    return next((name for name, most in BANDS.items() if answer <= most * SECOND), MORE)


def elapsed(start: datetime, end: datetime) -> int:
    """Return all time between two moments; 0 if the clock was set back."""
    return max((end - start) // MICROSECOND, 0)


class OpenTime:
    """Open time between moments of one calendar, for many of them: two look-ups each.

    A calendar is read once from `since` on, as far as it is asked for. Before `since` no time is
    open.
    """

    def __init__(self, calendar: Calendar, since: datetime) -> None:
        self._calendar = calendar
        self._until = since
        self._starts: list[datetime] = []
        self._ends: list[datetime] = []
        # What was open before each start.
        self._sums: list[timedelta] = []

    def between(self, start: datetime, end: datetime) -> int:
        """Return the open time; 0 if the clock was set back."""
        if self._calendar.hours is None:
            return elapsed(start, end)
        return max((self._before(end) - self._before(start)) // MICROSECOND, 0)

    def _before(self, moment: datetime) -> timedelta:
        """Return the open time from the beginning to a moment."""
        if moment > self._until:
            self._read(moment + AHEAD)
        place = bisect_right(self._starts, moment) - 1
        if place < 0:
            return timedelta(0)
        return self._sums[place] + min(moment, self._ends[place]) - self._starts[place]

    def _read(self, until: datetime) -> None:
        total = timedelta(0)
        if self._starts:
            total = self._sums[-1] + self._ends[-1] - self._starts[-1]
        for start, end in self._calendar.spans(self._until, until):
            self._starts.append(start)
            self._ends.append(end)
            self._sums.append(total)
            total += end - start
        self._until = until
