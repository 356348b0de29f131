"""Hears the wake-ups of a worker's queues and starts their tasks on the worker's threads."""

import logging
import threading
import time

import redis
from django.conf import settings

from apps.common.wakeups import woken_key
from apps.common.workers import Starter

logger = logging.getLogger(__name__)

# How long one call waits for a wake-up. A Redis that hangs is noticed after ANSWER_SECONDS more.
WAIT_SECONDS, ANSWER_SECONDS = 10.0, 5.0
# After a fault; the sweep finds what is due meanwhile.
PAUSE_SECONDS = 1.0


class ListenThread(threading.Thread):
    def __init__(self, starter: Starter) -> None:
        super().__init__(name="wake-ups", daemon=True)
        self._starter = starter
        self._keys = [woken_key(queue) for queue in sorted(starter.queues)]
        self._redis = redis.Redis.from_url(
            settings.REDIS_URL,
            decode_responses=True,
            socket_connect_timeout=ANSWER_SECONDS,
            socket_timeout=WAIT_SECONDS + ANSWER_SECONDS,
        )

    def run(self) -> None:
        """Run for ever; go on after an outage of Redis."""
        is_away = False
        while True:
            try:
                self._hear()
                is_away = False
            except redis.RedisError:
                if not is_away:
                    logger.warning("Redis is away: due rows are found by sweeps")
                is_away = True
                time.sleep(PAUSE_SECONDS)
            except Exception:  # without this thread all work waits for sweeps
                logger.exception("A wake-up could not be served")
                time.sleep(PAUSE_SECONDS)

    def _hear(self) -> None:
        heard = self._redis.bzpopmin(self._keys, timeout=WAIT_SECONDS)
        if heard:
            _, name, _ = heard
            self._starter.start(str(name))
