from django.db.models import Q, QuerySet

from apps.billing.models import Plan
from apps.companies.models import Company


def all_plans() -> QuerySet[Plan]:
    """Return every plan by its name."""
    return Plan.objects.order_by("name", "pk")


def public_plans() -> QuerySet[Plan]:
    """Return the plans that are offered at sign-up and checkout, the cheapest first."""
    return Plan.objects.filter(is_public=True).order_by("value", "name", "pk")


def plans_for(company_id: int, *, sees_all: bool) -> QuerySet[Plan]:
    """Return the plans that a caller may read: the own and the public ones, or all."""
    if sees_all:
        return Plan.objects.all()
    return Plan.objects.filter(is_public=True) | Plan.objects.filter(companies=company_id)


def offered_plans(company: Company) -> QuerySet[Plan]:
    """Return the plans that a company may choose: the public ones and its own, the cheapest first.

    One that costs nothing is nothing to pay for.
    """
    offered = Plan.objects.filter(Q(is_public=True) | Q(pk=company.plan_id), value__gt=0)
    return offered.order_by("value", "name")
