"""Tasks that handle rows of work: many wake-ups, few threads.

One process uses at most a pool of its threads for one kind of work, so that a slow provider never
occupies the threads that receive.
"""

import logging
import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from celery import Task, shared_task

from apps.common.wakeups import queue_of, send_wake_up

logger = logging.getLogger(__name__)

# The work of each task that handles rows.
_works: dict[str, Callable[[], None]] = {}


class WorkerPool:
    """At most `size` threads of this process for one kind of work."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._busy = 0
        self._called = False
        self._lock = threading.Lock()

    def work(
        self, step: Callable[[], int], *, full: int, rounds: int, call_help: Callable[[], Any]
    ) -> None:
        """Repeat `step`, which returns how many rows it handled, until nothing is due.

        A step that handled `full` rows wakes another thread, since more rows are probably due.
        After `rounds` steps the thread wakes a successor and ends, so that a worker can stop.
        """
        with self._lock:
            if self._busy >= self._size:
                # The running threads may have queried just before the row was stored: they query
                # again.
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
        # Checking and leaving hold the lock together, or a wake-up between them would be lost.
        with self._lock:
            if self._called:
                self._called = False
                return False
            self._busy -= 1
            return True

    def _leave(self) -> None:
        with self._lock:
            self._busy -= 1


def work_task(
    name: str, step: Callable[..., int], *, threads: int, batch: int, rounds: int
) -> "Task[[], None]":
    """Make the task that handles rows of work when it is woken.

    `step(limit=batch)` claims and handles at most that many rows and returns how many it claimed.
    `threads` is the size of the process's pool, `rounds` the steps of one thread.
    """
    pool = WorkerPool(threads)

    @shared_task(name=name)  # type: ignore[untyped-decorator]
    def work() -> None:
        pool.work(
            partial(step, limit=batch),
            full=batch,
            rounds=rounds,
            call_help=partial(send_wake_up, name),
        )

    task: Task[[], None] = work
    _works[name] = task
    return task


class Starter:
    """Starts the work of a worker's queues on its threads, as wake-ups and sweeps ask.

    `submit` runs a function on one of these threads. Of each task at most one start waits for a
    thread: who asks meanwhile is served by that one.
    """

    def __init__(self, submit: Callable[[Callable[[], None]], Any], queues: Iterable[str]) -> None:
        self._submit = submit
        self.queues = frozenset(queues)
        self._waiting: set[str] = set()
        self._lock = threading.Lock()

    def start(self, name: str) -> None:
        """Start a task's work, if it is work of these queues."""
        if name not in _works or queue_of(name) not in self.queues:
            return
        with self._lock:
            if name in self._waiting:
                return
            self._waiting.add(name)
        try:
            self._submit(partial(self._run, name))
        except BaseException:
            self._leave(name)
            raise

    def _run(self, name: str) -> None:
        self._leave(name)  # a row stored from now on needs a new start
        try:
            _works[name]()
        except Exception:
            logger.exception("Work %s failed; the sweep finds what is left", name)

    def _leave(self, name: str) -> None:
        with self._lock:
            self._waiting.discard(name)
