"""A thread pool that reuses the thread that became idle last.

Its database connection and the server process behind it are warm; a round-robin pool would use
eight cold ones.
"""

import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any


def warm_threads(count: int) -> ThreadPoolExecutor:
    """Return an executor with at most this many threads."""
    threads = ThreadPoolExecutor(count, thread_name_prefix="http")
    queue: Any = LastIdleFirst()
    threads._work_queue = queue
    return threads


class LastIdleFirst:
    """The queue of an executor; gives work to the thread that began to wait last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._work: deque[Any] = deque()
        self._idle: list[SimpleQueue[Any]] = []

    def put(self, work: Any) -> None:
        """Give an item to a waiting thread, or keep it for the next one."""
        with self._lock:
            idle = self._idle.pop() if self._idle else None
            if idle is None:
                self._work.append(work)
        if idle is not None:
            idle.put(work)

    def get_nowait(self) -> Any:
        """Return the oldest kept item; raises Empty."""
        with self._lock:
            if not self._work:
                raise Empty
            return self._work.popleft()

    def get(self, block: bool = True) -> Any:
        """Return the oldest kept item, or wait for one."""
        own: SimpleQueue[Any] = SimpleQueue()
        with self._lock:
            if self._work:
                return self._work.popleft()
            self._idle.append(own)
        return own.get()
