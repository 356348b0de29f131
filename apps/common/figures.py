"""Metrics for Prometheus: of web and sockets at /metrics, of a worker at METRICS_BIND.

Each process tells its own figures; the rows that wait are the database's, and the same everywhere.
With PROMETHEUS_MULTIPROC_DIR set, the figures of all web processes are summed.
"""

import os
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, cast

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest
from prometheus_client.core import CollectorRegistry, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from apps.common.leases import UNFINISHED_SQL, LeasedRow, leased_models
from apps.common.metrics import gauges

PROXY_HEADERS = frozenset({"X-Forwarded-For", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via"})
_NAMES = {"InboundEvent": "inbound", "Delivery": "deliveries"}


class WaitingWork(Collector):
    """Counts the unfinished rows of each table of work, and tells how late the oldest due one is.

    One statement for all tables; each part reads an index of unfinished rows.
    """

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the rows, the lateness in seconds, and the notifications that were given up."""
        waiting = GaugeMetricFamily("balcao_waiting_rows", "Rows of work", labels=["work"])
        late = GaugeMetricFamily(
            "balcao_oldest_due_seconds", "How long the oldest due row waits", labels=["work"]
        )
        now = timezone.now()
        for name, rows, due_at in _unfinished(now):
            waiting.add_metric([name], rows)
            late.add_metric([name], max(0.0, (now - due_at).total_seconds()) if due_at else 0.0)
        failed = apps.get_model("inbound.InboundEvent")._default_manager.filter(state="failed")
        waiting.add_metric(["inbound_failed"], failed.count())
        yield from (waiting, late)


def _unfinished(now: datetime) -> list[tuple[str, int, datetime | None]]:
    """Return each table's name, its unfinished rows, and since when the oldest one is due."""
    tables = leased_models()
    parts = []
    for number, table in enumerate(tables):
        name = connection.ops.quote_name(table._meta.db_table)
        due = "min(CASE WHEN work.next_attempt_at <= %(now)s THEN work.next_attempt_at END)"
        parts.append(
            f"SELECT {number}, count(*), {due} FROM {name} AS work WHERE {UNFINISHED_SQL}"  # noqa: S608
        )
    moment = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), {"now": moment})
        found = cursor.fetchall()
    return [(_name(tables[number]), rows, _moment(due_at)) for number, rows, due_at in found]


def _name(table: type[LeasedRow]) -> str:
    plural = str(table._meta.verbose_name_plural).replace(" ", "_")
    return _NAMES.get(table.__name__, plural)


def _moment(stored: Any) -> datetime | None:
    """Return a time of a statement by hand; SQLite gives text."""
    if isinstance(stored, str):
        stored = datetime.fromisoformat(stored).replace(tzinfo=UTC)
    return cast("datetime | None", stored)


gauges.register(WaitingWork())


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the metrics to callers with METRICS_TOKEN or on this machine; 404 to others."""
    if not _may_read(request):
        return HttpResponse(status=404)
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    body = generate_latest(registry) + generate_latest(gauges)
    return HttpResponse(body, content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if settings.METRICS_TOKEN:
        return secrets.compare_digest(given.encode(), settings.METRICS_TOKEN.encode())
    # A proxy on this machine calls from loopback as well, perhaps without X-Forwarded-For: with a
    # proxy no caller is admitted by its address.
    return (
        settings.METRICS_ON_LOOPBACK
        and request.META.get("REMOTE_ADDR") in {"127.0.0.1", "::1"}
        and PROXY_HEADERS.isdisjoint(request.headers)
    )
