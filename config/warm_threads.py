"""A thread pool that reuses the thread that became idle last.

Its database connection and the server process behind it are warm; a round-robin pool would use
eight cold ones.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any

Work = Callable[[], None]


class WarmThreads(Executor):
    """An executor with at most `count` threads, which begin when they are needed."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._lock = threading.Lock()
        self._work: deque[Work] = deque()
        self._idle: list[SimpleQueue[Work | None]] = []
        self._threads: list[threading.Thread] = []
        self._is_shut = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a thread call a function; raises RuntimeError after `shutdown`."""
        future: Future[Any] = Future()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)

        with self._lock:
            if self._is_shut:
                raise RuntimeError("cannot schedule new futures after shutdown")
            if self._idle:
                self._idle.pop().put(work)
                return future
            self._work.append(work)
            if len(self._threads) < self._count:
                name = f"http_{len(self._threads)}"
                thread = threading.Thread(target=self._serve, name=name, daemon=True)
                self._threads.append(thread)
                thread.start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads after the work that waits, or without it."""
        with self._lock:
            self._is_shut = True
            if cancel_futures:
                self._work.clear()
            for each in self._idle:
                each.put(None)
            self._idle.clear()
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self) -> None:
        own: SimpleQueue[Work | None] = SimpleQueue()
        while True:
            with self._lock:
                if self._work:
                    work: Work | None = self._work.popleft()
                elif self._is_shut:
                    return
                else:
                    self._idle.append(own)
                    work = None
            if work is None and (work := own.get()) is None:
                return
            work()
