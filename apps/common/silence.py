"""A circuit breaker for a Redis that hangs: one call waits for it, the next ones do not.

A server that is down refuses at once. One that hangs, or behind a network that drops packets, would
delay each call of a request by the whole time-out.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

WAIT_SECONDS = 0.5
# Seconds after a time-out in which no call is tried.
SILENT_SECONDS = 3.0

# The options of Redis clients that requests wait for. A restarted server leaves dead connections in
# the pool: one retry on a new connection, but none after a time-out.
CLIENT_OPTIONS: dict[str, Any] = {
    "socket_connect_timeout": WAIT_SECONDS,
    "socket_timeout": WAIT_SECONDS,
    "retry": Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
}


class _Silence:
    """When this process last had a time-out; in a race one more thread may wait in vain."""

    until = 0.0


def is_silent() -> bool:
    """Tell whether Redis timed out a moment ago."""
    return time.monotonic() < _Silence.until


def note_silence() -> None:
    """Open the circuit: no call of this process tries Redis for a moment."""
    _Silence.until = time.monotonic() + SILENT_SECONDS


def refuse_when_silent() -> None:
    """Raise redis.TimeoutError while the circuit is open."""
    if is_silent():
        raise redis.TimeoutError("Redis gave no answer a moment ago")


@contextmanager
def patiently() -> Iterator[None]:
    """Raise redis.TimeoutError while the circuit is open; open it at a time-out in the block."""
    refuse_when_silent()
    try:
        yield
    except redis.TimeoutError:
        note_silence()
        raise


class Client(redis.Redis):
    """A client that raises at once while the circuit is open."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Execute one command; raises redis.RedisError."""
        with patiently():
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]


@lru_cache(maxsize=1)
def redis_client() -> redis.Redis:
    """Return this process's pooled Redis client, with time-outs short enough for a request."""
    return Client.from_url(settings.REDIS_URL, **CLIENT_OPTIONS)
