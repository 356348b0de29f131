"""Tries that may fail only so often, counted where all processes count together."""

import logging
import math
import time

from django.core.cache import cache
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled

logger = logging.getLogger(__name__)

KEPT_SECONDS = 3600
FIRST_WAIT_SECONDS = 5
LONGEST_WAIT_SECONDS = 900


class TooManyAttempts(Throttled):
    """The next try has to wait so many seconds: 429."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Attempts:
    """The failures under one name: `free` of them at once, then one after each wait, ever longer.

    A try is counted when it begins and forgiven when it succeeds, so that of any number at once no
    more get through than one after the other. An hour after the last one they are forgotten.
    Without the cache nobody is held back.
    """

    def __init__(self, name: str, *, free: int) -> None:
        self.free = free
        self._count, self._gate, self._passed = (
            f"attempts:{name}",
            f"attempts-gate:{name}",
            f"attempts-passed:{name}",
        )
        self._holds_gate = False

    def begin(self) -> None:
        """Count a try; raises TooManyAttempts, and then it is not counted."""
        try:
            wait = self._begin()
        except (RedisError, OSError, ValueError):
            logger.warning("No cache to count attempts in")
            return
        if wait:
            raise TooManyAttempts(wait)

    def _begin(self) -> int:
        wait = self._wait()
        if wait:
            return wait
        cache.add(self._count, 0, KEPT_SECONDS)
        count = cache.incr(self._count)
        cache.touch(self._count, KEPT_SECONDS)
        if count < self.free:
            return 0
        # The last free one shuts the gate behind it; who finds it open later goes through alone.
        passed = cache.get(self._passed, 0)
        seconds = min(FIRST_WAIT_SECONDS * 2 ** min(passed, 10), LONGEST_WAIT_SECONDS)
        self._holds_gate = cache.add(self._gate, time.time() + seconds, seconds)
        if not self._holds_gate:
            cache.decr(self._count)
            return self._wait() or 1
        cache.add(self._passed, 0, KEPT_SECONDS)
        cache.incr(self._passed)
        cache.touch(self._passed, KEPT_SECONDS)
        return 0

    def _wait(self) -> int:
        opens_at = cache.get(self._gate)
        return 0 if opens_at is None else max(1, math.ceil(opens_at - time.time()))

    def forgive(self) -> None:
        """Take the try of `begin` back: it was no failure."""
        try:
            if self._holds_gate:
                cache.delete(self._gate)
                cache.decr(self._passed)
            cache.decr(self._count)
        except (RedisError, OSError, ValueError):
            logger.warning("No cache to count attempts in")

    def forget(self) -> None:
        """Begin anew: whoever tried is who they said."""
        try:
            cache.delete_many([self._count, self._gate, self._passed])
        except (RedisError, OSError):
            logger.warning("No cache to count attempts in")
