"""Integrations with where they are used and how their last call went."""

from collections.abc import Sequence

from django.db.models import OuterRef, QuerySet, Subquery

from apps.automation.addresses import masked_address
from apps.automation.models import IntegrationDelivery, IntegrationType, QueueIntegration
from apps.common.search import fold


def search_integrations(company_id: int, text: str) -> QuerySet[QueueIntegration]:
    """Return a company's integrations by name whose name, type or address holds the text.

    Accents and case do not matter. A company has few of them, so the words are compared here.
    """
    rows = QueueIntegration.objects.for_company(company_id).order_by("name", "id")
    term = fold(text.replace("\x00", ""))
    if not term:
        return rows
    labels = dict(IntegrationType.choices)
    found = [
        pk
        for pk, name, kind, url in rows.values_list("pk", "name", "type", "url")
        if term in fold(f"{name} {kind} {labels.get(kind, '')} {masked_address(url)}")
    ]
    return rows.filter(pk__in=found)


def with_uses(rows: "QuerySet[QueueIntegration]") -> "QuerySet[QueueIntegration]":
    """Return the rows with what `integration_row` reads, in three queries whatever their number."""
    return rows.prefetch_related("queues", "connections")


def last_deliveries(integrations: Sequence[QueueIntegration]) -> dict[int, IntegrationDelivery]:
    """Return the newest call of each integration that made any, by integration, in one query."""
    newest = IntegrationDelivery.objects.filter(integration=OuterRef("pk")).order_by("-id")
    ids = QueueIntegration.objects.filter(pk__in=[row.pk for row in integrations]).values_list(
        Subquery(newest.values("pk")[:1])
    )
    rows = IntegrationDelivery.objects.filter(pk__in=ids).defer("request_body", "response_text")
    return {row.integration_id: row for row in rows}
