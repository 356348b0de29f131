"""Threads of which the one that was idle last works next.

Its connection to the database, and the process behind that, is warm; work that goes round has eight
cold ones.
"""

import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any


def warm_threads(count: int) -> ThreadPoolExecutor:
    """Return an executor of at most so many threads."""
    threads = ThreadPoolExecutor(count, thread_name_prefix="http")
    queue: Any = LastIdleFirst()
    threads._work_queue = queue
    return threads


class LastIdleFirst:
    """What an executor asks of its queue; work goes to who began to wait last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._work: deque[Any] = deque()
        self._idle: list[SimpleQueue[Any]] = []

    def put(self, work: Any) -> None:
        """Hand over, or keep for the next who asks."""
        with self._lock:
            idle = self._idle.pop() if self._idle else None
            if idle is None:
                self._work.append(work)
        if idle is not None:
            idle.put(work)

    def get_nowait(self) -> Any:
        """Return the oldest of what was kept; raises Empty."""
        with self._lock:
            if not self._work:
                raise Empty
            return self._work.popleft()

    def get(self, block: bool = True) -> Any:
        """Return the oldest of what was kept, or wait."""
        own: SimpleQueue[Any] = SimpleQueue()
        with self._lock:
            if self._work:
                return self._work.popleft()
            self._idle.append(own)
        return own.get()
