"""Tasks that go through rows of work: many wake-ups, few threads.

Celery may be told a thousand times that a row waits. One process puts at most a pool of its
threads to one kind of work, so that a slow provider never takes the threads that receive.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from celery import Task, shared_task

from apps.common.wakeups import WokenTask, send_wake_up


class WorkerPool:
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


def work_task(
    name: str, step: Callable[..., int], *, threads: int, batch: int, rounds: int
) -> "Task[[], None]":
    """Make the task that does rows of work when it is woken by its name.

    `step(limit=batch)` claims and does that many at most and returns how many it claimed.
    `threads` is the size of the process's pool for it, `rounds` how many steps one thread takes.
    """
    pool = WorkerPool(threads)

    @shared_task(base=WokenTask, name=name)  # type: ignore[untyped-decorator]
    def work() -> None:
        pool.work(
            partial(step, limit=batch),
            full=batch,
            rounds=rounds,
            call_help=partial(send_wake_up, name),
        )

    task: Task[[], None] = work
    return task
