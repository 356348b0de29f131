"""What a plan allows (rules/companies §3)."""

from collections.abc import Sequence
from typing import Any, Literal

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from apps.audit.services import record
from apps.billing.models import Plan
from apps.common.errors import DomainError
from apps.companies.models import SUPER_COMPANY_ID, Company

Resource = Literal["users", "connections", "queues", "schedules", "campaigns"]
Feature = Literal["campaigns", "schedules", "kanban", "externalApi", "integrations", "openAi"]
_FEATURES: dict[Feature, tuple[str, str]] = {
    "campaigns": ("use_campaigns", "useCampaigns"),
    "schedules": ("use_schedules", "useSchedules"),
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
    """The plan has no room for another one; the answer names the limit."""

    status = 403
    code = "ERR_PLAN_LIMIT"

    def __init__(self, resource: Resource, limit: int) -> None:
        super().__init__(
            f"O seu plano permite até {limit} {_NAMES[resource][limit != 1]}. "
            "Fale com o Suporte para mudar de plano.",
            extra={"limit": resource, "allowed": limit},
        )


class PlanFeatureMissing(DomainError):
    """The plan does not include what was asked for; the answer names it as `feature`."""

    status = 403
    code = "ERR_PLAN_FEATURE"
    message = "O seu plano não inclui este recurso. Fale com o Suporte para mudar de plano."


def require_feature(*, company_id: int, feature: Feature) -> None:
    """Refuse what the company's plan does not include; raises PlanFeatureMissing."""
    column, wire = _FEATURES[feature]
    if Company.objects.filter(pk=company_id, **{f"plan__{column}": False}).exists():
        raise PlanFeatureMissing(extra={"feature": wire})


def check_feature(plan: Plan, feature: Feature) -> None:
    """Do as `require_feature` with a plan at hand, as the caller of every API view brings it."""
    column, wire = _FEATURES[feature]
    if not getattr(plan, column):
        raise PlanFeatureMissing(extra={"feature": wire})


def ensure_plan(*, name: str, **fields: Any) -> Plan:
    """Return the plan of this name, made without limits (or with `fields`) when it is missing."""
    plan, _ = Plan.objects.get_or_create(name=name, defaults=fields)
    return plan


def require_room(*, company_id: int, resource: Resource, rows: "QuerySet[Any]") -> None:
    """Refuse another row when the company already has as many as its plan allows.

    Call it in the transaction that creates the row. Raises PlanLimitReached.
    """
    # The company's row is locked so that two at once can't both take the last place. Its key is
    # not: every row that another transaction stores for the company would wait for ours.
    companies = Company.objects.select_for_update(of=("self",), no_key=True)
    company = companies.select_related("plan").get(pk=company_id)
    limit: int = getattr(company.plan, resource)
    if limit and rows.count() >= limit:
        raise PlanLimitReached(resource, limit)


def save_plan(*, plan: Plan, actor: AbstractBaseUser | None, changed: Sequence[str]) -> None:
    """Save what the operator changed of a plan, and record it."""
    action = "plan.changed" if plan.pk else "plan.created"
    with transaction.atomic():
        plan.save()
        record(
            action=action,
            actor=actor,
            company_id=SUPER_COMPANY_ID,
            target=plan,
            detail={"name": plan.name, "fields": list(changed)},
        )


def delete_plan(*, plan: Plan, actor: AbstractBaseUser | None) -> None:
    """Delete a plan, and record it; raises ProtectedError while a company has it."""
    with transaction.atomic():
        record(
            action="plan.deleted",
            actor=actor,
            company_id=SUPER_COMPANY_ID,
            target=plan,
            detail={"name": plan.name},
        )
        plan.delete()
