"""When the next message of a campaign is sent: plain functions, without database and clock.

A campaign stores one time only, that of its next message, and sets it at each handover. So after a
late start, a restart or a lost connection the pauses count from then, and no messages pile up
(rules/campaigns §4).
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

# Ten years. With very short sending hours the finish may be later; then there is no estimate.
LONGEST_ESTIMATE_DAYS = 3650


@dataclass(frozen=True)
class Pace:
    """The three pause settings of a company, in seconds and messages."""

    message_interval: int = 20
    longer_interval_after: int = 20
    greater_interval: int = 60


@dataclass(frozen=True)
class Hours:
    """The daily sending hours of campaigns; they span midnight if `closes` is before `opens`."""

    opens: time
    closes: time
    zone: tzinfo

    def is_open(self, moment: datetime) -> bool:
        """Tell whether a moment is inside the hours, from `opens` until just before `closes`."""
        now = moment.astimezone(self.zone).time()
        if self.opens < self.closes:
            return self.opens <= now < self.closes
        return now >= self.opens or now < self.closes

    def next_of(self, hour: time, moment: datetime) -> datetime:
        """Return the next time after a moment at which the company's local time is `hour`."""
        day: date = moment.astimezone(self.zone).date()
        for _ in range(3):
            found = datetime.combine(day, hour, tzinfo=self.zone).astimezone(UTC)
            if found > moment:
                return found
            day += timedelta(days=1)
        raise AssertionError("unreachable")


def gap_after(pace: Pace, count: int, chance: float) -> timedelta:
    """Return the pause after the `count`th message; `chance` is random, from 0 to 1.

    Before the first message (`count` 0) there is only the random part.
    """
    seconds = pace.message_interval * chance
    if count and pace.longer_interval_after and count % pace.longer_interval_after == 0:
        seconds += pace.greater_interval
    return timedelta(seconds=seconds)


def together(pace: Pace, count: int, most: int) -> int:
    """Return how many of `most` messages may be sent together after the `count`th, at least 1."""
    if pace.message_interval:
        return 1
    if not pace.longer_interval_after or not pace.greater_interval:
        return most
    return min(most, pace.longer_interval_after - count % pace.longer_interval_after)


def next_send(
    pace: Pace, hours: Hours | None, *, now: datetime, count: int, chance: float
) -> datetime:
    """Return when the next message is due, after the `count`th was handed over at `now`."""
    return next_opening(hours, now + gap_after(pace, count, chance))


def next_opening(hours: Hours | None, moment: datetime) -> datetime:
    """Return the moment itself if it is in the sending hours, else their next beginning."""
    if hours is None or hours.is_open(moment):
        return moment
    return hours.next_of(hours.opens, moment)


def closing(hours: Hours | None, moment: datetime) -> datetime | None:
    """Return until when a message handed over at a moment may leave; None means at any hour."""
    if hours is None:
        return None
    return hours.next_of(hours.closes, moment) if hours.is_open(moment) else moment


def days_of_limit(people: int, *, taken: int, limit: int) -> tuple[int, int]:
    """Return after how many full days the last of some people are begun with, and how many these
    are.

    In 24 hours `limit` people may be begun with; `taken` others are begun with before.
    """
    days = (taken + people - 1) // limit
    return days, min(people, taken + people - days * limit)


def estimated_finish(
    pace: Pace,
    hours: Hours | None,
    *,
    now: datetime,
    left: int,
    count: int = 0,
    least_seconds: float = 0.0,
) -> datetime | None:
    """Return when `left` messages after the `count`th have probably been sent.

    Random pauses count with their mean. `least_seconds` is what the connection itself needs for the
    messages. None if the finish is more than ten years away.
    """
    seconds = left * pace.message_interval / 2
    if pace.longer_interval_after and left:
        # No pause follows the last message.
        last, after = count + left - 1, pace.longer_interval_after
        seconds += (last // after - max(count - 1, 0) // after) * pace.greater_interval
    rest = timedelta(seconds=max(seconds, least_seconds))
    moment = next_opening(hours, now)
    if hours is None:
        return moment + rest
    for _ in range(LONGEST_ESTIMATE_DAYS):
        closes = hours.next_of(hours.closes, moment)
        if moment + rest <= closes:
            return moment + rest
        rest -= closes - moment
        moment = next_opening(hours, closes)
    return None
