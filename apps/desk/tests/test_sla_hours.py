"""Time within hours, against a model that looks at each minute (rules/desk §9)."""

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.common.hours import (
    DaysOff,
    Hours,
    hours_of,
    is_open,
    keep_periods,
    overlap,
    overlap_in_week,
    windows_between,
)
from apps.companies.holidays import WrongHolidays, days_off_in, read_holidays
from apps.desk.decisions.hours import HORIZON, ZERO, Calendar
from apps.desk.tests.slow_hours import DAYS, MINUTE, open_minutes, slow_is_open
from tests.lengths import cases

# The first two have changes of the clock in the time that the cases cover.
ZONES = ("Europe/Lisbon", "America/New_York", "America/Sao_Paulo", "Asia/Kathmandu")
AROUND = datetime(2026, 3, 26, tzinfo=UTC)
QUARTER = 15
quarters = st.integers(0, 95)


def clock_time(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


@st.composite
def periods(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Up to three periods of a day that do not overlap; the last one may end after midnight."""
    count = draw(st.integers(1, 3))
    size = 2 * count
    bounds = sorted(draw(st.lists(quarters, min_size=size, max_size=size, unique=True)))
    times = [clock_time(each * QUARTER) for each in bounds]
    found = list(zip(times[::2], times[1::2], strict=True))
    if draw(st.booleans()):
        # Until some time before the first period of the day after begins.
        found[-1] = (found[-1][0], clock_time(draw(st.integers(0, bounds[0])) * QUARTER))
    return found


@st.composite
def weeks(draw: st.DrawFn) -> list[dict[str, Any]]:
    rows = []
    for day in DAYS:
        kind = draw(st.sampled_from(("closed", "open", "free", "missing")))
        row: dict[str, Any] = {"weekdayEn": day, "startTime": "", "endTime": ""}
        if kind == "closed":
            row |= {"startTime": "00:00", "endTime": "00:00"}
        elif kind == "open":
            first, *more = draw(periods())
            row |= {"startTime": first[0], "endTime": first[1]}
            if more:
                row["morePeriods"] = [{"startTime": a, "endTime": b} for a, b in more]
        if kind != "missing":
            rows.append(row)
    if draw(st.booleans()):
        # It may end after midnight, and one of equal times is none.
        start, end = (clock_time(draw(quarters) * QUARTER) for _ in range(2))
        rows.append({"weekdayEn": "lunchTime", "startTime": start, "endTime": end})
    return rows


days_off = st.dictionaries(
    st.integers(0, 12).map(lambda n: (AROUND + timedelta(days=n)).date()),
    st.sampled_from(([], [("08:00", "12:00")])),
    max_size=4,
)
starts = st.integers(0, 5 * 24 * 60).map(lambda minutes: AROUND + minutes * MINUTE)


def calendar_of(rows: Any, off: Any, zone: ZoneInfo) -> tuple[Calendar, Hours]:
    windows = {day: windows_between(times) for day, times in off.items()}
    hours = hours_of(rows, DaysOff(windows))
    return Calendar(zone, hours), hours


@given(weeks(), days_off, st.sampled_from(ZONES), starts)
@settings(max_examples=cases(300), deadline=None)
def test_a_minute_is_open_as_the_rule_says(
    rows: Any, off: Any, zone_name: str, start: datetime
) -> None:
    _, hours = calendar_of(rows, off, ZoneInfo(zone_name))
    for hour in range(0, 24 * 60, 7):
        local = (start + hour * MINUTE).astimezone(ZoneInfo(zone_name))
        assert hours.is_open(local) == slow_is_open(rows, off, local)


@given(weeks(), days_off, st.sampled_from(ZONES), starts, st.integers(1, 900))
@settings(max_examples=cases(200), deadline=None)
def test_a_span_is_over_after_as_many_open_minutes(
    rows: Any, off: Any, zone_name: str, start: datetime, minutes: int
) -> None:
    zone = ZoneInfo(zone_name)
    calendar, _ = calendar_of(rows, off, zone)
    due = calendar.after(start, minutes * MINUTE)
    # All days may be closed.
    end = start + timedelta(days=9)
    counted = 0
    moment, slow = start, None
    while moment < end and slow is None:
        counted += slow_is_open(rows, off, moment.astimezone(zone))
        moment += MINUTE
        slow = moment if counted == minutes else None
    if slow is None:
        assert due is None or due > end
    else:
        assert due == slow


@given(weeks(), days_off, st.sampled_from(ZONES), starts, st.integers(0, 4 * 24 * 60))
@settings(max_examples=cases(100), deadline=None)
def test_what_has_passed_is_the_open_minutes_between(
    rows: Any, off: Any, zone_name: str, start: datetime, minutes: int
) -> None:
    zone = ZoneInfo(zone_name)
    calendar, _ = calendar_of(rows, off, zone)
    moments = (start + n * MINUTE for n in range(minutes))
    slow = sum(slow_is_open(rows, off, each.astimezone(zone)) for each in moments)
    assert calendar.between(start, start + minutes * MINUTE) == slow * MINUTE


@given(weeks(), st.sampled_from(ZONES), starts, st.integers(1, 600), st.integers(0, 59_999_999))
@settings(max_examples=cases(100), deadline=None)
def test_a_span_and_what_has_passed_agree(
    rows: Any, zone_name: str, start: datetime, minutes: int, microseconds: int
) -> None:
    calendar, _ = calendar_of(rows, {}, ZoneInfo(zone_name))
    start += timedelta(microseconds=microseconds)
    due = calendar.after(start, minutes * MINUTE)
    if due is not None:
        assert calendar.between(start, due) == minutes * MINUTE


def test_without_hours_all_time_counts() -> None:
    calendar = Calendar()
    assert calendar.after(AROUND, 90 * MINUTE) == AROUND + 90 * MINUTE
    assert calendar.between(AROUND, AROUND + 3 * MINUTE) == 3 * MINUTE


def test_time_that_goes_back_has_not_passed() -> None:
    closed = Calendar(UTC, hours_of([]))
    assert Calendar().between(AROUND, AROUND - MINUTE) == ZERO
    assert closed.between(AROUND, AROUND - MINUTE) == ZERO


def test_what_never_opens_is_never_over() -> None:
    rows = [{"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"} for day in DAYS]
    calendar = Calendar(UTC, hours_of(rows))
    assert calendar.after(AROUND, MINUTE) is None
    assert calendar.between(AROUND, AROUND + HORIZON) == ZERO


def test_an_open_minute_of_the_repeated_hour_counts_twice() -> None:
    # In Lisbon 01:00 to 02:00 comes twice on 25 October 2026.
    zone = ZoneInfo("Europe/Lisbon")
    row = {"weekdayEn": "sunday", "startTime": "01:00", "endTime": "02:00"}
    closed = [{"weekdayEn": day, "startTime": "00:00", "endTime": "00:00"} for day in DAYS[:6]]
    calendar = Calendar(zone, hours_of([row, *closed]))
    start = datetime(2026, 10, 25, tzinfo=UTC)
    assert calendar.between(start, start + timedelta(days=1)) == 120 * MINUTE
    slow = open_minutes(calendar.hours.is_open, zone, start)  # type: ignore[union-attr]
    assert len(list(islice(slow, 120))) == 120


def test_national_days_are_those_of_the_state() -> None:
    brazil = days_off_in({"nationalHolidays": "BR", "ownHolidays": ""})
    paulista = days_off_in({"nationalHolidays": "BR-SP", "ownHolidays": ""})
    assert brazil.get(date(2026, 9, 7)) == ()
    assert brazil.get(date(2026, 7, 9)) is None
    assert paulista.get(date(2026, 7, 9)) == ()
    assert brazil.get(date(2026, 9, 8)) is None


def test_a_day_of_the_company_goes_before_a_national_one() -> None:
    text = "2026-12-25 08:00-12:00 Natal com plantão\n2026-12-28 Recesso"
    found = days_off_in({"nationalHolidays": "BR", "ownHolidays": text})
    assert found.get(date(2026, 12, 25)) == ((480, 720),)
    assert found.get(date(2026, 12, 28)) == ()
    noon = datetime(2026, 12, 25, 12)
    assert is_open([], noon - MINUTE, found)
    assert not is_open([], noon, found)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Natal",
            "2026-12-25",
            "2026-02-30 Nunca",
            "1999-01-01 Antes",
            "2026-12-24 12:00-08:00 X",
        ),
        *("2026-12-24 A\n2026-12-24 B", f"2026-12-24 {'x' * 61}"),
        "\n".join(f"{year}-01-{day:02} X" for year in range(2026, 2034) for day in range(1, 31)),
    ],
)
def test_what_is_no_list_of_holidays_is_refused(text: str) -> None:
    with pytest.raises(WrongHolidays):
        read_holidays(text)


def test_holidays_are_stored_by_day() -> None:
    found = read_holidays("2026-12-28  Recesso   geral\n\n2026-12-24 08:00-12:00 Véspera")
    assert [each.line for each in found] == [
        "2026-12-24 08:00-12:00 Véspera",
        "2026-12-28 Recesso geral",
    ]


def test_periods_of_a_day_that_overlap_are_known() -> None:
    def row(*more: tuple[str, str]) -> dict[str, Any]:
        periods = [{"startTime": start, "endTime": end} for start, end in more]
        return {
            "weekdayEn": "monday",
            "startTime": "08:00",
            "endTime": "12:00",
            "morePeriods": periods,
        }

    assert not overlap(row(("13:00", "18:00"), ("20:00", "02:00")))
    assert not overlap(row(("12:00", "18:00")))
    assert overlap(row(("11:59", "18:00")))
    # Nothing is open between equal times.
    assert overlap(row(("13:00", "13:00")))
    tuesday = {"weekdayEn": "tuesday", "startTime": "01:00", "endTime": "05:00"}
    assert overlap_in_week([row(("20:00", "02:00")), tuesday]) == "monday"
    assert overlap_in_week([row(("20:00", "01:00")), tuesday]) == ""


def test_further_periods_stay_where_a_browser_does_not_know_them() -> None:
    more = [{"startTime": "13:00", "endTime": "18:00"}]
    first = {"weekdayEn": "monday", "startTime": "08:00", "endTime": "12:00"}
    stored = [{**first, "morePeriods": more}]
    assert keep_periods(stored, [first]) == stored
    assert keep_periods(stored, [{**first, "morePeriods": []}]) == [{**first, "morePeriods": []}]
    closed = {**first, "startTime": "00:00", "endTime": "00:00"}
    assert keep_periods(stored, [closed]) == [closed]
