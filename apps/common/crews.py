"""Tasks that only wake: many wake-ups, few threads that go through the rows.

Celery may be told a thousand times that a row waits. One wake-up at a time stands in the broker,
and one process puts at most a crew of its threads to the work, so that a slow provider never
takes the threads that receive.
"""

import contextlib
import os
import socket
import threading
from collections.abc import Callable
from typing import Any

from celery import Task
from django.core.cache import cache
from redis.exceptions import RedisError

# A mark left by a wake-up that was lost stops later ones for no longer than this.
MARK_SECONDS = 10


class WakeTask(Task):
    """A task without arguments of which one wake-up waits in the broker at a time."""

    @property
    def _mark(self) -> str:
        return f"woken:{self.name}"

    def apply_async(self, *args: Any, **kwargs: Any) -> Any:
        """Send the wake-up unless one is on its way; a broker that is down raises as ever.

        One for later does not stand for those of now.
        """
        if kwargs.get("countdown"):
            return super().apply_async(*args, **kwargs)
        with contextlib.suppress(RedisError):
            if not cache.add(self._mark, 1, timeout=MARK_SECONDS):
                return None
        try:
            return super().apply_async(*args, **kwargs)
        except Exception:
            self.unmark()
            raise

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        """From here on a new row needs a new wake-up."""
        self.unmark()

    def unmark(self) -> None:
        """Let the next wake-up through."""
        with contextlib.suppress(RedisError):
            cache.delete(self._mark)


class Crew:
    """At most `size` threads of this process doing one kind of work."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._busy = 0
        self._called = False
        self._lock = threading.Lock()

    def work(
        self, step: Callable[[], int], *, full: int, rounds: int, call_help: Callable[[], Any]
    ) -> None:
        """Repeat `step`, which returns how many rows it did, until nothing is due.

        A step that did `full` rows calls for help, for there is probably more. After `rounds`
        steps the thread asks for a successor and ends, so that a worker can stop.
        """
        with self._lock:
            if self._busy >= self._size:
                # Those at work may have looked just before the row was there: they look again.
                self._called = True
                return
            self._busy += 1
        try:
            for turn in range(rounds):
                done = step()
                if done >= full and turn == 0:
                    call_help()
                if not done and self._may_leave():
                    return
        except BaseException:
            self._leave()
            raise
        self._leave()
        call_help()

    def _may_leave(self) -> bool:
        # Asking and leaving are one step, or a call between the two would go unheard.
        with self._lock:
            if self._called:
                self._called = False
                return False
            self._busy -= 1
            return True

    def _leave(self) -> None:
        with self._lock:
            self._busy -= 1


def owner_name() -> str:
    """Return who claims: host, process and thread."""
    return f"{socket.gethostname()[:20]}:{os.getpid()}:{threading.get_native_id()}"
