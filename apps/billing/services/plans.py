"""Plans, and checks of their limits and features (rules/companies §3)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet

from apps.audit.services import record
from apps.billing.models import Plan
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.companies.models import SUPER_COMPANY_ID, Company

Resource = Literal["users", "connections", "queues", "schedules", "campaigns"]
Feature = Literal[
    "campaigns", "schedules", "internalChat", "kanban", "externalApi", "integrations", "openAi"
]
_FEATURES: dict[Feature, tuple[str, str]] = {
    "campaigns": ("use_campaigns", "useCampaigns"),
    "schedules": ("use_schedules", "useSchedules"),
    "internalChat": ("use_internal_chat", "useInternalChat"),
    "kanban": ("use_kanban", "useKanban"),
    "externalApi": ("use_external_api", "useExternalApi"),
    "integrations": ("use_integrations", "useIntegrations"),
    "openAi": ("use_open_ai", "useOpenAi"),
}
_NAMES: dict[Resource, tuple[str, str]] = {
    "users": ("usuário", "usuários"),
    "connections": ("conexão", "conexões"),
    "queues": ("fila", "filas"),
    "schedules": ("agendamento a enviar", "agendamentos a enviar"),
    "campaigns": ("campanha não finalizada", "campanhas não finalizadas"),
}


class PlanLimitReached(DomainError):
    """The plan's limit is reached; the response contains the limit."""

    status = 403
    code = "ERR_PLAN_LIMIT"

    def __init__(self, resource: Resource, limit: int) -> None:
        super().__init__(
            f"O seu plano permite até {limit} {_NAMES[resource][limit != 1]}. "
            "Fale com o Suporte para mudar de plano.",
            extra={"limit": resource, "allowed": limit},
        )


class PlanFeatureMissing(DomainError):
    """The plan does not include a feature; the response names it as `feature`."""

    status = 403
    code = "ERR_PLAN_FEATURE"
    message = "O seu plano não inclui este recurso. Fale com o Suporte para mudar de plano."


@dataclass(frozen=True)
class Use:
    """How many of a resource a company has, and how many a plan allows (0: no limit)."""

    resource: Resource
    used: int
    allowed: int

    @property
    def is_exceeded(self) -> bool:
        return bool(self.allowed) and self.used > self.allowed

    def __str__(self) -> str:
        return (
            f"{self.allowed} {_NAMES[self.resource][self.allowed != 1]} (a empresa tem {self.used})"
        )


# Each app of a resource registers how to count a company's rows that a plan limits.
_COUNTS: dict[Resource, Callable[[int], int]] = {}


def register_use(resource: Resource, count: Callable[[int], int]) -> None:
    """Have `count` return how many of a resource a company has."""
    _COUNTS[resource] = count


def use_of(company_id: int) -> dict[Resource, int]:
    """Return how many of each limited resource a company has."""
    return {resource: _COUNTS[resource](company_id) for resource in _NAMES}


def use_against(plan: Plan, used: Mapping[Resource, int]) -> list[Use]:
    """Return the use of each resource beside a plan's limit."""
    return [Use(resource, count, getattr(plan, resource)) for resource, count in used.items()]


class PlanNotOffered(InvalidInput):
    """The plan is not one that the company may choose."""

    code = "ERR_PLAN_NOT_OFFERED"
    message = "Escolha um dos planos oferecidos."

    def __init__(self) -> None:
        super().__init__(fields={"plan": [self.message]})


class PlanNotFound(NotFound):
    """There is no such plan, or the caller may not see it."""

    code = "ERR_NO_PLAN_FOUND"
    message = "Plano não encontrado."


class PlanNameTaken(DomainError):
    code = "ERR_PLAN_NAME_EXISTS"
    message = "Já existe um plano com este nome."

    def __init__(self) -> None:
        super().__init__(fields={"name": [self.message]})


class PlanInUse(DomainError):
    """Companies use the plan; the response contains their number."""

    status = 409
    code = "ERR_PLAN_IN_USE"

    def __init__(self, count: int) -> None:
        super().__init__(
            "Este plano está em uso e não pode ser excluído. "
            "Escolha antes outro plano para as empresas que o têm.",
            extra={"companies": count},
        )


