"""Rules of plans."""

from apps.billing.services.plans import (
    Feature,
    PlanFeatureMissing,
    PlanLimitReached,
    Resource,
    check_feature,
    delete_plan,
    ensure_plan,
    require_feature,
    require_room,
    save_plan,
)

__all__ = [
    "Feature",
    "PlanFeatureMissing",
    "PlanLimitReached",
    "Resource",
    "check_feature",
    "delete_plan",
    "ensure_plan",
    "require_feature",
    "require_room",
    "save_plan",
]
