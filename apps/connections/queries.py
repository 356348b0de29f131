from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Count, Max, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from apps.common.compiled_queries import CompiledQuery, columns_of, instance_of
from apps.common.conditions import Condition, adapted
from apps.companies.models import Company
from apps.companies.queries import companies_that_send, sending_companies, who_sends
from apps.connections.models import (
    BegunConversation,
    Connection,
    ConnectionQueue,
    ConnectionStatus,
    DirectSend,
    ProviderKind,
    SendPace,
)

# A contact counts for so long after the last message outside a window.
COUNTED = timedelta(hours=24)
LONG_AGO = datetime.min.replace(tzinfo=UTC)

Ceiling = tuple[int, str]


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


@dataclass(frozen=True)
class Portfolio:
    """The numbers of a company under one limit, in the order of their ids (rules/connections §18).

    `limit` is how many people they may write to first in 24 hours, together; None if there is no
    limit or Meta does not report it.
    """

    numbers: Sequence[Connection]
    limit: int | None

    def begun(self, *, since: datetime) -> "QuerySet[BegunConversation]":
        """Return the conversations that the numbers began after a moment."""
        return BegunConversation.objects.filter(connection__in=self.numbers, begun_at__gt=since)

    def used(self, *, at: datetime) -> int:
        """Return how many people count at a moment; a person counts once for all numbers."""
        rows = self.begun(since=at - COUNTED)
        count: int = rows.order_by().aggregate(count=Count("contact_id", distinct=True))["count"]
        return count

    def frees_at(self, *, at: datetime) -> datetime | None:
        """Return when there is room again; None while there is, or if nothing that counts ends."""
        if not self.limit:
            return None
        rows = self.begun(since=at - COUNTED).order_by().values("contact_id")
        last = rows.annotate(last=Max("begun_at")).order_by("last").values_list("last", flat=True)
        over = self.used(at=at) - self.limit
        return last[over] + COUNTED if over >= 0 else None


def ceilings_of(numbers: Iterable[Connection]) -> dict[int, Ceiling]:
    """Return what each number shares its limit with: company and portfolio.

    Numbers of one account have one portfolio. While Meta has not told it, the account stands for
    it.
    """
    rows = list(numbers)
    told = {(row.company_id, row.waba_id): row.portfolio_id for row in rows if row.portfolio_id}
    return {
        row.pk: (
            row.company_id,
            row.portfolio_id or told.get((row.company_id, row.waba_id)) or f"account {row.waba_id}",
        )
        for row in rows
    }


def portfolio_of(connection: Connection) -> Portfolio | None:
    """Return the company's numbers under a connection's limit; None for a QR session.

    Of what Meta told of several numbers the newest counts.
    """
    if connection.provider != ProviderKind.OFFICIAL:
        return None
    rows = list(
        Connection.objects.for_company(connection.company_id)
        .filter(provider=ProviderKind.OFFICIAL, verified_at__isnull=False)
        .order_by("pk")
    )
    if all(row.pk != connection.pk for row in rows):
        rows.append(connection)
    ceilings = ceilings_of(rows)
    numbers = [row for row in rows if ceilings[row.pk] == ceilings[connection.pk]]
    told = [row for row in numbers if row.messaging_limit is not None]
    newest = max(told, key=lambda row: row.messaging_limit_at or LONG_AGO, default=None)
    limit = newest.messaging_limit if newest else None
    return Portfolio(numbers, limit if limit and limit > 0 else None)
