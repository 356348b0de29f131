"""Waking workers: the only way a service starts a task.

Celery carries no work, only the hint that a row waits; a lost hint is found by a periodic sweep.
"""

import logging
from typing import Any

from celery import Task
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def wake(task: "Task[Any, Any]", *arguments: Any, after: float = 0.0) -> None:
    """Send the task after commit; with the broker down the sweep does it later.

    `after`: the few seconds until the row is due, where a sweep would find it too late.
    """
    options = {"countdown": after} if after > 0 else {}

    def send() -> None:
        try:
            task.apply_async(arguments, retry=False, **options)
        except (OperationalError, OSError):
            logger.warning("No broker to wake %s; the sweep will", task.name)

    transaction.on_commit(send, robust=True)
