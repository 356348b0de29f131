"""Plans and cancels ticks, in the transaction of what makes them due."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Case, DateTimeField, Value, When
from django.utils import timezone

from apps.common.bulk import insert_row
from apps.common.leases import LeaseState
from apps.common.wakeups import wake
from apps.desk.decisions.assignment import Mode
from apps.desk.models import AssignmentPolicy, RuleTick, RuleTickKind, Tick, TickKind

Kind = TickKind | RuleTickKind


def _table_of(kind: Kind) -> Any:
    return RuleTick if isinstance(kind, RuleTickKind) else Tick


def key_of(kind: Kind, subject: int) -> str:
    return f"{kind.value}:{subject}"


def plan(kind: Kind, at: datetime, *, company_id: int, **subject: int) -> None:
    """Have the only tick of a kind and a subject due at a moment; `subject` names one id.

    A tick that a worker is just handling becomes due again.
    """
    [subject_id] = subject.values() or [company_id]
    key, table = key_of(kind, subject_id), _table_of(kind)
    planned = table.objects.filter(key=key)
    if not planned.start_over(at, payload=None):
        fields: dict[str, Any] = {"company_id": company_id, **subject}
        tick = table(kind=kind, key=key, next_attempt_at=at, **fields)
        if not insert_row(tick, ignores_conflicts=True):
            # Another transaction has planned it just now: the earlier moment holds.
            planned.filter(next_attempt_at__gt=at).start_over(at, payload=None)
    if at <= timezone.now():
        wake(table.wakes)


def plan_tickets(kind: Kind, moments: Mapping[int, datetime], *, company_id: int) -> None:
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
    table = _table_of(kind)
    known = table.objects.filter(key__in=keys)
    if known.start_over(at) < len(keys):
        there = set(known.values_list("key", flat=True))
        rows = [
            table(
                company_id=company_id, kind=kind, key=key, ticket_id=ticket_id, next_attempt_at=each
            )
            for ticket_id, each in moments.items()
            if (key := key_of(kind, ticket_id)) not in there
        ]
        table.objects.bulk_create(rows, ignore_conflicts=True)
    if min(moments.values()) <= timezone.now():
        wake(table.wakes)


def plan_sooner(kind: Kind, at: datetime, *, company_id: int, **subject: int) -> None:
    """As `plan`, but a tick that waits for an earlier moment stays.

    One that a worker is just handling does not: it is deleted afterwards.
    """
    [subject_id] = subject.values()
    waiting = _table_of(kind).objects.filter(key=key_of(kind, subject_id), state=LeaseState.WAITING)
    if not waiting.filter(next_attempt_at__lte=at).exists():
        plan(kind, at, company_id=company_id, **subject)


def cancel(kinds: Iterable[Kind], subject_ids: Iterable[int]) -> None:
    """Delete the ticks of these kinds and subjects."""
    ids = list(subject_ids)
    keys: defaultdict[Any, list[str]] = defaultdict(list)
    for kind in kinds:
        keys[_table_of(kind)] += [key_of(kind, subject_id) for subject_id in ids]
    for table, of_table in keys.items():
        if of_table:
            table.objects.filter(key__in=of_table).delete()


def give(
    company_id: int,
    queue_ids: Iterable[int],
    beyond: Mapping[int, tuple[int, datetime, int]] | None = None,
) -> None:
    """Have these queues looked at now: something waits in them, or somebody is free.

    `beyond` is after which place (priority, moment and id) to look in a queue.
    """
    rows: list[Any] = [
        Tick(
            company_id=company_id,
            kind=TickKind.GIVE,
            queue_id=queue_id,
            payload=_stored((beyond or {}).get(queue_id)),
        )
        for queue_id in sorted(set(queue_ids))
    ]
    if rows:
        Tick.objects.bulk_create(rows)
        wake("desk.run")


def _stored(place: tuple[int, datetime, int] | None) -> dict[str, Any] | None:
    if place is None:
        return None
    priority, moment, pk = place
    return {"beyond": [priority, moment.isoformat(), pk]}


def place_in(tick: Tick) -> tuple[int, datetime, int] | None:
    """Return after which place a tick has its queue looked at; None: from the first ticket on."""
    if not tick.payload:
        return None
    priority, moment, pk = tick.payload["beyond"]
    return priority, datetime.fromisoformat(moment), pk


def give_for(company_id: int, user_ids: Iterable[int]) -> None:
    """Have the automatic queues of these people looked at now."""
    ids = list(user_ids)
    if ids:
        queues = AssignmentPolicy.objects.for_company(company_id).exclude(mode=Mode.MANUAL)
        found = queues.filter(queue__users__in=ids).values_list("queue_id", flat=True)
        give(company_id, set(found))
