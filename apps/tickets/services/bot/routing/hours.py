"""Working hours (rules/hours §2), in local time.

`moment` is always in the company's time zone, so the hours follow daylight saving time.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain

from apps.tickets.services.bot.routing.inputs import Schedules

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LUNCH = "lunchtime"
MINUTES_OF_DAY = 24 * 60
# An end at 23:59 means the end of the day.
LAST_MINUTE = MINUTES_OF_DAY - 1
ALWAYS = "always"

# Start and end in minutes since midnight. An end after midnight exceeds `MINUTES_OF_DAY`.
Window = tuple[int, int]
WHOLE_DAY: Window = (0, MINUTES_OF_DAY)


def is_open(schedules: Schedules, moment: datetime) -> bool:
    """Tell whether a moment is within the hours and outside the break.

    A day without a row or without times is open; a day with equal times is closed. Hours that end
    before they start continue after midnight. A break without times or with equal times does not
    exist.
    """
    return _is_open(_windows(schedules), moment.replace(tzinfo=None))


def closed_period(schedules: Schedules, moment: datetime) -> str:
    """Return the start of the closed period around a moment, as its name; empty while open."""
    windows, now = _windows(schedules), moment.replace(tzinfo=None)
    if _is_open(windows, now):
        return ""
    for end in sorted(_ends_before(windows, now), reverse=True):
        if _is_open(windows, end - timedelta(minutes=1)):
            return end.isoformat(timespec="minutes")
    return ALWAYS


def _is_open(windows: dict[str, Window | None], now: datetime) -> bool:
    return _covers(windows, now) and not _is_break(windows, now)


def _covers(windows: dict[str, Window | None], now: datetime) -> bool:
    minute = now.hour * 60 + now.minute
    today = windows.get(WEEKDAYS[now.weekday()], WHOLE_DAY)
    yesterday = windows.get(WEEKDAYS[now.weekday() - 1], WHOLE_DAY)
    return _holds(today, minute) or _holds(yesterday, minute + MINUTES_OF_DAY)


def _is_break(windows: dict[str, Window | None], now: datetime) -> bool:
    minute = now.hour * 60 + now.minute
    pause = windows.get(LUNCH)
    return _holds(pause, minute) or _holds(pause, minute + MINUTES_OF_DAY)


def _holds(window: Window | None, minute: int) -> bool:
    return window is not None and window[0] <= minute < window[1]


def _ends_before(windows: dict[str, Window | None], now: datetime) -> Iterator[datetime]:
    """Yield the moments before `now`, about a week back, at which hours end or a break starts."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    pause = windows.get(LUNCH)
    for days in range(9):
        day = midnight - timedelta(days=days)
        window = windows.get(WEEKDAYS[day.weekday()], WHOLE_DAY)
        ends = [window[1]] if window else []
        begins = [pause[0]] if pause else []
        for minute in chain(ends, begins):
            end = day + timedelta(minutes=minute)
            if end <= now:
                yield end


def _windows(schedules: Schedules) -> dict[str, Window | None]:
    """Return the window of each given day and of the break; None for closed days and no break."""
    windows: dict[str, Window | None] = {}
    for row in schedules:
        day = str(row.get("weekdayEn") or "").lower()
        start, end = _minute(row.get("startTime")), _minute(row.get("endTime"))
        if start is None or end is None:
            windows[day] = None if day == LUNCH else WHOLE_DAY
        elif start == end:
            windows[day] = None
        else:
            if end == LAST_MINUTE:
                end = MINUTES_OF_DAY
            windows[day] = (start, end if end > start else end + MINUTES_OF_DAY)
    return windows


def _minute(time: object) -> int | None:
    """Return a time like 08:30 in minutes since midnight; None for anything else."""
    hour, colon, minute = str(time or "").strip().partition(":")
    if not colon or not (hour.isdecimal() and minute[:2].isdecimal()):
        return None
    total = int(hour) * 60 + int(minute[:2])
    return total if total <= MINUTES_OF_DAY else None
