"""Working hours (rules/hours §2), in local time.

Moments are local, in the company's time zone, so the hours follow daylight saving time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

# A row of working hours: weekdayEn, startTime, endTime and, for a day with several periods,
# morePeriods.
Schedules = Sequence[Mapping[str, Any]]
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
LUNCH = "lunchtime"
MINUTES_OF_DAY = 24 * 60
# An end at 23:59 means the end of the day.
LAST_MINUTE = MINUTES_OF_DAY - 1
ALWAYS = "always"
# How far back a closed period may begin: a week, and longer with collective holidays.
DAYS_BACK, DAYS_OFF_BACK = 9, 62

# Start and end in minutes since midnight. An end after midnight exceeds `MINUTES_OF_DAY`.
Window = tuple[int, int]
Windows = tuple[Window, ...]
WHOLE_DAY: Windows = ((0, MINUTES_OF_DAY),)
CLOSED: Windows = ()


@dataclass(frozen=True)
class DaysOff:
    """Days with hours of their own (rules/hours §4), closed ones with none.

    `national` is a country's code such as BR, or with a state BR-SP; empty without. A company's
    `own` day comes before a national one.
    """

    own: Mapping[date, Windows] = field(default_factory=dict)
    national: str = ""

    def __bool__(self) -> bool:
        return bool(self.own or self.national)

    def get(self, day: date) -> Windows | None:
        """Return the hours of a day; None for a day like others."""
        windows = self.own.get(day)
        if windows is None and self.national and day in national_days(self.national, day.year):
            return CLOSED
        return windows


NO_DAYS_OFF = DaysOff()


@lru_cache(maxsize=256)
def national_days(code: str, year: int) -> Mapping[date, str]:
    """Return the public holidays of a country, or of one of its states, with their names."""
    # Only companies that want national holidays pay for the library.
    from holidays import country_holidays  # noqa: PLC0415

    country, _, state = code.partition("-")
    found = country_holidays(country, subdiv=state or None, years=year, language="pt_BR")
    return dict(sorted(found.items()))


@dataclass(frozen=True)
class Hours:
    """The hours of each weekday by name, the break of every day, and the days off."""

    days: Mapping[str, Windows]
    pause: Window | None = None
    days_off: DaysOff = NO_DAYS_OFF

    def windows_on(self, day: date) -> Windows:
        """Return the hours that begin on a day; they may end on the next one."""
        special = self.days_off.get(day)
        return self.days.get(WEEKDAYS[day.weekday()], WHOLE_DAY) if special is None else special

    def spans_on(self, day: date) -> list[Window]:
        """Return the open minutes of a calendar day, in order, without its break.

        Those of hours that began the day before are among them.
        """
        late = [
            (start - MINUTES_OF_DAY, end - MINUTES_OF_DAY)
            for start, end in self.windows_on(day - timedelta(days=1))
        ]
        spans: list[Window] = []
        for start, end in sorted(chain(late, self.windows_on(day))):
            begin, until = max(start, spans[-1][1] if spans else 0), min(end, MINUTES_OF_DAY)
            if begin < until:
                spans.append((begin, until))
        if self.pause is not None:
            start, end = self.pause
            for pause in ((start, end), (start - MINUTES_OF_DAY, end - MINUTES_OF_DAY)):
                spans = list(chain.from_iterable(_without(span, pause) for span in spans))
        return spans

    def is_open(self, moment: datetime) -> bool:
        minute = moment.hour * 60 + moment.minute
        return any(start <= minute < end for start, end in self.spans_on(moment.date()))


def is_open(schedules: Schedules, moment: datetime, days_off: DaysOff = NO_DAYS_OFF) -> bool:
    """Tell whether a moment is within the hours and outside the break.

    A day without a row or without times is open; a day with equal times is closed. Hours that end
    before they start continue after midnight. A break without times or with equal times does not
    exist.
    """
    return hours_of(schedules, days_off).is_open(moment)


def closed_period(schedules: Schedules, moment: datetime, days_off: DaysOff = NO_DAYS_OFF) -> str:
    """Return the start of the closed period around a moment, as its name; empty while open."""
    if not schedules and not days_off:
        return ""  # always open
    hours, now = hours_of(schedules, days_off), moment.replace(tzinfo=None)
    if hours.is_open(now):
        return ""
    for end in sorted(_ends_before(hours, now), reverse=True):
        if hours.is_open(end - timedelta(minutes=1)):
            return end.isoformat(timespec="minutes")
    return ALWAYS


def hours_of(schedules: Schedules, days_off: DaysOff = NO_DAYS_OFF) -> Hours:
    """Return stored rows of working hours as hours."""
    days: dict[str, Windows] = {}
    pause: Window | None = None
    for row in schedules:
        day = str(row.get("weekdayEn") or "").lower()
        windows = _windows_of(row)
        if day != LUNCH:
            days[day] = WHOLE_DAY if windows is None else windows
        elif windows:
            pause = windows[0]
    return Hours(days, pause, days_off)


def overlap(row: Mapping[str, Any]) -> bool:
    """Tell whether periods of a day's row overlap, or one after another has no time."""
    windows = _windows_of(row) or CLOSED
    if row.get("morePeriods") and len(windows) != 1 + len(row["morePeriods"]):
        return True
    return any(then[0] < first[1] for first, then in pairwise(sorted(windows)))


