"""The rules of queues, and the switch of a company (rules/desk §1 and §2)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import NoPermission
from apps.companies.services import change_setting
from apps.desk.decisions.assignment import Mode
from apps.desk.models import Assignment, AssignmentPolicy, TickKind
from apps.desk.services import ticks
from apps.desk.services.known import KNOWN_SECONDS, ON, SETTING, known
from apps.queues.models import Queue
from apps.queues.services.queues import get_queue
from apps.tickets.models import Ticket
from apps.tickets.queries.access import reads_whole_company

# By then every process knows that the company distributes.
ALL_KNOW = timedelta(seconds=KNOWN_SECONDS + 1)


# By these other timers hold, other tickets wait for the distribution, or they weigh otherwise.
FOLLOWED = frozenset(
    {"mode", "return_minutes", "release_minutes", "offline_action", "grace_minutes"}
)


class QueueGives(NoPermission):
    """The queue gives its tickets by itself, and lets nobody take them."""

    code = "ERR_QUEUE_GIVES"
    message = "Nesta fila os atendimentos são distribuídos automaticamente. Aguarde o seu."


def policy_of(*, company_id: int, queue_id: int) -> AssignmentPolicy:
    """Return a queue's rules, unsaved defaults if it has none; raises QueueNotFound."""
    queue = get_queue(company_id=company_id, queue_id=queue_id)
    found = AssignmentPolicy.objects.for_company(company_id).filter(queue=queue).first()
    return found or AssignmentPolicy(company_id=company_id, queue=queue)


def save_policy(
    *, actor: User, queue_id: int, fields: Mapping[str, Any], ip_address: str | None = None
) -> AssignmentPolicy:
    """Change a queue's rules, audited; the first automatic queue switches the company on.

    Raises QueueNotFound.
    """
    company_id: int = actor.company_id
    with transaction.atomic():
        # Of two who save the first rules of a queue at once, one changes those of the other.
        Queue.objects.for_company(company_id).select_for_update(no_key=True).filter(
            pk=queue_id
        ).first()
        policy = policy_of(company_id=company_id, queue_id=queue_id)
        changed = {name: value for name, value in fields.items() if getattr(policy, name) != value}
        is_changed = policy.pk is None or bool(changed)
        if is_changed:
            _store(policy, changed, actor, ip_address)
        is_on = known.is_on(company_id)
        if policy.mode != Mode.MANUAL and not is_on:
            change_setting(company_id=company_id, key=SETTING, value=ON)
        elif is_changed and is_on:
            if FOLLOWED & changed.keys():
                ticks.plan(
                    TickKind.QUEUE_SYNC, timezone.now(), company_id=company_id, queue_id=queue_id
                )
            ticks.give(company_id, [queue_id])
        return policy


def _store(
    policy: AssignmentPolicy, changed: Mapping[str, Any], actor: User, ip_address: str | None
) -> None:
    for name, value in changed.items():
        setattr(policy, name, value)
    policy.save()
    record(
        action="queue.assignment_changed",
        actor=actor,
        company_id=policy.company_id,
        target=policy.queue,
        detail={"name": policy.queue.name, "mode": policy.mode},
        ip_address=ip_address,
    )


def note_setting(company_id: int, key: str, _value: str) -> None:
    """Begin to follow a company's tickets, or stop and forget them."""
    if key != SETTING:
        return
    transaction.on_commit(known.forget)
    known.forget()
    # Also when it was switched off: until then other processes may still follow tickets.
    ticks.plan(TickKind.SYNC, timezone.now() + ALL_KNOW, company_id=company_id)


def check_taken_by_hand(user: User, ticket: Ticket) -> None:
    """Raise QueueGives where a queue lets nobody take what it gives.

    Supervisors may, and everybody what waits for a hand.
    """
    if not known.is_on(ticket.company_id) or reads_whole_company(user):
        return
    given = AssignmentPolicy.objects.filter(queue=ticket.queue_id, manual_accept=False)
    is_given = Assignment.objects.filter(ticket=ticket.pk, is_ready=True)
    if given.exclude(mode=Mode.MANUAL).exists() and is_given.exists():
        raise QueueGives
