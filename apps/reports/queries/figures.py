"""The figures of a report, each of which is a list of conversations (rules/reports §4)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import (
    Aggregate,
    BigIntegerField,
    Case,
    Count,
    F,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.db.models.functions import ExtractHour, ExtractIsoWeekDay, Greatest

from apps.reports.measures import SECOND, band_of
from apps.reports.queries.asked import Asked, band_case
from apps.reports.queries.clock import Clock
from apps.reports.queries.conversations import clock_of, walk
from apps.tickets.models import TrackingCycle
from apps.tickets.models.elapsed import Elapsed

RATES = (1, 2, 3)
COUNTS: dict[str, Aggregate] = {
    "conversations": Count("pk"),
    "resolved": Count("finished_at"),
    "waiting": Count("pk", filter=Q(finished_at__isnull=True, started_at__isnull=True)),
    "open": Count("pk", filter=Q(finished_at__isnull=True, started_at__isnull=False)),
    "unanswered": Count("pk", filter=Q(rating_asked_at__isnull=False, rate__isnull=True)),
    **{f"rated_{rate}": Count("pk", filter=Q(rate=rate)) for rate in RATES},
}


def _sum(time: F | Elapsed) -> Aggregate:
    """Return the sum of a time, which is 0 where the clock was set back (`measures.elapsed`)."""
    return Sum(Greatest(time, Value(0), output_field=BigIntegerField()))


# How many conversations have each time, and their sum.
TIMES: dict[str, Aggregate] = {
    "wait_count": Count("wait_microseconds"),
    "wait_sum": _sum(F("wait_microseconds")),
    "answer_count": Count("answer_microseconds"),
    "answer_sum": _sum(F("answer_microseconds")),
    "attendance_count": Count("support_microseconds"),
    "attendance_sum": _sum(F("support_microseconds")),
    "resolution_count": Count("finished_at"),
    "resolution_sum": _sum(Elapsed(F("finished_at"), F("queued_at"))),
}
# An unfinished cycle counts for the queue that its ticket has now.
_QUEUE = Case(When(finished_at__isnull=True, then="ticket__queue_id"), default="queue_id")
_MOMENTS = ("queued_at", "pk", "queue_counted", "started_at", "first_answer_at", "finished_at")


@dataclass
class Figures:
    """Counts, and sums of times in microseconds.

    `bands` are the first answers of resolved conversations, `times` the conversations by weekday (1
    is Monday) and hour at which they began to wait, `reasons` the resolved ones, '' without one.
    """

    counts: Counter[str] = field(default_factory=Counter)
    bands: Counter[str] = field(default_factory=Counter)
    times: Counter[tuple[int, int]] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def mean(self, name: str) -> int | None:
        """Return the mean of a time in whole seconds; None of none."""
        count = self.counts[f"{name}_count"]
        return round(self.counts[f"{name}_sum"] / SECOND / count) if count else None

    @property
    def rating(self) -> float | None:
        """Return the mean rating, to a hundredth; None of none."""
        rated = {rate: self.counts[f"rated_{rate}"] for rate in RATES}
        count = sum(rated.values())
        return round(sum(rate * of for rate, of in rated.items()) / count, 2) if count else None

    @property
    def by_reason(self) -> list[tuple[str, int]]:
        """Return the reasons, the most frequent first; without one last."""
        return sorted(self.reasons.items(), key=lambda each: (not each[0], -each[1], each[0]))


def figures_of(asked: Asked) -> Figures:
    """Return the figures of the conversations, in four queries, of a queue in eight.

    By open time their moments are read one after another; only the sums are kept.
    """
    figures = Figures()
    clock = clock_of(asked)
    for cycles in asked.cycles():
        _count(figures, cycles, {**COUNTS} if asked.by_hours else {**COUNTS, **TIMES})
        zone = asked.span.zone
        moments = cycles.annotate(
            weekday=ExtractIsoWeekDay("queued_at", tzinfo=zone),
            hour=ExtractHour("queued_at", tzinfo=zone),
        )
        when = moments.values_list("weekday", "hour").annotate(Count("pk"))
        figures.times.update({(weekday, hour): count for weekday, hour, count in when})
        resolved = cycles.filter(finished_at__isnull=False)
        reasons = resolved.values_list("closing_reason").annotate(Count("pk"))
        figures.reasons.update(dict(reasons))
        if not asked.by_hours:
            bands = resolved.annotate(band=band_case()).values_list("band").annotate(Count("pk"))
            figures.bands.update(dict(bands))
    if asked.by_hours:
        _measure(figures, asked.all_cycles(), clock)
    return figures


def _count(
    figures: Figures, cycles: "QuerySet[TrackingCycle]", wanted: dict[str, Aggregate]
) -> None:
    found = cycles.aggregate(**wanted)
    figures.counts.update({name: int(value or 0) for name, value in found.items()})


def _measure(figures: Figures, cycles: "QuerySet[TrackingCycle]", clock: Clock) -> None:
    """Add the times of cycles by the clock, as `TIMES` and `band_case` do for all time."""
    counts: Counter[str] = Counter()
    for queued_at, _, queue_id, started_at, answered_at, finished_at in walk(
        cycles.annotate(queue_counted=_QUEUE), _MOMENTS
    ):
        answer = clock.between(queue_id, queued_at, answered_at)
        spans: Sequence[tuple[str, int | None]] = (
            ("wait", clock.between(queue_id, queued_at, started_at)),
            ("answer", answer),
            ("attendance", clock.between(queue_id, started_at, finished_at)),
            ("resolution", clock.between(queue_id, queued_at, finished_at)),
        )
        for name, span in spans:
            if span is not None:
                counts[f"{name}_count"] += 1
                counts[f"{name}_sum"] += span
        if finished_at is not None:
            figures.bands[band_of(answer)] += 1
    figures.counts.update(counts)
