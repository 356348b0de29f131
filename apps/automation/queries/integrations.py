"""Integrations with the queues and connections that use them, and their last calls."""

from collections.abc import Sequence

from django.db.models import OuterRef, QuerySet, Subquery
from django_filters import CharFilter, FilterSet

from apps.automation.addresses import masked_address
from apps.automation.models import IntegrationCall, IntegrationType, QueueIntegration
from apps.common.filters import sifted


def integrations_of(company_id: int) -> QuerySet[QueueIntegration]:
    """Return a company's integrations by name, with the queues and connections that use them."""
    rows = QueueIntegration.objects.for_company(company_id).order_by("name", "id")
    return rows.prefetch_related("queues", "connections")


class IntegrationFilters(FilterSet):
    """Filters of the list of integrations: a part of the name, the type or the address."""

    searchParam = CharFilter(method="search")

    def search(
        self, rows: QuerySet[QueueIntegration], name: str, text: str
    ) -> QuerySet[QueueIntegration]:
        """Keep the integrations that contain the text; masked parts of an address do not match."""
        kinds = dict(IntegrationType.choices)
        return sifted(
            rows,
            text,
            "name",
            "type",
            "url",
            shown=lambda name, kind, url: (name, kind, kinds.get(kind, ""), masked_address(url)),
        )


def last_calls(integrations: Sequence[QueueIntegration]) -> dict[int, IntegrationCall]:
    """Return the newest call of each integration, by integration id, in one query."""
    newest = IntegrationCall.objects.filter(integration=OuterRef("pk")).order_by("-id")
    ids = QueueIntegration.objects.filter(pk__in=[row.pk for row in integrations]).values_list(
        Subquery(newest.values("pk")[:1])
    )
    rows = IntegrationCall.objects.filter(pk__in=ids).defer("request_body", "response_text")
    return {row.integration_id: row for row in rows}
