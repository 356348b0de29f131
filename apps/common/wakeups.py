"""Waking workers: the only way a service starts a task.

Celery carries no work, only the hint that a row waits; a lost hint is found by a periodic sweep.
"""

import logging
from typing import Any

from celery import Task
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)


def wake(task: "Task[Any, Any]", *arguments: Any) -> None:
    """Send the task after commit; with the broker down the sweep does it later."""

    def send() -> None:
        try:
            task.apply_async(arguments, retry=False)
        except (OperationalError, OSError):
            logger.warning("No broker to wake %s; the sweep will", task.name)

    transaction.on_commit(send, robust=True)
