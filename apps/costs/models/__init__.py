"""Prices, allowances, and the ledger of delivered messages (rules/costs)."""

from apps.costs.models.ledger import (
    COUNTS,
    IS_FREE,
    CostMeter,
    MessageCost,
    ServiceAllowance,
)
from apps.costs.models.prices import ELSEWHERE, MessageCategory, MessagePrice
from apps.costs.models.stopped import StoppedText

__all__ = [
    "COUNTS",
    "ELSEWHERE",
    "IS_FREE",
    "CostMeter",
    "MessageCategory",
    "MessageCost",
    "MessagePrice",
    "ServiceAllowance",
    "StoppedText",
]
