"""Metrics for Prometheus at /metrics: requests and notifications of this process, pending work.

With PROMETHEUS_MULTIPROC_DIR set, the metrics of all web processes are summed.
"""

import os
import secrets
from collections.abc import Iterable, Iterator
from functools import lru_cache

from django.apps import apps
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, Histogram, generate_latest
from prometheus_client.core import CollectorRegistry, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

REQUESTS = Counter("balcao_http_requests", "Requests answered", ["view", "method", "status"])
SECONDS = Histogram(
    "balcao_http_request_seconds",
    "Time to answer a request",
    ["view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
NOTICES = Counter("balcao_webhook_notices", "Parts of Meta's notifications", ["field"])
PROXY_HEADERS = frozenset({"X-Forwarded-For", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via"})
# Callers may invent methods, and each label is kept for ever.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Tables of work of higher apps, named as text because imports go down.
_WAITING = {
    "inbound": ("inbound.InboundEvent", ["waiting", "claimed"]),
    "inbound_failed": ("inbound.InboundEvent", ["failed"]),
    "deliveries": ("tickets.Delivery", ["waiting", "claimed", "unknown"]),
}


class WaitingWork(Collector):
    """Counts the pending rows of work when it is scraped."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield one gauge with a label for each table of work."""
        family = GaugeMetricFamily("balcao_waiting_rows", "Rows of work", labels=["work"])
        for name, (label, states) in _WAITING.items():
            rows = apps.get_model(label)._default_manager.filter(state__in=states)
            family.add_metric([name], rows.count())
        yield family


def count_request(view: str, method: str, status: int, seconds: float) -> None:
    """Count an answered request under the name of its URL, "" if it has none."""
    answered, taken = _counters(view or "other", method if method in METHODS else "other", status)
    answered.inc()
    taken.observe(seconds)


def count_notices(fields: Iterable[str]) -> None:
    """Count parts of Meta's notifications; a label is kept for ever, so pass known fields only."""
    for field in fields:
        NOTICES.labels(field).inc()


@lru_cache(maxsize=1024)
def _counters(view: str, method: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(view, method, str(status)), SECONDS.labels(view)


def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the metrics to callers with METRICS_TOKEN or on this machine; 404 to others."""
    if not _may_read(request):
        return HttpResponse(status=404)
    registry = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    waiting = CollectorRegistry()
    waiting.register(WaitingWork())
    body = generate_latest(registry) + generate_latest(waiting)
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
