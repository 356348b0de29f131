"""A Redis that is there and does not answer: one call waits for it, the next ones do not.

A server that is down refuses at once. One that hangs, or behind a network that swallows everything,
would hold each of a request's calls for the whole time-out.
"""

import time
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

WAIT_SECONDS = 0.5
# For so long after a time-out nobody asks again.
SILENT_SECONDS = 3.0

# What a client of Redis is made with where a request waits for it. A server that was restarted
# leaves dead connections in the pool: one fresh try, but none after a time-out.
CLIENT_OPTIONS: dict[str, Any] = {
    "socket_connect_timeout": WAIT_SECONDS,
    "socket_timeout": WAIT_SECONDS,
    "retry": Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
}


class _Silence:
    """Since when this process knows; threads may race, and one of them waits in vain."""

    until = 0.0


def is_silent() -> bool:
    """Tell whether Redis gave no answer a moment ago."""
    return time.monotonic() < _Silence.until


def note_silence() -> None:
    """Have everyone do without Redis for a moment."""
    _Silence.until = time.monotonic() + SILENT_SECONDS


def refuse_when_silent() -> None:
    """Raise redis.TimeoutError where waiting would be in vain."""
    if is_silent():
        raise redis.TimeoutError("Redis gave no answer a moment ago")


class Client(redis.Redis):
    """A client that does not wait again for a server that has just not answered."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Execute one command; raises redis.RedisError."""
        refuse_when_silent()
        try:
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]
        except redis.TimeoutError:
            note_silence()
            raise
