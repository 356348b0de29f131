from datetime import datetime

from django.db.models import Q, QuerySet

from apps.companies.queries import companies_that_send
from apps.connections.models import Connection, ConnectionStatus


def connections_of(company_id: int) -> QuerySet[Connection]:
    """Return a company's connections with their queues, in two queries whatever their number."""
    return (
        Connection.objects.for_company(company_id).select_related("pace").prefetch_related("queues")
    )


def connections_that_send(now: datetime) -> QuerySet[Connection]:
    """Return the connections on which messages leave: connected, not paused, the company's paid."""
    not_paused = Q(sends_paused_until=None) | Q(sends_paused_until__lte=now)
    return Connection.objects.filter(
        not_paused, status=ConnectionStatus.CONNECTED, company__in=companies_that_send(now)
    )
