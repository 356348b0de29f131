"""Models of what messages cost."""

from apps.costs.models.prices import ELSEWHERE, MessageCategory, MessagePrice

__all__ = ["ELSEWHERE", "MessageCategory", "MessagePrice"]
