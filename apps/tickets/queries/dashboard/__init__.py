"""The dashboard's figures (rules/dashboard)."""

from apps.tickets.queries.dashboard.figures import Dashboard, dashboard_of
from apps.tickets.queries.dashboard.groups import Breakdown, breakdown_of, tags_of
from apps.tickets.queries.dashboard.spans import Asked, Span, span_of

__all__ = [
    "Asked",
    "Breakdown",
    "Dashboard",
    "Span",
    "breakdown_of",
    "dashboard_of",
    "span_of",
    "tags_of",
]