def has_feature(*, company_id: int, feature: Feature) -> bool:
    """Tell whether the company's plan includes the feature."""
    column, _ = _FEATURES[feature]
    return not Company.objects.filter(pk=company_id, **{f"plan__{column}": False}).exists()


def require_feature(*, company_id: int, feature: Feature) -> None:
    """Raise PlanFeatureMissing if the company's plan does not include the feature."""
    _, wire = _FEATURES[feature]
    if not has_feature(company_id=company_id, feature=feature):
        raise PlanFeatureMissing(extra={"feature": wire})


def check_feature(plan: Plan, feature: Feature) -> None:
    """Like `require_feature`, without a query, for a plan that is already loaded."""
    column, wire = _FEATURES[feature]
    if not getattr(plan, column):
        raise PlanFeatureMissing(extra={"feature": wire})


def ensure_plan(*, name: str, **fields: Any) -> Plan:
    """Return the plan of this name; create it, without limits or with `fields`, if it is
    missing.
    """
    plan, _ = Plan.objects.get_or_create(name=name, defaults=fields)
    return plan


def require_room(*, company_id: int, resource: Resource, rows: "QuerySet[Any]") -> None:
    """Refuse another row when the company already has as many as its plan allows.

    Call it in the transaction that creates the row. Raises PlanLimitReached.
    """
    # The lock on the company's row prevents two parallel requests from both taking the last place.
    # It does not lock the key; otherwise every insert of a row of this company would wait for us.
    companies = Company.objects.select_for_update(of=("self",), no_key=True)
    company = companies.select_related("plan").get(pk=company_id)
    limit: int = getattr(company.plan, resource)
    if limit and rows.count() >= limit:
        raise PlanLimitReached(resource, limit)


def save_plan(
    *,
    plan: Plan,
    actor: AbstractBaseUser | None,
    changed: Sequence[str],
    ip_address: str | None = None,
) -> None:
    """Save a new or changed plan, and audit it; raises PlanNameTaken."""
    action = "plan.changed" if plan.pk else "plan.created"
    with transaction.atomic():
        try:
            with transaction.atomic():
                plan.save()
        except IntegrityError as error:
            if Plan.objects.filter(name=plan.name).exclude(pk=plan.pk).exists():
                raise PlanNameTaken from error
            raise
        record(
            action=action,
            actor=actor,
            company_id=SUPER_COMPANY_ID,
            target=plan,
            detail={"name": plan.name, "fields": list(changed)},
            ip_address=ip_address,
        )


def get_plan(plan_id: int, *, among: QuerySet[Plan] | None = None) -> Plan:
    """Return a plan, only from `among` if given; raises PlanNotFound."""
    rows = Plan.objects.all() if among is None else among
    plan = rows.filter(pk=plan_id).first()
    if plan is None:
        raise PlanNotFound
    return plan


def change_plan(
    *,
    plan_id: int,
    changes: Mapping[str, Any],
    actor: AbstractBaseUser | None,
    ip_address: str | None = None,
) -> Plan:
    """Change the fields that differ from the stored plan; raises PlanNotFound and PlanNameTaken."""
    with transaction.atomic():
        plan = Plan.objects.select_for_update(no_key=True).filter(pk=plan_id).first()
        if plan is None:
            raise PlanNotFound
        changed = [name for name, value in changes.items() if getattr(plan, name) != value]
        for name in changed:
            setattr(plan, name, changes[name])
        if changed:
            save_plan(plan=plan, actor=actor, changed=changed, ip_address=ip_address)
    return plan


def delete_plan(
    *, plan: Plan, actor: AbstractBaseUser | None, ip_address: str | None = None
) -> None:
    """Delete a plan, and audit it; raises PlanInUse while a company uses it."""
    with transaction.atomic():
        record(
            action="plan.deleted",
            actor=actor,
            company_id=SUPER_COMPANY_ID,
            target=plan,
            detail={"name": plan.name},
            ip_address=ip_address,
        )
        try:
            plan.delete()
        except ProtectedError as error:
            raise PlanInUse(plan.companies.count()) from error
