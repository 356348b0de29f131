"""Waking workers by a task's name: the only way a service starts a task.

Celery carries no work, only the hint that a row waits; a lost hint is found by a sweep
(`apps.common.sweeps`). Of a thousand wake-ups one waits in the broker at a time.
"""

import contextlib
import logging
from functools import partial
from typing import Any

from celery import Task, current_app
from django.core.cache import cache
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from apps.common.silence import is_silent, note_silence

logger = logging.getLogger(__name__)

# A mark left by a wake-up that was lost stops later ones, a sweep's too, for no longer than this.
MARK_SECONDS = 3


def wake(name: str, *, after: float = 0.0) -> None:
    """Wake a task such as "tickets.deliver" after commit; with the broker down the sweep does it.

    `after`: the few seconds until the row is due, where a sweep would find it too late.
    """
    transaction.on_commit(partial(send_wake_up, name, after), robust=True)


def send_wake_up(name: str, after: float = 0.0) -> None:
    """Wake a task now, unless a wake-up for now is on its way."""
    mark = _mark(name)
    if after <= 0:
        with contextlib.suppress(RedisError):
            if not cache.add(mark, 1, timeout=MARK_SECONDS):
                return
    if is_silent():  # the broker is the cache's server
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
        """From here on a new row needs a new wake-up."""
        _unmark(str(self.name))


def _mark(name: str) -> str:
    return f"woken:{name}"


def _unmark(name: str) -> None:
    with contextlib.suppress(RedisError):
        cache.delete(_mark(name))
