"""The wire shapes of plans."""

from apps.billing.serializers.plans import (
    CompanyWithPlanSerializer,
    PlanInputSerializer,
    PlanSerializer,
    company_with_plan_row,
    plan_row,
)

__all__ = [
    "CompanyWithPlanSerializer",
    "PlanInputSerializer",
    "PlanSerializer",
    "company_with_plan_row",
    "plan_row",
]
