"""Plans and cancels ticks, in the transaction of what makes them due."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Case, DateTimeField, Value, When
from django.utils import timezone

from apps.common.bulk import insert_row
from apps.common.leases import LeaseState
from apps.common.wakeups import wake
from apps.desk.decisions.assignment import Mode
from apps.desk.models import AssignmentPolicy, Tick, TickKind


def key_of(kind: TickKind, subject: int) -> str:
    return f"{kind.value}:{subject}"


def plan(kind: TickKind, at: datetime, *, company_id: int, **subject: int) -> None:
    """Have the only tick of a kind and a subject due at a moment; `subject` names one id.

    A tick that a worker is just handling becomes due again.
    """
    [subject_id] = subject.values() or [company_id]
    key = key_of(kind, subject_id)
    if not Tick.objects.filter(key=key).start_over(at):
        fields: dict[str, Any] = {"company_id": company_id, **subject}
        tick = Tick(kind=kind, key=key, next_attempt_at=at, **fields)
        insert_row(tick, ignores_conflicts=True)
    if at <= timezone.now():
        wake("desk.run")


def plan_tickets(kind: TickKind, moments: Mapping[int, datetime], *, company_id: int) -> None:
    """As `plan`, for many tickets that the caller has locked, by their ids."""
    if not moments:
        return
    keys = {key_of(kind, ticket_id): at for ticket_id, at in moments.items()}
    if len(keys) == 1:
        [(ticket_id, moment)] = moments.items()
        plan(kind, moment, company_id=company_id, ticket_id=ticket_id)
        return
    at = Case(
        *(When(key=key, then=Value(moment)) for key, moment in keys.items()),
        output_field=DateTimeField(),
    )
    known = Tick.objects.filter(key__in=keys)
    if known.start_over(at) < len(keys):  # type: ignore[arg-type]
        there = set(known.values_list("key", flat=True))
        rows = [
            Tick(
                company_id=company_id, kind=kind, key=key, ticket_id=ticket_id, next_attempt_at=each
            )
            for ticket_id, each in moments.items()
            if (key := key_of(kind, ticket_id)) not in there
        ]
        Tick.objects.bulk_create(rows, ignore_conflicts=True)
    if min(moments.values()) <= timezone.now():
        wake("desk.run")


def plan_sooner(kind: TickKind, at: datetime, *, company_id: int, **subject: int) -> None:
    """As `plan`, but a tick that waits for an earlier moment stays.

    One that a worker is just handling does not: it is deleted afterwards.
    """
    [subject_id] = subject.values()
    waiting = Tick.objects.filter(key=key_of(kind, subject_id), state=LeaseState.WAITING)
    if not waiting.filter(next_attempt_at__lte=at).exists():
        plan(kind, at, company_id=company_id, **subject)


def cancel(kinds: Iterable[TickKind], subject_ids: Iterable[int]) -> None:
    """Delete the ticks of these kinds and subjects."""
    ids = list(subject_ids)
    keys = [key_of(kind, subject_id) for kind in kinds for subject_id in ids]
    if keys:
        Tick.objects.filter(key__in=keys).delete()


def give(company_id: int, queue_ids: Iterable[int]) -> None:
    """Have these queues looked at now: something waits in them, or somebody is free."""
    rows: list[Any] = [
        Tick(company_id=company_id, kind=TickKind.GIVE, queue_id=queue_id)
        for queue_id in sorted(set(queue_ids))
    ]
    if rows:
        Tick.objects.bulk_create(rows)
        wake("desk.run")


def give_for(company_id: int, user_ids: Iterable[int]) -> None:
    """Have the automatic queues of these people looked at now."""
    ids = list(user_ids)
    if ids:
        queues = AssignmentPolicy.objects.for_company(company_id).exclude(mode=Mode.MANUAL)
        found = queues.filter(queue__users__in=ids).values_list("queue_id", flat=True)
        give(company_id, set(found))
