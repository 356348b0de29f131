from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.conditions import Condition, adapted
from apps.companies.models import Company
from apps.companies.queries import companies_that_send, sending_companies, who_sends
from apps.connections.models import (
    Connection,
    ConnectionQueue,
    ConnectionStatus,
    DirectSend,
    SendPace,
)


@dataclass(frozen=True)
class ShownConnections:
    """A company's connections, and by their ids the counts of new contacts and the queues.

    Of a queue there are the id, the name and the colour. Secrets are as stored: encrypted or not.
    """

    rows: list[Connection]
    paces: dict[int, SendPace]
    queues: dict[int, list[dict[str, Any]]]


_OWN, _PACE = columns_of(Connection), columns_of(SendPace)
_CONNECTIONS = CompiledQuery(
    lambda *, company_id: Connection.objects.for_company(company_id).values_list(
        *_OWN, *(f"pace__{column}" for column in _PACE)
    )
)
_QUEUES = CompiledQuery(
    lambda *, ids: (
        ConnectionQueue.objects.filter(connection__among=ids)
        .order_by("queue")
        .values_list("connection_id", "queue_id", "queue__name", "queue__color")
    )
)


def shown_connections(company_id: int) -> ShownConnections:
    """Return what a list of a company's connections shows, in two queries."""
    shown = ShownConnections([], {}, defaultdict(list))
    for row in _CONNECTIONS.rows(company_id=company_id):
        values = iter(row)  # each `instance_of` consumes its own columns
        connection = instance_of(Connection, _OWN, values)
        pace = instance_of(SendPace, _PACE, values)
        shown.rows.append(connection)
        if pace.pk is not None:
            shown.paces[connection.pk] = pace
    for connection_id, *queue in _QUEUES.rows(ids=[each.pk for each in shown.rows]):
        named = dict(zip(("id", "name", "color"), queue, strict=True))
        shown.queues[connection_id].append(named)
    return shown


def connections_that_send(now: datetime) -> QuerySet[Connection]:
    """Return the connections on which messages leave: connected, not paused, the company's paid."""
    return _that_send(now, companies_that_send(now))


def _that_send(now: datetime | RawSQL, companies: QuerySet[Company]) -> QuerySet[Connection]:
    not_paused = Q(sends_paused_until=None) | Q(sends_paused_until__lte=now)
    return Connection.objects.filter(
        not_paused, status=ConnectionStatus.CONNECTED, company__in=companies
    )


def may_send(now: datetime) -> Condition:
    """Return the condition that a row of work is about one of `connections_that_send`.

    Compiled once for a day and the companies that are overdue on it, because each claim of
    deliveries needs it.
    """
    compiled = _may_send(*who_sends(now))
    moment = adapted(now)
    values = {name: moment if each is _NOW else each for name, each in compiled.values.items()}
    return Condition(compiled.sql, values)


_NOW = object()


@lru_cache(maxsize=16)
def _may_send(around: date, overdue: tuple[int, ...]) -> Condition:
    now = RawSQL("%s", [_NOW])
    sending = _that_send(now, sending_companies(around, overdue)).values("pk")
    return Condition.of("work.connection_id IN (%(connections)s)", connections=sending)


def direct_send_of(connection: Connection) -> DirectSend:
    """Return what is known of a connection's account now: a refusal counts for its time only."""
    state = DirectSend(connection.direct_send)
    until = connection.direct_send_until
    if state == DirectSend.MAY_NOT and (until is None or until <= timezone.now()):
        return DirectSend.UNKNOWN
    return state
