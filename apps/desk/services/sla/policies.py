"""The times of a company, and its switch (rules/desk §8)."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.companies.holidays import DAYS_OFF_KEYS
from apps.companies.models import Company
from apps.companies.services import change_setting
from apps.contacts.models import Tag
from apps.desk.decisions.sla import Kind, When
from apps.desk.models import SlaAction, SlaPolicy, SlaStep, TickKind
from apps.desk.services import ticks
from apps.desk.services.known import KNOWN_SECONDS, ON, SLA, known
from apps.desk.services.sla.recounting import note_hours
from apps.queues.models import Queue
from apps.tickets.models import TicketPriority

MOST_POLICIES = 200
# By then every process knows whether the company has deadlines.
ALL_KNOW = timedelta(seconds=KNOWN_SECONDS + 1)
HOURS_KEYS = frozenset({"scheduleType", "timeZone", *DAYS_OFF_KEYS})
SCOPES = ("queue_id", "tag_id", "priority")
MINUTES = {
    Kind.FIRST: "first_answer_minutes",
    Kind.NEXT: "next_answer_minutes",
    Kind.RESOLUTION: "resolution_minutes",
}
# What a step needs besides its action, by the column and its name on the wire.
NEEDS = {
    SlaAction.TELL: ("tells", "tells"),
    SlaAction.TAG: ("tag_id", "tagId"),
    SlaAction.PRIORITY: ("priority", "priority"),
    SlaAction.QUEUE: ("queue_id", "queueId"),
}


class SlaNotFound(NotFound):
    """The company has no such times."""

    message = "Prazo não encontrado."


class SlaExists(DomainError):
    """The queue, tag or priority has its times already."""

    code = "ERR_SLA_EXISTS"
    message = "Já existem prazos para esta fila, tag ou prioridade."


class TooManySlas(DomainError):
    code = "ERR_TOO_MANY_SLA"
    message = f"Uma empresa tem no máximo {MOST_POLICIES} regras de prazo."


def policies_of(company_id: int) -> list[SlaPolicy]:
    """Return a company's times: of priorities, then of tags, then of queues."""
    rows = _with_names(company_id)
    return sorted(rows, key=lambda each: (each.priority or 9, each.tag_id is None, each.pk))


def _with_names(company_id: int) -> "QuerySet[SlaPolicy]":
    found = SlaPolicy.objects.for_company(company_id).select_related("queue", "tag")
    return found.prefetch_related("steps__queue", "steps__tag", "steps__user")


def get_policy(*, company_id: int, policy_id: int) -> SlaPolicy:
    """Return times with their steps and names; raises SlaNotFound."""
    policy = _with_names(company_id).filter(pk=policy_id).first()
    if policy is None:
        raise SlaNotFound
    return policy


def save_policy(
    *,
    actor: User,
    fields: Mapping[str, Any],
    policy_id: int | None = None,
    ip_address: str | None = None,
) -> SlaPolicy:
    """Create times with their steps, or replace one's, audited; the first ones switch them on.

    Raises SlaNotFound, SlaExists, TooManySlas, and InvalidInput for what can't be.
    """
    company_id: int = actor.company_id
    values = dict(fields)
    steps: Sequence[Mapping[str, Any]] = values.pop("steps", ())
    with transaction.atomic():
        # One after another, for the limit and the switch.
        Company.objects.select_for_update(no_key=True).get(pk=company_id)
        if policy_id is None:
            if SlaPolicy.objects.for_company(company_id).count() >= MOST_POLICIES:
                raise TooManySlas
            policy = SlaPolicy(company_id=company_id)
        else:
            policy = get_policy(company_id=company_id, policy_id=policy_id)
        for name in (*SCOPES, *MINUTES.values()):
            setattr(policy, name, values.get(name))
        _check(policy, steps)
        try:
            with transaction.atomic():
                policy.save()
        except IntegrityError:
            raise SlaExists from None
        _replace_steps(policy, steps)
        record(
            action="sla.saved",
            actor=actor,
            company_id=company_id,
            target=policy,
            detail={"name": name_of(policy), **_minutes(policy)},
            ip_address=ip_address,
        )
        _hold_from_now_on(company_id)
        return policy


def check_policy(
    *, company_id: int, fields: Mapping[str, Any], policy_id: int | None = None
) -> None:
    """Refuse times that could not be saved, whoever has some already; raises as `save_policy`."""
    values = dict(fields)
    steps: Sequence[Mapping[str, Any]] = values.pop("steps", ())
    if policy_id is not None:
        get_policy(company_id=company_id, policy_id=policy_id)
    policy = SlaPolicy(company_id=company_id)
    for name in (*SCOPES, *MINUTES.values()):
        setattr(policy, name, values.get(name))
    _check(policy, steps)


def delete_policy(*, actor: User, policy_id: int, ip_address: str | None = None) -> None:
    """Delete times, audited; clocks by them end, or go on by others. Raises SlaNotFound."""
    with transaction.atomic():
        policy = get_policy(company_id=actor.company_id, policy_id=policy_id)
        record(
            action="sla.deleted",
            actor=actor,
            company_id=actor.company_id,
            target=policy,
            detail={"name": name_of(policy)},
            ip_address=ip_address,
        )
        policy.delete()
        if known.is_on(actor.company_id, SLA):
            ticks.plan(TickKind.SLA_SYNC, timezone.now(), company_id=actor.company_id)