def overlap_in_week(schedules: Schedules) -> str:
    """Return the day whose hours after midnight overlap those of the next day, if one has
    several periods; else empty.
    """
    rows = {str(row.get("weekdayEn") or "").lower(): row for row in schedules}
    for day, after in zip(WEEKDAYS, (*WEEKDAYS[1:], WEEKDAYS[0]), strict=True):
        first, then = rows.get(day, {}), rows.get(after, {})
        if not (first.get("morePeriods") or then.get("morePeriods")):
            continue
        late = max((end for _, end in _windows_of(first) or CLOSED), default=0) - MINUTES_OF_DAY
        if any(start < late for start, _ in _windows_of(then) or CLOSED):
            return day
    return ""


def keep_periods(before: Schedules, after: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return new rows with the further periods of the old ones, where a row does not name any.

    Browsers that do not know them leave them out. They are kept where the day's first period is.
    """
    old = {str(row.get("weekdayEn")): row for row in before}
    kept: list[dict[str, Any]] = []
    for row in after:
        was = old.get(str(row.get("weekdayEn")), {})
        is_same = all(was.get(name) == row.get(name) for name in ("startTime", "endTime"))
        keeps = "morePeriods" not in row and is_same and was.get("morePeriods")
        kept.append({**row, "morePeriods": was["morePeriods"]} if keeps else row)
    return kept


def windows_between(times: Sequence[tuple[object, object]]) -> Windows:
    """Return pairs of times like 08:00 as windows; equal times, and what is no time, have none."""
    windows: list[Window] = []
    for start_time, end_time in times:
        start, end = _minute(start_time), _minute(end_time)
        if start is None or end is None or start == end:
            continue
        if end == LAST_MINUTE:
            end = MINUTES_OF_DAY
        windows.append((start, end if end > start else end + MINUTES_OF_DAY))
    return tuple(sorted(windows))


def _windows_of(row: Mapping[str, Any]) -> Windows | None:
    """Return the windows of a row; None if it has no times."""
    if _minute(row.get("startTime")) is None or _minute(row.get("endTime")) is None:
        return None
    more = row.get("morePeriods") or ()
    return windows_between([(each.get("startTime"), each.get("endTime")) for each in (row, *more)])


def _without(span: Window, pause: Window) -> Iterator[Window]:
    if span[0] < min(span[1], pause[0]):
        yield span[0], min(span[1], pause[0])
    if max(span[0], pause[1]) < span[1]:
        yield max(span[0], pause[1]), span[1]


def _ends_before(hours: Hours, now: datetime) -> Iterator[datetime]:
    """Yield the moments before `now`, not too far back, at which hours end or a break starts."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for days in range(DAYS_OFF_BACK if hours.days_off else DAYS_BACK):
        day = midnight - timedelta(days=days)
        ends = [end for _, end in hours.windows_on(day.date())]
        begins = [hours.pause[0]] if hours.pause else []
        for minute in chain(ends, begins):
            end = day + timedelta(minutes=minute)
            if end <= now:
                yield end


def _minute(time: object) -> int | None:
    """Return a time like 08:30 in minutes since midnight; None for anything else."""
    hour, colon, minute = str(time or "").strip().partition(":")
    if not colon or not (hour.isdecimal() and minute[:2].isdecimal()):
        return None
    total = int(hour) * 60 + int(minute[:2])
    return total if total <= MINUTES_OF_DAY else None
