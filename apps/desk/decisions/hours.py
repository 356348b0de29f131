"""Time within working hours: what has passed, and when a span of it is over (rules/desk §9)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

from apps.common.hours import Hours

# Nothing that is closed for longer than this has a deadline.
HORIZON = timedelta(days=400)
_DAY, _MINUTE, _SECOND = timedelta(days=1), timedelta(minutes=1), timedelta(seconds=1)
ZERO = timedelta(0)


@dataclass(frozen=True)
class Calendar:
    """The hours that apply, in a zone; without `hours` all time counts.

    A minute counts if `Hours.is_open` says so of its local time, also where clocks change.
    """

    zone: tzinfo = UTC
    hours: Hours | None = None

    def is_open(self, moment: datetime) -> bool:
        return self.hours is None or self.hours.is_open(_naive(moment.astimezone(self.zone)))

    def after(self, start: datetime, span: timedelta) -> datetime | None:
        """Return when a span of open time after a moment is over; None if not within HORIZON."""
        if self.hours is None or span <= ZERO:
            return start + max(span, ZERO)
        left = span
        for begin, end in self.spans(start, start + HORIZON):
            if left <= end - begin:
                return begin + left
            left -= end - begin
        return None

    def between(self, start: datetime, end: datetime) -> timedelta:
        """Return the open time between two moments; none if the clock was set back."""
        if self.hours is None:
            return max(end - start, ZERO)
        return sum((until - begin for begin, until in self.spans(start, end)), ZERO)

    def spans(self, start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the open spans between two moments, in order, in UTC."""
        if self.hours is None:
            return
        for begin, until, offset in self._steady(start.astimezone(UTC), end.astimezone(UTC)):
            local, local_end = _naive(begin + offset), _naive(until + offset)
            day = local.date()
            while datetime.combine(day, time()) < local_end:
                midnight = datetime.combine(day, time())
                for first, last in self.hours.spans_on(day):
                    opens = max(midnight + first * _MINUTE, local)
                    closes = min(midnight + last * _MINUTE, local_end)
                    if opens < closes:
                        yield _utc(opens) - offset, _utc(closes) - offset
                day += _DAY

    def _steady(
        self, start: datetime, end: datetime
    ) -> Iterator[tuple[datetime, datetime, timedelta]]:
        """Yield the parts of a span of at most a day each, in which the zone's offset is one."""
        while start < end:
            offset, until = self._offset(start), min(start + _DAY, end)
            if self._offset(until) != offset:
                until = min(self._change(start, until), end)
            yield start, until, offset
            start = until

    def _change(self, start: datetime, end: datetime) -> datetime:
        """Return the first second after `start`, up to `end`, at which another offset holds."""
        before, since = start.replace(microsecond=0), end
        while since - before > _SECOND:
            middle = before + timedelta(seconds=(since - before) // _SECOND // 2)
            if self._offset(middle) == self._offset(start):
                before = middle
            else:
                since = middle
        return since.replace(microsecond=0)

    def _offset(self, moment: datetime) -> timedelta:
        return moment.astimezone(self.zone).utcoffset() or ZERO


def _naive(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None)


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)
