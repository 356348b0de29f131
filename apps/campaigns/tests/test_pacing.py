import random
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from apps.campaigns.pacing import (
    Hours,
    Pace,
    closing,
    estimated_finish,
    gap_after,
    next_opening,
    next_send,
)
from tests.lengths import cases

SAO_PAULO = ZoneInfo("America/Sao_Paulo")
DAY = Hours(time(8), time(20), SAO_PAULO)
NIGHT = Hours(time(22), time(2), SAO_PAULO)

paces = some.builds(
    Pace,
    message_interval=some.integers(0, 20),
    longer_interval_after=some.integers(0, 120),
    greater_interval=some.integers(0, 120),
)
moments = some.datetimes(
    datetime(2020, 1, 1),
    datetime(2035, 1, 1),
    timezones=some.just(UTC),
)
zones = some.sampled_from(
    [SAO_PAULO, ZoneInfo("America/New_York"), ZoneInfo("Australia/Lord_Howe"), UTC]
)
minutes = some.integers(0, 24 * 60 - 1).map(lambda count: time(count // 60, count % 60))
windows = some.builds(Hours, opens=minutes, closes=minutes, zone=zones).filter(
    lambda hours: hours.opens != hours.closes
)
chances = some.floats(0, 1)
# A busy machine draws slowly.
patient = settings(
    max_examples=cases(100), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def local(hours: Hours, moment: datetime) -> str:
    return f"{moment.astimezone(hours.zone):%d %H:%M}"


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 11, day, hour, minute, tzinfo=SAO_PAULO)


@patient
@given(paces, some.integers(0, 10_000), chances)
def test_a_pause_is_within_the_settings(pace: Pace, count: int, chance: float) -> None:
    seconds = gap_after(pace, count, chance).total_seconds()
    is_long = count > 0 and pace.longer_interval_after and count % pace.longer_interval_after == 0
    least = pace.greater_interval if is_long else 0
    assert least <= seconds <= least + pace.message_interval


def test_a_thousand_pauses_are_spread_and_every_twentieth_is_longer() -> None:
    pace, chance = Pace(20, 20, 60), random.Random(7)
    gaps = [gap_after(pace, count, chance.random()).total_seconds() for count in range(1, 2001)]
    longer = [gap for place, gap in enumerate(gaps, 1) if place % 20 == 0]
    short = [gap for place, gap in enumerate(gaps, 1) if place % 20]
    assert len(longer) == 100
    assert min(longer) >= 60
    assert max(longer) <= 80
    # As many in each quarter of the interval, give or take a tenth of them.
    quarters = [sum(low <= gap < low + 5 for gap in short) for low in (0, 5, 10, 15)]
    assert all(abs(count - 475) < 48 for count in quarters)


@patient
@given(windows, moments)
def test_what_is_pushed_goes_in_the_window_and_within_a_day(hours: Hours, moment: datetime) -> None:
    found = next_opening(hours, moment)
    # An opening that the change of the clocks leaves out is the moment after it.
    slack = timedelta(hours=1)
    assert moment <= found <= moment + timedelta(hours=25)
    assert hours.is_open(found) or hours.is_open(found + slack) or hours.is_open(found - slack)


@patient
@given(paces, windows, moments, some.integers(0, 500), chances)
def test_the_next_one_never_goes_before_its_pause(
    pace: Pace, hours: Hours, now: datetime, count: int, chance: float
) -> None:
    found = next_send(pace, hours, now=now, count=count, chance=chance)
    assert found >= now + gap_after(pace, count, chance)


def test_the_evening_s_rest_goes_in_the_morning() -> None:
    assert local(DAY, next_opening(DAY, at(24, 19, 59))) == "24 19:59"
    assert local(DAY, next_opening(DAY, at(24, 20))) == "25 08:00"
    assert local(DAY, next_opening(DAY, at(25, 3))) == "25 08:00"


def test_a_window_may_go_over_midnight() -> None:
    assert local(NIGHT, next_opening(NIGHT, at(24, 1))) == "24 01:00"
    assert local(NIGHT, next_opening(NIGHT, at(24, 2))) == "24 22:00"
    assert local(NIGHT, next_opening(NIGHT, at(24, 23))) == "24 23:00"


def test_what_was_handed_over_may_leave_until_the_hours_end() -> None:
    assert closing(None, at(24, 9)) is None
    assert closing(DAY, at(24, 8)) == at(24, 20)
    assert closing(NIGHT, at(24, 23)) == at(25, 2)
    # They ended while it was written.
    assert closing(DAY, at(24, 20)) == at(24, 20)


def test_the_hours_are_those_of_the_company_on_either_side_of_a_change_of_the_clocks() -> None:
    hours = Hours(time(8), time(20), ZoneInfo("America/New_York"))
    before = datetime(2026, 3, 7, 23, tzinfo=UTC)  # 18:00 at UTC-5, still open
    assert next_opening(hours, before) == before
    night = datetime(2026, 3, 8, 3, tzinfo=UTC)  # the clocks go forward at 2:00
    assert next_opening(hours, night) == datetime(2026, 3, 8, 12, tzinfo=UTC)


def test_the_estimate_is_the_mean_with_every_longer_pause() -> None:
    now = at(24, 9)
    # 40 messages: 40 × 10 s, and one pause of 60 s: nobody waits behind the fortieth.
    found = estimated_finish(Pace(20, 20, 60), None, now=now, left=40)
    assert found == now + timedelta(seconds=460)
    # The twentieth has gone: its pause is ahead, and so is the fortieth's.
    found = estimated_finish(Pace(20, 20, 60), None, now=now, left=21, count=20)
    assert found == now + timedelta(seconds=330)
    assert estimated_finish(Pace(), None, now=now, left=0) == now


def test_the_estimate_sleeps_at_night() -> None:
    found = estimated_finish(Pace(20, 0, 0), DAY, now=at(24, 19), left=720)
    assert found is not None
    assert local(DAY, found) == "25 09:00"


def test_there_is_no_estimate_of_what_takes_ten_years() -> None:
    hours = Hours(time(8), time(8, 1), SAO_PAULO)
    assert estimated_finish(Pace(20, 1, 120), hours, now=at(24, 9), left=100_000) is None


@patient
@given(paces, windows, moments, some.integers(0, 300))
def test_the_estimate_is_no_earlier_than_without_a_window(
    pace: Pace, hours: Hours, now: datetime, left: int
) -> None:
    free = estimated_finish(pace, None, now=now, left=left)
    bound = estimated_finish(pace, hours, now=now, left=left)
    assert free is not None
    assert bound is None or bound >= free