def name_of(policy: SlaPolicy) -> str:
    """Return the name of what a policy is for: a queue, a tag, or a priority's word."""
    if policy.priority is not None:
        return TicketPriority(policy.priority).name.lower()
    return policy.queue.name if policy.queue else policy.tag.name if policy.tag else ""


def _minutes(policy: SlaPolicy) -> dict[str, int | None]:
    return {name: getattr(policy, name) for name in MINUTES.values()}


def _hold_from_now_on(company_id: int) -> None:
    if known.is_on(company_id, SLA):
        ticks.plan(TickKind.SLA_SYNC, timezone.now(), company_id=company_id)
    else:
        change_setting(company_id=company_id, key=SLA, value=ON)


def _refuse(field: str, sentence: str, rule: str) -> InvalidInput:
    return InvalidInput(sentence, fields={field: [sentence]}, rule=rule)


def _check(policy: SlaPolicy, steps: Sequence[Mapping[str, Any]]) -> None:
    scopes = [name for name in SCOPES if getattr(policy, name) is not None]
    if len(scopes) != 1:
        raise _refuse("queueId", "Escolha uma fila, uma tag ou uma prioridade.", "required")
    if not any(getattr(policy, name) for name in MINUTES.values()):
        raise _refuse("firstAnswerMinutes", "Informe pelo menos um prazo.", "required")
    company_id = policy.company_id
    _check_owned(Queue, company_id, {policy.queue_id}, "queueId", "Esta fila não existe.")
    _check_owned(Tag, company_id, {policy.tag_id}, "tagId", "Esta tag não existe.")
    for index, each in enumerate(steps):
        _check_step(policy, f"steps.{index}", each)
    for model, name, wire, sentence in (
        (Queue, "queue_id", "queueId", "Esta fila não existe."),
        (Tag, "tag_id", "tagId", "Esta tag não existe."),
        (User, "user_id", "userId", "Este usuário não existe."),
    ):
        ids = {each.get(name) for each in steps}
        _check_owned(model, company_id, ids, f"steps.{wire}", sentence)


def _check_step(policy: SlaPolicy, place: str, step: Mapping[str, Any]) -> None:
    action, kind = SlaAction(step["action"]), Kind(step["kind"])
    if not getattr(policy, MINUTES[kind]):
        raise _refuse(f"{place}.kind", "Informe primeiro o prazo desta etapa.", "required")
    if (step["when"] == When.AFTER) != bool(step.get("minutes")):
        sentence = "Informe os minutos depois do prazo, e só para depois do prazo."
        raise _refuse(f"{place}.minutes", sentence, "required")
    for other, (name, wire) in NEEDS.items():
        has_it = step.get(name) not in (None, "")
        if action == other and not has_it:
            raise _refuse(f"{place}.{wire}", "Complete o que esta etapa faz.", "required")
        if action != other and has_it:
            raise _refuse(f"{place}.{wire}", "Isto não faz parte desta etapa.", "unused")
    if action != SlaAction.ASSIGN and step.get("user_id") is not None:
        raise _refuse(f"{place}.userId", "Isto não faz parte desta etapa.", "unused")
    if action == SlaAction.QUEUE and step.get("queue_id") == policy.queue_id:
        raise _refuse(f"{place}.queueId", "O atendimento já está nesta fila.", "invalid")


def _check_owned(model: Any, company_id: int, ids: set[Any], field: str, sentence: str) -> None:
    wanted = ids - {None}
    if wanted and model.objects.for_company(company_id).filter(pk__in=wanted).count() < len(wanted):
        raise _refuse(field, sentence, "does_not_exist")


def _replace_steps(policy: SlaPolicy, steps: Sequence[Mapping[str, Any]]) -> None:
    """Have a policy take these steps. One that is as it was stays, so it does not happen twice."""
    names = (
        *("kind", "when", "minutes", "action", "tells"),
        *("tag_id", "priority", "queue_id", "user_id"),
    )
    left = list(SlaStep.objects.filter(policy=policy))
    for each in steps:
        wanted = {"minutes": 0, "tells": "", **each}
        same = [row for row in left if all(getattr(row, n) == wanted.get(n) for n in names)]
        if same:
            left.remove(same[0])
        else:
            SlaStep.objects.create(policy=policy, **{name: wanted.get(name) for name in names})
    SlaStep.objects.filter(pk__in=[row.pk for row in left]).delete()


def note_tag(tag: Tag) -> None:
    """Take in a company's tickets, because times of a tag go with it."""
    if known.is_on(tag.company_id, SLA) and SlaPolicy.objects.filter(tag=tag).exists():
        ticks.plan(TickKind.SLA_SYNC, timezone.now(), company_id=tag.company_id)


def note_setting(company_id: int, key: str, _value: str) -> None:
    """Begin or end the clocks of a company, or count them anew."""
    if key == SLA:
        transaction.on_commit(known.forget)
        known.forget()
        # Also when it was switched off: until then other processes may still begin clocks.
        ticks.plan(TickKind.SLA_SYNC, timezone.now() + ALL_KNOW, company_id=company_id)
    elif key in HOURS_KEYS:
        note_hours(company_id)
