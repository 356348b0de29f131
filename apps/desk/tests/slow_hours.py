"""Working hours minute by minute, as the rule says them (rules/hours §2): slow and plain."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MINUTE = timedelta(minutes=1)
Row = Mapping[str, Any]
# Hours of a day off by day; none: closed.
Off = Mapping[date, Sequence[tuple[str, str]]]
IsOpen = Callable[[datetime], bool]


def _number(text: str) -> int:
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)


def _covers(start: str, end: str, minute: int) -> tuple[bool, bool]:
    """Tell whether a period holds a minute of its own day, and one of the day after."""
    first, last = _number(start), _number(end)
    if first == last:
        return False, False
    if last == 23 * 60 + 59:
        last = 24 * 60
    if first < last:
        return first <= minute < last, False
    return minute >= first, minute < last


def _periods(rows: Sequence[Row], off: Off, day: date) -> list[tuple[str, str]]:
    if day in off:
        return list(off[day])
    for row in rows:
        if row["weekdayEn"] == DAYS[day.weekday()] and row["startTime"]:
            more = row.get("morePeriods", ())
            return [(each["startTime"], each["endTime"]) for each in (row, *more)]
    # The whole day.
    return [("00:00", "23:59")]


def slow_is_open(rows: Sequence[Row], off: Off, local: datetime) -> bool:
    minute = local.hour * 60 + local.minute
    today = _periods(rows, off, local.date())
    before = _periods(rows, off, local.date() - timedelta(days=1))
    is_in = any(_covers(start, end, minute)[0] for start, end in today)
    is_in = is_in or any(_covers(start, end, minute)[1] for start, end in before)
    for row in rows:
        if row["weekdayEn"] == "lunchTime" and row["startTime"]:
            is_in = is_in and not any(_covers(row["startTime"], row["endTime"], minute))
    return is_in


def open_minutes(is_open: IsOpen, zone: tzinfo, start: datetime) -> Iterator[datetime]:
    """Yield the open minutes from a whole minute on, for ever."""
    moment = start.astimezone(UTC)
    while True:
        if is_open(moment.astimezone(zone)):
            yield moment
        moment += MINUTE
