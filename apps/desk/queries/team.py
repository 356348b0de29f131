"""The supervisors' page: people, what they have, and what waits (rules/desk §7)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Min, OuterRef, QuerySet, Subquery

from apps.accounts.models import User
from apps.accounts.queries import queues_by_user, users_by_name
from apps.common.hours import is_open
from apps.companies.queries import zone_of
from apps.desk.decisions.assignment import ReturnTo
from apps.desk.models import Assignment, AssignmentLog, PresencePeriod, Seat

MOST_TICKETS = MOST_LINES = 100


@dataclass
class Member:
    """A person of the page at `now`, in the company's time.

    A `seat` without a row is one that was never used.
    """

    user: User
    seat: Seat
    now: datetime
    queues: Sequence[tuple[Any, ...]]
    unanswered_since: datetime | None
    skill_ids: list[int] = field(default_factory=list)

    @property
    def is_connected(self) -> bool:
        return self.seat.is_connected(self.now)

    @property
    def is_within_hours(self) -> bool:
        return is_open(self.seat.schedules, self.now)

    def count(self, name: str) -> int:
        """Return a count by its name on the seat; a seat of another day has counted nothing yet."""
        value: int = getattr(self.seat, name) if self.seat.day == self.now.date() else 0
        return value


def team_of(company_id: int, now: datetime, *, only: int | None = None) -> list[Member]:
    """Return the company's active people by name, or one of them."""
    users = users_by_name(company_id).filter(is_active=True).select_related("role")
    found = list(users if only is None else users.filter(pk=only))
    ids = [user.pk for user in found]
    oldest = Assignment.objects.filter(
        user=OuterRef("user"), unanswered_since__isnull=False, is_apart=False
    )
    first = Subquery(oldest.order_by("unanswered_since").values("unanswered_since")[:1])
    seats = Seat.objects.filter(user__in=ids).annotate(unanswered=first)
    by_user: dict[int, Any] = {seat.user_id: seat for seat in seats}
    queues = queues_by_user(ids)
    skills: defaultdict[int, list[int]] = defaultdict(list)
    links = Seat.skills.through._default_manager.filter(seat__user__in=ids).order_by("tag_id")
    for user_id, tag_id in links.values_list("seat__user", "tag_id"):
        skills[user_id].append(tag_id)
    local = now.astimezone(zone_of(company_id))
    members = []
    for user in found:
        seat = by_user.get(user.pk) or Seat(user=user, company_id=company_id)
        members.append(
            Member(
                user=user,
                seat=seat,
                now=local,
                queues=queues.get(user.pk, ()),
                unanswered_since=getattr(seat, "unanswered", None),
                skill_ids=skills[user.pk],
            )
        )
    return members


def waiting_by_queue(company_id: int) -> list[dict[str, Any]]:
    """Return how many tickets wait in each queue, and since when the first one does."""
    waiting = Assignment.objects.for_company(company_id).filter(
        user=None, queue__isnull=False, is_apart=False
    )
    groups = waiting.values_list("queue", "queue__name", "queue__color").order_by()
    found = groups.annotate(count=Count("pk"), first=Min("since")).order_by("first", "queue_id")
    names = ("queueId", "name", "color", "count", "since")
    return [dict(zip(names, values, strict=True)) for values in found]


def for_supervisors(company_id: int) -> list[int]:
    """Return the ids of the tickets that wait for a supervisor, the longest first."""
    aside = Assignment.objects.for_company(company_id).filter(
        user=None, aside=ReturnTo.SUPERVISORS, is_apart=False
    )
    return list(aside.order_by("since").values_list("pk", flat=True)[:MOST_TICKETS])


def held_by(company_id: int, user_id: int) -> list[Assignment]:
    """Return what a person holds, the longest unanswered first."""
    held = Assignment.objects.for_company(company_id).filter(user=user_id)
    longest_first = F("unanswered_since").asc(nulls_last=True)
    return list(held.order_by(longest_first, "given_at", "pk")[:MOST_TICKETS])


def log_of(ticket_id: int) -> list[AssignmentLog]:
    """Return who had a ticket lately, in order."""
    lines = AssignmentLog.objects.filter(ticket=ticket_id)
    lines = lines.select_related("from_user", "to_user", "actor", "queue")
    return list(lines.order_by("-pk")[:MOST_LINES])[::-1]


def timeline_of(user: User, start: datetime, end: datetime) -> "QuerySet[PresencePeriod]":
    """Return the stretches of a person's presence between two moments, in order."""
    periods = PresencePeriod.objects.filter(user=user, started_at__lt=end)
    ended = periods.filter(ended_at__gt=start) | periods.filter(ended_at=None)
    return ended.order_by("started_at", "pk")
