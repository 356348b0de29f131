"""What was said in each cycle of some tickets (rules/reports §2)."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Max, Min, OuterRef, Q, Subquery
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


def said_in(ticket_ids: Iterable[int]) -> dict[int, Said]:
    """Return what was said in the cycles of these tickets, by the cycle's id, in one query."""
    said = (
        Message.objects.filter(ticket__in=list(ticket_ids))
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
