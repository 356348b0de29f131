"""What a report is asked for (rules/reports §1)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Self

from django.db.models import Case, CharField, Exists, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import ExtractHour, ExtractIsoWeekDay

from apps.common.errors import InvalidInput
from apps.common.serializers import MAX_ID
from apps.reports.measures import BANDS, MORE, NEVER, SECOND
from apps.tickets.models import TicketTag, TrackingCycle
from apps.tickets.queries.dashboard import Span

STATES = ("waiting", "open", "resolved")
# Of conversations: rated at all, or asked for a rating without an answer.
RATED, UNANSWERED = "any", "unanswered"
RATINGS = ("1", "2", "3", RATED, UNANSWERED)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CURSOR = re.compile(r"(\d{1,16})-(\d{1,19})")


@dataclass(frozen=True)
class Place:
    """A conversation's place in the list, which is in the order of `queued_at` and `id`."""

    queued_at: datetime
    id: int

    def __str__(self) -> str:
        return f"{(self.queued_at - _EPOCH) // _MICROSECOND}-{self.id}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the place that `str` wrote; raises InvalidInput for any other text."""
        found = _CURSOR.fullmatch(text)
        if found and int(found[2]) <= MAX_ID:
            return cls(_EPOCH + int(found[1]) * _MICROSECOND, int(found[2]))
        sentence = "Esta página não existe. Abra a lista de novo."
        raise InvalidInput(sentence, fields={"cursor": [sentence]}, rule="invalid")


def band_case() -> Case:
    """Return the band of a cycle's first answer as an expression; '' of an unfinished one.

    It equals `measures.band_of` of all time.
    """
    within = [
        When(answer_microseconds__lte=most * SECOND, then=Value(name))
        for name, most in BANDS.items()
    ]
    return Case(
        When(finished_at__isnull=True, then=Value("")),
        When(first_answer_at__isnull=True, then=Value(NEVER)),
        *within,
        default=Value(MORE),
        output_field=CharField(),
    )


@dataclass(frozen=True)
class Asked:
    """The conversations of a report, and by which clock their times are counted.

    0 stands for no queue, no connection and nobody. `weekday` is 1 (Monday) to 7. `reason` is that
    of resolving, '' for those without one. `whose` is what the caller may see at all. With `only`,
    ids of conversations, the span says nothing of when they were queued.
    """

    company_id: int
    span: Span
    whose: Q
    by_hours: bool = False
    user_id: int | None = None
    queue_id: int | None = None
    connection_id: int | None = None
    tag_id: int | None = None
    state: str = ""
    reason: str | None = None
    rating: str = ""
    band: str = ""
    weekday: int | None = None
    hour: int | None = None
    is_accepted: bool = False
    is_answered: bool = False
    only: frozenset[int] | None = None

    @property
    def sieves_bands(self) -> bool:
        """Tell whether the band is to be found by open time, which the database does not know."""
        return bool(self.band) and self.by_hours

    def cycles(self) -> "Sequence[QuerySet[TrackingCycle]]":
        """Return the cycles as unordered sets without a common row, of one or two statements.

        Asked for a queue there are two: an unfinished cycle counts for the queue that its ticket
        has now. It comes first, so that one that finishes meanwhile is in both rather than in none.
        """
        if self.queue_id is None:
            return [self._cycles()]
        return [self._cycles().filter(condition) for condition in self._of_queue()]

    def all_cycles(self) -> "QuerySet[TrackingCycle]":
        """Return the cycles as one unordered set, for what reads all of them in parts.

        None that finishes between two parts is in none, as it may be where there are two sets.
        """
        if self.queue_id is None:
            return self._cycles()
        unfinished, finished = self._of_queue()
        return self._cycles().filter(unfinished | finished)

    def _of_queue(self) -> tuple[Q, Q]:
        """Return the conditions of a queue, for unfinished cycles and for finished ones."""
        queue = self.queue_id or None
        return (
            Q(finished_at__isnull=True, ticket__queue=queue),
            Q(finished_at__isnull=False, queue=queue),
        )

    def _cycles(self) -> "QuerySet[TrackingCycle]":
        """Return the cycles of any queue."""
        cycles = TrackingCycle.objects.for_company(self.company_id).order_by()
        when = self.span.holds() if self.only is None else Q(pk__among=sorted(self.only))
        cycles = cycles.filter(self.whose, when, self._conditions())
        if self.tag_id is not None:
            tagged = TicketTag.objects.filter(ticket=OuterRef("ticket"), tag=self.tag_id)
            cycles = cycles.filter(Exists(tagged))
        if self.weekday is not None:
            day = ExtractIsoWeekDay("queued_at", tzinfo=self.span.zone)
            cycles = cycles.alias(weekday=day).filter(weekday=self.weekday)
        if self.hour is not None:
            hour = ExtractHour("queued_at", tzinfo=self.span.zone)
            cycles = cycles.alias(hour=hour).filter(hour=self.hour)
        if self.band:
            cycles = cycles.filter(finished_at__isnull=False)
            if not self.by_hours:
                cycles = cycles.alias(band=band_case()).filter(band=self.band)
        return cycles

    def _conditions(self) -> Q:
        condition = Q()
        if self.user_id is not None:
            condition &= Q(user=self.user_id or None)
        if self.connection_id is not None:
            condition &= Q(connection=self.connection_id or None)
        if self.state:
            condition &= Q(finished_at__isnull=self.state != "resolved")
        if self.state in ("waiting", "open"):
            condition &= Q(started_at__isnull=self.state == "waiting")
        if self.reason is not None:
            condition &= Q(finished_at__isnull=False, closing_reason=self.reason)
        if self.is_accepted:
            condition &= Q(started_at__isnull=False)
        if self.is_answered:
            condition &= Q(first_answer_at__isnull=False)
        if self.rating == RATED:
            condition &= Q(rate__isnull=False)
        elif self.rating == UNANSWERED:
            condition &= Q(rating_asked_at__isnull=False, rate__isnull=True)
        elif self.rating:
            condition &= Q(rate__isnull=False, rate=int(self.rating))
        return condition
