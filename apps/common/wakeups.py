"""Wakes workers by a task's name: the only way for a service to start a task.

A Celery message carries no work, only the hint that a row is due; a sweep makes up for lost ones
(`apps.common.sweeps`). Wake-ups are deduplicated: at most one per task is in the broker.
"""

import contextlib
import logging
from functools import partial
from typing import Any

from celery import Task, current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from apps.common.silence import is_silent, note_silence, redis_client

logger = logging.getLogger(__name__)

# A lost wake-up blocks later ones, the sweep's as well, for no longer than this.
MARK_SECONDS = 3


def wake(name: str, *, after: float = 0.0) -> None:
    """Wake a task such as "tickets.deliver" after commit; if the broker is down the sweep does it.

    `after`: the seconds until the row is due, if a sweep would find it too late.
    """
    transaction.on_commit(partial(send_wake_up, name, after), robust=True)


def send_wake_up(name: str, after: float = 0.0) -> None:
    """Wake a task now, unless an immediate wake-up is in the broker."""
    mark = _mark(name)
    if after <= 0:
        with contextlib.suppress(RedisError):
            if not redis_client().set(mark, 1, nx=True, ex=MARK_SECONDS):
                return
    if is_silent():  # the broker and the mark are the same server
        logger.warning("No broker to wake %s; the sweep will", name)
        return
    try:
        options = {"countdown": after} if after > 0 else {}
        current_app.send_task(name, retry=False, **options)
    except (OperationalError, RedisError, OSError) as error:
        if isinstance(error, RedisTimeoutError) or isinstance(error.__cause__, RedisTimeoutError):
            note_silence()
        logger.warning("No broker to wake %s; the sweep will", name)
        _unmark(name)


class WokenTask(Task):
    """A task without arguments that is woken by its name."""

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        """Clear the mark: a row stored from now on needs a new wake-up."""
        _unmark(str(self.name))


def _mark(name: str) -> str:
    return f"{settings.CHANNEL_PREFIX}:woken:{name}"


def _unmark(name: str) -> None:
    with contextlib.suppress(RedisError):
        redis_client().delete(_mark(name))
