"""Plans: what a company may use."""

from apps.billing.models.plans import Plan

__all__ = ["Plan"]
