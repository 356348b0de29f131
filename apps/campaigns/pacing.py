"""When the next message of a campaign goes: plain functions, without database and clock.

A campaign has one moment, that of its next message, and it moves when a message is handed over. So
a late start, a restart and a lost connection all pace from then, and nothing piles up behind them
(rules/campaigns §4).
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

# Ten years: whoever set so narrow a window is told no time.
LONGEST_ESTIMATE_DAYS = 3650


@dataclass(frozen=True)
class Pace:
    """The three intervals of a company's settings, in seconds and messages."""

    message_interval: int = 20
    longer_interval_after: int = 20
    greater_interval: int = 60


@dataclass(frozen=True)
class Hours:
    """The hours of the day in which campaigns may write; over midnight when it closes earlier."""

    opens: time
    closes: time
    zone: tzinfo

    def is_open(self, moment: datetime) -> bool:
        """Tell whether a message may go; the opening minute counts, the closing one does not."""
        now = moment.astimezone(self.zone).time()
        if self.opens < self.closes:
            return self.opens <= now < self.closes
        return now >= self.opens or now < self.closes

    def next_of(self, hour: time, moment: datetime) -> datetime:
        """Return the next time, after a moment, at which the company's clocks show an hour."""
        day: date = moment.astimezone(self.zone).date()
        for _ in range(3):
            found = datetime.combine(day, hour, tzinfo=self.zone).astimezone(UTC)
            if found > moment:
                return found
            day += timedelta(days=1)
        raise AssertionError("unreachable")


def gap_after(pace: Pace, count: int, chance: float) -> timedelta:
    """Return the pause behind the `count`th message; `chance` is random, from 0 to 1.

    Before the first one, whose count is 0, there is the random part alone.
    """
    seconds = pace.message_interval * chance
    if count and pace.longer_interval_after and count % pace.longer_interval_after == 0:
        seconds += pace.greater_interval
    return timedelta(seconds=seconds)


def together(pace: Pace, count: int, most: int) -> int:
    """Return how many of `most` messages behind the `count`th go at one moment, 1 at least."""
    if pace.message_interval:
        return 1
    if not pace.longer_interval_after or not pace.greater_interval:
        return most
    return min(most, pace.longer_interval_after - count % pace.longer_interval_after)


def next_send(
    pace: Pace, hours: Hours | None, *, now: datetime, count: int, chance: float
) -> datetime:
    """Return when the message behind the `count`th goes, `now` that this one was handed over."""
    return next_opening(hours, now + gap_after(pace, count, chance))


def next_opening(hours: Hours | None, moment: datetime) -> datetime:
    """Return a moment that lies in the sending hours, or else their next beginning."""
    if hours is None or hours.is_open(moment):
        return moment
    return hours.next_of(hours.opens, moment)


def closing(hours: Hours | None, moment: datetime) -> datetime | None:
    """Return until when what goes at a moment may leave, None: at any hour."""
    if hours is None:
        return None
    return hours.next_of(hours.closes, moment) if hours.is_open(moment) else moment


def estimated_finish(
    pace: Pace,
    hours: Hours | None,
    *,
    now: datetime,
    left: int,
    count: int = 0,
    least_seconds: float = 0.0,
) -> datetime | None:
    """Return when `left` messages behind the `count`th have probably gone.

    Chance is taken at its mean; the connection itself takes `least_seconds` for them. None where
    that is more than ten years away.
    """
    seconds = left * pace.message_interval / 2
    if pace.longer_interval_after and left:
        # Behind the last message nobody waits.
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
