"""What this process counts for Prometheus, by name; `apps.common.figures` shows it."""

import logging
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from prometheus_client import Counter, Histogram, start_http_server
from prometheus_client.core import CollectorRegistry

logger = logging.getLogger(__name__)

REQUESTS = Counter("balcao_http_requests", "Requests answered", ["view", "method", "status"])
SECONDS = Histogram(
    "balcao_http_request_seconds",
    "Time to answer a request",
    ["view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
NOTICES = Counter("balcao_webhook_notices", "Parts of Meta's notifications", ["field"])
# Callers may invent methods, and each label is kept for ever.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
PROVIDER_ERRORS = Counter("balcao_provider_errors", "Messages that a provider refused", ["code"])
TICK_SECONDS = Histogram(
    "balcao_tick_seconds",
    "From the time that a provider gives a message's status until it is stored",
    buckets=(0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600),
)
CHARGED = Counter("balcao_charged_messages", "Delivered messages that are charged", ["category"])
COST = Counter("balcao_message_cost", "What they cost", ["category", "currency"])
# A provider may invent codes, and each label is kept for ever.
CODE = re.compile(r"[0-9]{1,7}", re.ASCII)
MOST_CODES = 200
# Gauges that are read when they are scraped.
gauges = CollectorRegistry()
_codes: set[str] = set()


def count_request(view: str, method: str, status: int, seconds: float) -> None:
    """Count an answered request under the name of its URL, "" if it has none."""
    answered, taken = _counters(view or "other", method if method in METHODS else "other", status)
    answered.inc()
    taken.observe(seconds)


def count_notices(fields: Iterable[str]) -> None:
    """Count parts of Meta's notifications; a label is kept for ever, so pass known fields only."""
    for field in fields:
        NOTICES.labels(field).inc()


def count_provider_error(code: str) -> None:
    """Count a message that a provider refused, by its code."""
    if not CODE.fullmatch(code) or (code not in _codes and len(_codes) >= MOST_CODES):
        code = "other"
    _codes.add(code)
    PROVIDER_ERRORS.labels(code).inc()


def count_charge(category: str, amount: Decimal | None, currency: str) -> None:
    """Count a delivered message that is charged, and what it costs where there is a price."""
    CHARGED.labels(category).inc()
    if amount is not None:
        COST.labels(category, currency).inc(float(amount))


def serve_figures(address: str) -> None:
    """Serve this process's figures at `host:port`, for processes that answer no HTTP."""
    host, _, port = address.rpartition(":")
    try:
        start_http_server(int(port), host or "127.0.0.1")
    except (OSError, ValueError) as error:  # the work goes on without
        logger.warning("Figures are not served at %s: %s", address, error)


@lru_cache(maxsize=1024)
def _counters(view: str, method: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(view, method, str(status)), SECONDS.labels(view)
