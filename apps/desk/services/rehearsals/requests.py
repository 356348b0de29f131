"""Requests for rehearsals (rules/desk §16)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.audit.services import record
from apps.common.errors import DomainError, InvalidInput, NoPermission, NotFound
from apps.common.leases import LeaseState
from apps.common.wakeups import wake
from apps.desk.decisions.rules import When
from apps.desk.decisions.trials import UNTRIED
from apps.desk.models import Rehearsal, Subject
from apps.desk.services import policies
from apps.desk.services.rehearsals.bots import checked_queue
from apps.desk.services.rules.saving import checked_form, get_rule
from apps.desk.services.sla.policies import check_policy

# Of a company; an older one goes when another one is asked for.
MOST_KEPT = 30
OVER = (LeaseState.DONE, LeaseState.FAILED)
# Who may make the change may try it.
NEEDED = {
    Subject.ASSIGNMENT: Permission.QUEUES,
    Subject.SLA: Permission.SETTINGS,
    Subject.RULE: Permission.RULES,
    Subject.BOT: Permission.QUEUES,
}


class RehearsalRuns(DomainError):
    """The company tries something else just now."""

    status = 409
    code = "ERR_REHEARSAL_RUNS"
    message = "Já há um ensaio em andamento. Espere até ele terminar ou pare-o."


class RehearsalNotFound(NotFound):
    """The company has no such rehearsal."""

    code = "ERR_NO_REHEARSAL"
    message = "Ensaio não encontrado."


class RuleNotTried(DomainError):
    """Nothing stored tells when what starts the rule has happened."""

    code = "ERR_REHEARSAL_NOT_STORED"
    message = "Não há registro de quando isto aconteceu, então esta regra não pode ser ensaiada."


def request_rehearsal(
    *,
    actor: User,
    subject: Subject,
    days: int,
    target_id: int | None,
    fields: Mapping[str, Any],
    ip_address: str | None = None,
) -> Rehearsal:
    """Have a change tried on the last days, audited.

    `target_id` is the queue, or the times or the rule (None: new ones). Raises NoPermission,
    RehearsalRuns, RuleNotTried, and what saving the change would raise.
    """
    if not actor.may(NEEDED[subject]):
        raise NoPermission(extra={"permissions": [NEEDED[subject].value]})
    company_id: int = actor.company_id
    proposal = _checked(company_id, subject, target_id, fields)
    until = timezone.now()
    try:
        with transaction.atomic():
            rehearsal = Rehearsal.objects.create(
                company_id=company_id,
                user=actor.person,
                subject=subject,
                target_id=target_id,
                proposal=proposal,
                days=days,
                since=until - timedelta(days=days),
                until=until,
            )
            kept = _over(company_id).values_list("pk", flat=True)[:MOST_KEPT]
            _over(company_id).exclude(pk__in=list(kept)).delete()
            record(
                action="rehearsal.requested",
                actor=actor,
                company_id=company_id,
                target=rehearsal,
                detail={"subject": subject.value, "days": days},
                ip_address=ip_address,
            )
            wake("desk.rehearse")
    except IntegrityError as error:  # another one is not over
        raise RehearsalRuns from error
    return rehearsal


def _over(company_id: int) -> "QuerySet[Rehearsal]":
    return Rehearsal.objects.for_company(company_id).filter(state__in=OVER).order_by("-pk")


def _checked(
    company_id: int, subject: Subject, target_id: int | None, fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a change as it is stored; raises what saving it would raise."""
    if subject == Subject.RULE:
        if target_id is not None:
            get_rule(company_id=company_id, rule_id=target_id)
        form = checked_form(company_id, fields)
        if When(form["trigger"]["when"]) in UNTRIED:
            raise RuleNotTried
        return form
    if subject == Subject.SLA:
        check_policy(company_id=company_id, fields=fields, policy_id=target_id)
        return dict(fields)
    if target_id is None:
        sentence = "Informe a fila."
        raise InvalidInput(sentence, fields={"queueId": [sentence]}, rule="required")
    if subject == Subject.BOT:
        return checked_queue(company_id, target_id, fields)
    policies.policy_of(company_id=company_id, queue_id=target_id)
    return dict(fields)


def rehearsals_for(user: User) -> "QuerySet[Rehearsal]":
    """Return the rehearsals of changes that the user may make, the latest first."""
    subjects = [subject for subject, needed in NEEDED.items() if user.may(needed)]
    found = Rehearsal.objects.for_company(user.company_id).filter(subject__in=subjects)
    return found.select_related("user").order_by("-pk")


def get_rehearsal(*, user: User, rehearsal_id: int) -> Rehearsal:
    """Return a rehearsal of a change that the user may make; raises RehearsalNotFound."""
    found = rehearsals_for(user).filter(pk=rehearsal_id).first()
    if found is None:
        raise RehearsalNotFound
    return found


def delete_rehearsal(*, actor: User, rehearsal_id: int, ip_address: str | None = None) -> None:
    """Delete a rehearsal, audited; one that runs stops within seconds. Raises RehearsalNotFound."""
    with transaction.atomic():
        rehearsal = get_rehearsal(user=actor, rehearsal_id=rehearsal_id)
        record(
            action="rehearsal.deleted",
            actor=actor,
            company_id=actor.company_id,
            target=rehearsal,
            detail={"subject": rehearsal.subject},
            ip_address=ip_address,
        )
        rehearsal.delete()
