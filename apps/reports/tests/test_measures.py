"""Open time by two look-ups equals what the calendar counts, and days hold what fell on them."""

from datetime import UTC, datetime, timedelta, timezone
from random import Random
from zoneinfo import ZoneInfo

import pytest

from apps.common.hours import hours_of
from apps.desk.decisions.hours import Calendar
from apps.reports.measures import BAND_NAMES, BANDS, MORE, NEVER, SECOND, OpenTime, band_of, elapsed
from apps.reports.timelines import Day, Period, spread

ROWS = [
    {"weekdayEn": "monday", "startTime": "08:00", "endTime": "18:00"},
    {"weekdayEn": "tuesday", "startTime": "22:00", "endTime": "05:00"},
    {"weekdayEn": "wednesday", "startTime": "10:00", "endTime": "10:00"},
    {"weekdayEn": "lunchtime", "startTime": "12:00", "endTime": "13:00"},
]
BEGIN = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize("zone", ["America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe"])
def test_open_time_is_what_the_calendar_counts(zone: str) -> None:
    random = Random(zone)
    calendar = Calendar(ZoneInfo(zone), hours_of(ROWS))
    times = OpenTime(calendar, BEGIN)
    for _ in range(300):
        start = BEGIN + timedelta(seconds=random.randrange(86_400 * 120), microseconds=7)
        end = start + timedelta(seconds=random.choice([0, 5, 3600, 90_000, 86_400 * 40]))
        expected = calendar.between(start, end) // timedelta(microseconds=1)
        assert times.between(start, end) == expected
        assert times.between(end, start) == 0


def test_a_clock_that_was_set_back_counts_nothing() -> None:
    assert elapsed(BEGIN, BEGIN - timedelta(seconds=3)) == 0
    assert elapsed(BEGIN, BEGIN + timedelta(seconds=3)) == 3 * SECOND


def test_without_hours_all_time_is_open() -> None:
    times = OpenTime(Calendar(), BEGIN)
    assert times.between(BEGIN, BEGIN + timedelta(hours=2)) == 7200 * SECOND
    assert times.between(BEGIN, BEGIN - timedelta(hours=2)) == 0


def test_nothing_is_open_where_no_hours_are() -> None:
    closed = [
        {"weekdayEn": day, "startTime": "10:00", "endTime": "10:00"}
        for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    ]
    times = OpenTime(Calendar(UTC, hours_of(closed)), BEGIN)
    assert times.between(BEGIN, BEGIN + timedelta(days=9)) == 0


def test_a_band_holds_its_longest_time() -> None:
    for name, most in BANDS.items():
        assert band_of(most * SECOND) == name
        assert band_of(most * SECOND + 1) != name
    assert band_of(10**12) == MORE
    assert band_of(None) == NEVER
    assert band_of(0) == BAND_NAMES[0]


def at(hour: float, day: int = 1) -> datetime:
    return datetime(2026, 6, day, tzinfo=UTC) + timedelta(hours=hour)


DAYS = [Day(at(0, day).date(), at(0, day), at(0, day + 1)) for day in (1, 2, 3)]


def test_a_period_falls_on_the_days_that_it_touches() -> None:
    periods = [
        Period("online", "", at(-5), at(10)),
        Period("paused", "Almoço", at(10), at(11)),
        Period("paused", "", at(11), at(11.5)),
        Period("online", "", at(11.5), at(20)),
        Period("offline", "", at(20), at(8, 2)),
        Period("online", "", at(8, 2), None),
    ]
    found = spread(periods, DAYS, now=at(9, 2))
    first, second = (found[day.date] for day in DAYS[:2])
    assert first.online == timedelta(hours=18.5)
    assert first.pauses == {"Almoço": timedelta(hours=1), "": timedelta(minutes=30)}
    assert first.paused == timedelta(hours=1.5)
    assert first.offline == timedelta(hours=4)
    assert (second.online, second.offline) == (timedelta(hours=1), timedelta(hours=8))
    assert len(found) == 2


def test_days_are_spread_as_by_every_minute() -> None:
    random = Random(5)
    for _ in range(40):
        moments = sorted(at(random.randrange(-600, 5400) / 60) for _ in range(7))
        kinds = [random.choice(["online", "paused", "offline"]) for _ in moments]
        ends = [*moments[1:], None]
        periods = [
            Period(kind, "", start, end)
            for kind, start, end in zip(kinds, moments, ends, strict=True)
        ]
        now = at(random.randrange(0, 90))
        found = spread(periods, DAYS, now)
        for day in DAYS:
            minutes = {"online": 0, "paused": 0, "offline": 0}
            for minute in range(24 * 60):
                moment = day.start + timedelta(minutes=minute)
                held = [p.presence for p in periods if p.start <= moment < (p.end or now)]
                if held and moment < now:
                    minutes[held[0]] += 1
            of_day = found.get(day.date)
            told = {"online": 0, "paused": 0, "offline": 0}
            if of_day:
                minute_long = timedelta(minutes=1)
                told = {
                    "online": of_day.online // minute_long,
                    "paused": of_day.paused // minute_long,
                    "offline": of_day.offline // minute_long,
                }
            assert told == minutes


def test_a_day_of_another_zone_has_its_own_midnights() -> None:
    zone = timezone(timedelta(hours=-3))
    start = datetime(2026, 6, 1, tzinfo=zone)
    day = Day(start.date(), start, start + timedelta(days=1))
    found = spread([Period("online", "", at(0), at(4))], [day], now=at(5))
    assert found[day.date].online == timedelta(hours=1)
