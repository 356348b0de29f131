"""A background thread that processes due rows, and ends when none are waiting.

A request never processes rows itself: the product may run in the same process, and would wait for
itself. Rows left by a restart are found by the worker's sweep.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

logger = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS = 30


class Background:
    """At most one thread per process.

    `work` processes due rows, `next_due` returns the next due time.
    """

    def __init__(
        self, name: str, work: Callable[[], object], next_due: Callable[[], datetime | None]
    ) -> None:
        self._name, self._do, self._next_due = name, work, next_due
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Wake the thread, or start it."""
        with self._lock:
            self._news.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def _run(self) -> None:
        try:
            while self._work():
                pass
        finally:
            connection.close()

    def _work(self) -> bool:
        """Process due rows once and wait for more; returns False when the thread must end."""
        self._news.clear()
        try:
            self._do()
            due = self._next_due()
        except Exception:
            logger.exception("The simulator could not do what was due: %s", self._name)
            due = timezone.now() + timedelta(seconds=LONGEST_PAUSE_SECONDS)
            connection.close()
        with self._lock:
            if due is None and not self._news.is_set():
                self._thread = None
                return False
        if due is not None:
            wait = (due - timezone.now()).total_seconds()
            self._news.wait(max(0.05, wait))
        return True
