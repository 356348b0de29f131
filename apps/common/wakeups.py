"""Wakes workers by a task's name: the only way for a service to start a task.

A wake-up carries no work, only the hint that a row is due; a sweep makes up for lost ones
(`apps.common.sweeps`). It is a member of a sorted set in Redis, one set for each queue, so that at
most one of each task waits. A Celery message costs ten times as much (decision 15); one carries the
wake-ups for later, which Redis cannot hold back.
"""

import logging
import time
from functools import cache, partial

from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from apps.common.silence import is_silent, note_silence, redis_client

logger = logging.getLogger(__name__)


def wake(name: str, *, after: float = 0.0) -> None:
    """Wake a task such as "tickets.deliver" after commit; if Redis is down the sweep does it.

    `after`: the seconds until the row is due, if a sweep would find it too late.
    """
    transaction.on_commit(partial(send_wake_up, name, after), robust=True)


def send_wake_up(name: str, after: float = 0.0) -> None:
    """Wake a task now, unless a wake-up of it waits already, or after some seconds."""
    if after > 0:
        _send_later(name, after)
        return
    try:
        redis_client().zadd(woken_key(queue_of(name)), {name: time.time()}, nx=True)
    except RedisError:
        logger.warning("No Redis to wake %s; the sweep will", name)


def _send_later(name: str, after: float) -> None:
    if is_silent():  # the broker is the same server
        logger.warning("No broker to wake %s; the sweep will", name)
        return
    try:
        current_app.send_task(name, retry=False, countdown=after)
    except (OperationalError, RedisError, OSError) as error:
        if isinstance(error, RedisTimeoutError) or isinstance(error.__cause__, RedisTimeoutError):
            note_silence()
        logger.warning("No broker to wake %s; the sweep will", name)


def woken_key(queue: str) -> str:
    """Return the Redis key of a queue's woken tasks: their names by the time of the wake-up."""
    return f"{settings.CHANNEL_PREFIX}:woken:{queue}"


@cache
def queue_of(name: str) -> str:
    """Return the queue of a task, by CELERY_TASK_ROUTES."""
    queue: str = current_app.amqp.router.route({}, name)["queue"].name
    return queue
