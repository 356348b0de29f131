"""Reads of connections."""

from django.db.models import QuerySet

from apps.connections.models import Connection


def connections_of(company_id: int) -> QuerySet[Connection]:
    """Return a company's connections with their queues, in two queries whatever their number."""
    return Connection.objects.for_company(company_id).prefetch_related("queues")
