from apps.billing.queries.plans import (
    all_plans,
    offered_plans,
    plans_for,
    public_plans,
)

__all__ = [
    "all_plans",
    "offered_plans",
    "plans_for",
    "public_plans",
]
