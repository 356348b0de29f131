from django.db.models import Q, QuerySet
from django_filters import CharFilter, FilterSet

from apps.automation.models import IntegrationCall, QueueIntegration

WENT_WELL = Q(error="", status_code__range=(200, 299))
# The values of the query parameter `status`.
OUTCOMES = {"ok": WENT_WELL, "failed": ~WENT_WELL}


def calls_of(integration: QueueIntegration) -> QuerySet[IntegrationCall]:
    """Return an integration's calls, newest first."""
    return IntegrationCall.objects.filter(integration=integration).order_by("-id")


class CallFilters(FilterSet):
    """Filters of an integration's log. An unknown `status` does not filter."""

    status = CharFilter(method="keep")

    def keep(
        self, rows: QuerySet[IntegrationCall], name: str, status: str
    ) -> QuerySet[IntegrationCall]:
        """Keep the successful or the failed calls."""
        return rows.filter(OUTCOMES.get(status, Q()))
