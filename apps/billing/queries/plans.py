from django.db.models import Q, QuerySet

from apps.billing.models import Plan
from apps.companies.models import Company


def all_plans() -> QuerySet[Plan]:
    """Return every plan, ordered by name."""
    return Plan.objects.order_by("name", "pk")


def public_plans() -> QuerySet[Plan]:
    """Return the public plans, which sign-up and checkout offer, the cheapest first."""
    return Plan.objects.filter(is_public=True).order_by("value", "name", "pk")


def plans_for(company_id: int, *, sees_all: bool) -> QuerySet[Plan]:
    """Return the plans that a caller may read: all, or the company's own and the public ones."""
    if sees_all:
        return Plan.objects.all()
    return Plan.objects.filter(is_public=True) | Plan.objects.filter(companies=company_id)


def offered_plans(company: Company) -> QuerySet[Plan]:
    """Return the plans that a company may choose: the public ones and its own, the cheapest first.

    Free plans are left out, since there is nothing to pay.
    """
    offered = Plan.objects.filter(Q(is_public=True) | Q(pk=company.plan_id), value__gt=0)
    return offered.order_by("value", "name")
