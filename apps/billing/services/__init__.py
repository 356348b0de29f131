"""Rules of plans."""

from apps.billing.services.plans import (
    Feature,
    PlanFeatureMissing,
    PlanInUse,
    PlanLimitReached,
    PlanNameTaken,
    PlanNotFound,
    Resource,
    change_plan,
    check_feature,
    delete_plan,
    ensure_plan,
    get_plan,
    require_feature,
    require_room,
    save_plan,
)

__all__ = [
    "Feature",
    "PlanFeatureMissing",
    "PlanInUse",
    "PlanLimitReached",
    "PlanNameTaken",
    "PlanNotFound",
    "Resource",
    "change_plan",
    "check_feature",
    "delete_plan",
    "ensure_plan",
    "get_plan",
    "require_feature",
    "require_room",
    "save_plan",
]
