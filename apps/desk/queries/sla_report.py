"""Clocks met and missed: by kind, queue, person and hour, and the missed ones (rules/desk §11)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import ExtractHour

from apps.accounts.models import User
from apps.desk.decisions.sla import Kind
from apps.desk.models import SlaClock
from apps.queues.models import Queue
from apps.tickets.queries.dashboard import Span

PAGE_SIZE = 40
MET = Count("pk", filter=Q(missed_at=None))
MISSED = Count("pk", filter=Q(missed_at__isnull=False))


def judged_in(company_id: int, span: Span, kind: str = "") -> "QuerySet[SlaClock]":
    """Return the clocks that were met or missed in a span, unordered."""
    # It repeats the index's condition.
    judged = SlaClock.objects.for_company(company_id).filter(judged_at__isnull=False)
    judged = judged.filter(span.holds("judged_at"))
    return judged.filter(kind=kind) if kind else judged


def report_of(company_id: int, span: Span, kind: str = "") -> dict[str, Any]:
    """Return the counts of a span, in six queries."""
    judged = judged_in(company_id, span, kind).order_by()
    counts = {"met": MET, "missed": MISSED}
    hour = ExtractHour("judged_at", tzinfo=span.zone)
    by_kind = {row["kind"]: row for row in judged.values("kind").annotate(**counts)}
    queues = list(judged.values("queue").annotate(**counts))
    users = list(judged.values("user").annotate(**counts))
    hours = judged.annotate(hour=hour).values("hour").annotate(**counts).order_by("hour")
    names = Queue.objects.filter(pk__in=[row["queue"] for row in queues if row["queue"]])
    people = User.objects.filter(pk__in=[row["user"] for row in users if row["user"]])
    return {
        "kinds": [by_kind[each] for each in Kind if each in by_kind],
        "queues": _named(queues, "queue", dict(names.values_list("pk", "name"))),
        "users": _named(users, "user", dict(people.values_list("pk", "name"))),
        "hours": list(hours),
    }


def _named(
    rows: Iterable[Mapping[str, Any]], key: str, names: Mapping[int, str]
) -> list[dict[str, Any]]:
    """Return rows with ids and names, the most missed ones first."""
    found = [
        {
            "id": row[key],
            "name": names.get(row[key]),
            "met": row["met"],
            "missed": row["missed"],
        }
        for row in rows
    ]
    return sorted(found, key=lambda row: (-row["missed"], -row["met"], row["name"] or ""))


@dataclass(frozen=True)
class MissedAsked:
    """Which missed clocks are asked for; 0 stands for no queue and for nobody."""

    kind: str = ""
    queue_id: int | None = None
    user_id: int | None = None
    hour: int | None = None
    page: int = 1


def missed_of(company_id: int, span: Span, asked: MissedAsked) -> tuple[list[SlaClock], bool]:
    """Return a page of missed clocks, the latest first, and whether there are more."""
    missed = judged_in(company_id, span, asked.kind).filter(missed_at__isnull=False)
    if asked.queue_id is not None:
        missed = missed.filter(queue=asked.queue_id or None)
    if asked.user_id is not None:
        missed = missed.filter(user=asked.user_id or None)
    if asked.hour is not None:
        hour = ExtractHour("judged_at", tzinfo=span.zone)
        missed = missed.annotate(hour=hour).filter(hour=asked.hour)
    start = (asked.page - 1) * PAGE_SIZE
    rows = missed.select_related("queue", "user").order_by("-judged_at", "-pk")
    found = list(rows[start : start + PAGE_SIZE + 1])
    return found[:PAGE_SIZE], len(found) > PAGE_SIZE


def clocks_of(ticket_id: int) -> list[SlaClock]:
    """Return a ticket's clocks, the latest first, at most 100."""
    return list(SlaClock.objects.filter(ticket=ticket_id).order_by("-pk")[:100])
