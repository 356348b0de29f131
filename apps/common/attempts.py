"""Limits failed attempts, counted in the cache that all processes share."""

import logging
import math
import time

from django.core.cache import BaseCache, cache, caches
from redis.exceptions import RedisError
from rest_framework.exceptions import Throttled

logger = logging.getLogger(__name__)

KEPT_SECONDS = 3600
MINUTE_SECONDS = 60
FIRST_WAIT_SECONDS = 5
LONGEST_WAIT_SECONDS = 900
UNANSWERED = (RedisError, OSError, ValueError)


class TooManyAttempts(Throttled):
    """The next attempt has to wait this many seconds: 429."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def wait_after(name: str, *, most: int) -> float:
    """Count a call under a name; return the seconds until the next minute if there were more than
    `most` in this one, else 0. Without the cache there is no limit.
    """
    window, passed = divmod(time.time(), MINUTE_SECONDS)
    key = f"{name}:{int(window)}"
    try:
        cache.add(key, 0, timeout=2 * MINUTE_SECONDS)
        return 0.0 if cache.incr(key) <= most else MINUTE_SECONDS - passed
    except UNANSWERED:
        logger.warning("No cache to count calls of programs in")
        return 0.0


class Attempts:
    """The failed attempts under one name: `free` of them without a wait, then one after each of
    growing waits.

    An attempt is counted when it begins and subtracted when it succeeds, so that concurrent
    attempts gain nothing. The count expires an hour after the last attempt. While Redis does not
    answer each process counts for itself, so that an attacker gains nothing by overloading Redis.
    """

    def __init__(self, name: str, *, free: int) -> None:
        self.free = free
        self._count, self._gate, self._passed = (
            f"attempts:{name}",
            f"attempts-gate:{name}",
            f"attempts-passed:{name}",
        )
        self._holds_gate = False
        self._cache: BaseCache = cache

    def begin(self) -> None:
        """Count an attempt; raises TooManyAttempts without counting it."""
        try:
            wait = self._begin()
        except UNANSWERED:
            logger.warning("No cache to count attempts in: this process counts its own")
            self._cache = caches["process"]
            wait = self._begin()
        if wait:
            raise TooManyAttempts(wait)

    def _begin(self) -> int:
        wait = self._wait()
        if wait:
            return wait
        count = 1
        if not self._cache.add(self._count, count, KEPT_SECONDS):
            count = self._cache.incr(self._count)
            self._cache.touch(self._count, KEPT_SECONDS)
        if count < self.free:
            return 0
        # The last free attempt sets the wait; after each wait one attempt is admitted.
        passed = self._cache.get(self._passed, 0)
        seconds = min(FIRST_WAIT_SECONDS * 2 ** min(passed, 10), LONGEST_WAIT_SECONDS)
        self._holds_gate = self._cache.add(self._gate, time.time() + seconds, seconds)
        if not self._holds_gate:
            self._cache.decr(self._count)
            return self._wait() or 1
        self._cache.add(self._passed, 0, KEPT_SECONDS)
        self._cache.incr(self._passed)
        self._cache.touch(self._passed, KEPT_SECONDS)
        return 0

    def _wait(self) -> int:
        opens_at = self._cache.get(self._gate)
        return 0 if opens_at is None else max(1, math.ceil(opens_at - time.time()))

    def forgive(self) -> None:
        """Subtract the attempt of `begin`: it did not fail."""
        try:
            if self._holds_gate:
                self._cache.delete(self._gate)
                self._cache.decr(self._passed)
            self._cache.decr(self._count)
        except UNANSWERED:
            logger.warning("No cache to take an attempt back in")

    def forget(self) -> None:
        """Reset the count: the person proved who they are."""
        keys = [self._count, self._gate, self._passed]
        caches["process"].delete_many(keys)
        try:
            cache.delete_many(keys)
        except UNANSWERED:
            logger.warning("No cache to forget attempts in")
