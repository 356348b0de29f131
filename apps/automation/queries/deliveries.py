"""Reads of an integration's log."""

from django.db.models import Q, QuerySet

from apps.automation.models import IntegrationDelivery, QueueIntegration

WENT_WELL = Q(error="", status_code__range=(200, 299))


def deliveries_of(
    integration: QueueIntegration, *, went_well: bool | None = None
) -> "QuerySet[IntegrationDelivery]":
    """Return an integration's calls, newest first: all, those that went well, or the others."""
    rows = IntegrationDelivery.objects.filter(integration=integration).order_by("-id")
    if went_well is None:
        return rows
    return rows.filter(WENT_WELL) if went_well else rows.exclude(WENT_WELL)
