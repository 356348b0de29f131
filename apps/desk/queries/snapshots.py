"""What a decision goes by, read with few rows however large the company is (rules/desk §3).

Only people who could be given something are read, and what waits in parts.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import F, OuterRef, Q, QuerySet, Subquery

from apps.accounts.models import UserQueue
from apps.common.hours import is_open
from apps.companies.queries import zone_of
from apps.desk.decisions.assignment import (
    Channel,
    Mode,
    Order,
    Person,
    Policy,
    Presence,
    Snapshot,
    Waiting,
)
from apps.desk.decisions.assignment import (
    Turn as TurnNow,
)
from apps.desk.models import Assignment, AssignmentLog, AssignmentPolicy, Seat, Turn
from apps.tickets.models import TicketTag

# Of each queue: more are given by the decisions that follow.
MOST_AT_ONCE = 20
# Of a queue whose first tickets nobody can take.
MOST_BEYOND = 200
# The last ticket of a part: its priority, moment and id, in the order of its queue.
Place = tuple[int, datetime, int]


def automatic_policies(company_id: int, queue_ids: Collection[int]) -> dict[int, Policy]:
    """Return the policies, by queue, of those queues that give by themselves."""
    found = AssignmentPolicy.objects.for_company(company_id).exclude(mode=Mode.MANUAL)
    return {each.queue_id: each.rules for each in found.filter(queue__in=queue_ids)}


def read_snapshot(
    company_id: int,
    queue_ids: Collection[int],
    now: datetime,
    beyond: Mapping[int, Place] | None = None,
) -> Snapshot:
    """Return what a decision about these queues goes by; `beyond` is after which place in each."""
    policies = automatic_policies(company_id, queue_ids)
    waiting = _waiting(policies, beyond or {})
    if not waiting:
        return Snapshot(now, policies, (), ())
    people = _people(company_id, {each.queue_id for each in waiting}, now)
    return Snapshot(now, policies, waiting, people)


def places_after(snapshot: Snapshot, beyond: Mapping[int, Place]) -> dict[int, Place]:
    """Return where the next part begins in each queue that has one."""
    places: dict[int, Place] = {}
    for queue_id, policy in snapshot.policies.items():
        rows = [each for each in snapshot.waiting if each.queue_id == queue_id]
        if len(rows) == _most(queue_id, beyond):
            last = rows[-1]
            moment = last.opened_at if policy.order == Order.OLDEST else last.since
            places[queue_id] = (last.priority, moment, last.id)
    return places


def _most(queue_id: int, beyond: Mapping[int, Place]) -> int:
    return MOST_BEYOND if queue_id in beyond else MOST_AT_ONCE


def _waiting(policies: dict[int, Policy], beyond: Mapping[int, Place]) -> list[Waiting]:
    rows: list[Assignment] = []
    for queue_id, policy in sorted(policies.items()):
        moment = "opened_at" if policy.order == Order.OLDEST else "since"
        ready = Assignment.objects.filter(queue=queue_id, is_ready=True)
        if queue_id in beyond:
            priority, at, pk = beyond[queue_id]
            later = Q(**{f"{moment}__gt": at}) | Q(**{moment: at}, pk__gt=pk)
            ready = ready.filter(
                Q(priority__gt=priority) | Q(later, priority=priority), priority__gte=priority
            )
        rows += ready.order_by("priority", moment, "pk")[: _most(queue_id, beyond)]
    asked = _asked_skills([row.pk for row in rows])
    return [
        Waiting(
            id=row.pk,
            queue_id=row.queue_id or 0,
            since=row.since,
            opened_at=row.opened_at,
            priority=row.priority,
            channel=Channel(row.channel),
            skills=frozenset(asked.get(row.pk, ())),
            prefers=row.prefers_id,
            prefers_until=row.prefers_until,
            returned_by=frozenset(row.returned_by),
        )
        for row in rows
    ]


def _asked_skills(ticket_ids: Collection[int]) -> dict[int, set[int]]:
    """Return the tags by which tickets ask for a skill: those that somebody has as one."""
    asked: defaultdict[int, set[int]] = defaultdict(set)
    if ticket_ids:
        skills = Seat.skills.through._default_manager.values("tag_id")
        tags = TicketTag.objects.filter(ticket__in=ticket_ids, tag__in=skills)
        for ticket_id, tag_id in tags.values_list("ticket_id", "tag_id"):
            asked[ticket_id].add(tag_id)
    return asked


def may_take(now: datetime) -> Q:
    """Return the condition of seats to which something could be given."""
    has_room = Q(capacity=0) | Q(load__lt=F("capacity"))
    return has_room & Q(presence=Presence.ONLINE, seen_until__gt=now, user__is_active=True)


def _people(company_id: int, queue_ids: Collection[int], now: datetime) -> list[Person]:
    members = UserQueue.objects.filter(queue__in=queue_ids)
    free = Seat.objects.for_company(company_id).filter(
        may_take(now), user__in=members.values("user_id")
    )
    seats = {seat.user_id: seat for seat in free}
    if not seats:
        return []
    queues: defaultdict[int, set[int]] = defaultdict(set)
    for user_id, queue_id in members.filter(user__in=seats).values_list("user_id", "queue_id"):
        queues[user_id].add(queue_id)
    skills: defaultdict[int, set[int]] = defaultdict(set)
    links = Seat.skills.through._default_manager.filter(seat__user__in=seats)
    for user_id, tag_id in links.values_list("seat__user", "tag_id"):
        skills[user_id].add(tag_id)
    turns = turns_of(seats, queue_ids)
    zone = zone_of(company_id)
    return [
        person_of(seat, queues[pk], skills[pk], turns.get(pk, {}), now=now, zone=zone)
        for pk, seat in seats.items()
    ]


def person_of(
    seat: Seat,
    queue_ids: Iterable[int],
    skills: Iterable[int],
    turns: dict[int, TurnNow],
    *,
    now: datetime,
    zone: ZoneInfo,
) -> Person:
    """Return a seat as decisions take it."""
    return Person(
        id=seat.user_id,
        queues=frozenset(queue_ids),
        presence=Presence(seat.presence),
        is_connected=seat.is_connected(now),
        is_within_hours=not seat.schedules or is_open(seat.schedules, now.astimezone(zone)),
        capacity=seat.capacity,
        load=seat.load,
        weights=seat.weights,
        skills=frozenset(skills),
        turns=turns,
    )


def turns_of(user_ids: Iterable[int], queue_ids: Collection[int]) -> dict[int, dict[int, TurnNow]]:
    """Return the turns by user and queue, with the ticket that counts for the limit.

    Of the log one row is read for each: the one whose number is so far back as the limit is high,
    or the next one if that ticket was deleted.
    """
    turns: defaultdict[int, dict[int, TurnNow]] = defaultdict(dict)
    for user_id, queue_id, last, reached, limit_at in _with_limit(user_ids, queue_ids):
        turns[user_id][queue_id] = TurnNow(last, limit_at if reached > 0 else None)
    return turns


def _with_limit(user_ids: Iterable[int], queue_ids: Collection[int]) -> "QuerySet[Any, Any]":
    found = Turn.objects.filter(queue__in=queue_ids, user__in=list(user_ids)).annotate(
        reached=F("count") - F("queue__assignment_policy__fair_limit") + 1
    )
    given = AssignmentLog.objects.filter(
        queue=OuterRef("queue"), to_user=OuterRef("user"), number__gte=OuterRef("reached")
    )
    at = Subquery(given.order_by("number").values("at")[:1])
    names = ("user_id", "queue_id", "last", "reached", "limit_at")
    return found.annotate(limit_at=at).values_list(*names)
