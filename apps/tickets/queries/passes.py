"""What was said in each cycle of some tickets (rules/reports §2)."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, Self

from django.db.models import Count, Exists, Max, Min, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from apps.tickets.models import BY_PEOPLE, Message, MessageSource, TicketActivity, TrackingCycle


class Said(NamedTuple):
    """How many messages the contact and people wrote, and when the first and last were stored."""

    received: int
    answers: int
    first_at: datetime | None
    last_at: datetime | None


NOTHING = Said(0, 0, None, None)


def cycle_at(ticket: str, moment: str) -> Coalesce:
    """Return the id of the cycle in which a moment of a ticket lies; both are names of fields.

    A cycle lasts until the next one of its ticket begins. What was before all of them belongs to
    the first.
    """
    cycles = TrackingCycle.objects.filter(ticket=OuterRef(ticket)).order_by()
    begun = cycles.alias(begun_at=Coalesce("opened_at", "queued_at")).filter(
        begun_at__lte=OuterRef(moment)
    )
    return Coalesce(
        Subquery(begun.order_by("-pk").values("pk")[:1]),
        Subquery(cycles.order_by("pk").values("pk")[:1]),
    )


def first_answer() -> Subquery:
    """Return the time of a person's first message in the cycle, as a subquery."""
    written = Message.objects.filter(
        ticket=OuterRef("ticket"),
        from_me=True,
        source__in=BY_PEOPLE,
        created_at__gte=OuterRef("queued_at"),
    )
    return Subquery(written.order_by("created_at").values("created_at")[:1])


def first_answers_of(cycle_ids: Collection[int]) -> dict[int, datetime]:
    """Return when people first answered in these cycles, by their ids; for none without a query."""
    if not cycle_ids:
        return {}
    rows = TrackingCycle.objects.filter(pk__in=cycle_ids).order_by()
    found = rows.annotate(answered_at=first_answer()).values_list("pk", "answered_at")
    return {pk: answered_at for pk, answered_at in found if answered_at is not None}


def worked_in(user_id: int, when: Q) -> frozenset[int]:
    """Return the ids of the cycles in which a person wrote by hand or acted, in two queries.

    `when` is a condition on `created_at`.
    """
    written = Message.objects.filter(when, user=user_id, source=MessageSource.AGENT)
    acts = TicketActivity.objects.filter(when, actor=user_id)
    found: set[int] = set()
    for rows in (written, acts):
        of = rows.order_by().annotate(cycle=cycle_at("ticket", "created_at"))
        found.update(pk for pk in of.values_list("cycle", flat=True).distinct() if pk is not None)
    return frozenset(found)


class Time(NamedTuple):
    """From when and until when a ticket is looked at; None is an open end."""

    start: datetime | None
    end: datetime | None

    def to(self, other: Self) -> Self:
        """Return from the earlier start until the later end; an open end stays open."""
        return type(self)(
            None if self.start is None or other.start is None else min(self.start, other.start),
            None if self.end is None or other.end is None else max(self.end, other.end),
        )


def times_of(cycle_ids: Iterable[int]) -> dict[int, Time]:
    """Return the times in which some cycles lie, by their tickets' ids, in one query."""
    of_ticket = TrackingCycle.objects.filter(ticket=OuterRef("ticket")).order_by()
    begun = Coalesce("opened_at", "queued_at")
    later = of_ticket.filter(pk__gt=OuterRef("pk")).annotate(begun_at=begun).order_by("pk")
    rows = (
        TrackingCycle.objects.filter(pk__in=list(cycle_ids))
        .order_by()
        .annotate(
            begun_at=begun,
            has_earlier=Exists(of_ticket.filter(pk__lt=OuterRef("pk"))),
            end=Subquery(later.values("begun_at")[:1]),
        )
        .values_list("ticket_id", "begun_at", "has_earlier", "end")
    )
    found: dict[int, Time] = {}
    for ticket_id, begun_at, has_earlier, end in rows:
        # What was before the first cycle belongs to it.
        time = Time(begun_at if has_earlier else None, end)
        known = found.get(ticket_id)
        found[ticket_id] = time if known is None else known.to(time)
    return found


def within(times: Mapping[int, Time], moment: str) -> Q:
    """Return the condition for rows of tickets whose moment, a field, is in their times."""
    whole = [ticket_id for ticket_id, time in times.items() if time == (None, None)]
    condition = Q(ticket__in=whole)
    for ticket_id, (start, end) in times.items():
        bounds = {}
        if start is not None:
            bounds[f"{moment}__gte"] = start
        if end is not None:
            bounds[f"{moment}__lt"] = end
        if bounds:
            condition |= Q(ticket=ticket_id, **bounds)
    return condition


def said_in(times: Mapping[int, Time]) -> dict[int, Said]:
    """Return what was said in the cycles of these times, by the cycle's id, in one query.

    Of a ticket with many cycles it looks at no messages of other ones.
    """
    said = (
        Message.objects.filter(within(times, "created_at"))
        .order_by()
        .annotate(cycle=cycle_at("ticket", "created_at"))
        .values("cycle")
        .annotate(
            received=Count("pk", filter=Q(from_me=False)),
            answers=Count("pk", filter=Q(from_me=True, source__in=BY_PEOPLE)),
            first=Min("created_at"),
            last=Max("created_at"),
        )
        .values_list("cycle", "received", "answers", "first", "last")
    )
    return {pk: Said(*values) for pk, *values in said if pk is not None}
