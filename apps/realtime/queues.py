"""What waits for a browser that polls, and not without end (rules/realtime §1)."""

import asyncio
from collections.abc import Callable
from typing import Any

MOST_PACKETS = 1000
# Characters.
MOST_WAITING = 512 * 1024


class BoundedQueue(asyncio.Queue[Any]):
    """Engine.IO's queue of packets; once it is full nothing is added, and `on_full` is told.

    None, which ends whoever reads it, is no packet and always goes in.
    """

    def __init__(self, on_full: Callable[["BoundedQueue"], None]) -> None:
        super().__init__()
        self._on_full = on_full
        self._waiting = 0
        self._is_over = False

    async def put(self, item: Any) -> None:
        """Add a packet, unless it is too much."""
        if item is not None and (self._is_over or self._is_full()):
            if not self._is_over:
                self._is_over = True
                self._on_full(self)
            return
        await super().put(item)

    def drop(self) -> None:
        while not self.empty():
            self.get_nowait()
            self.task_done()

    def _is_full(self) -> bool:
        return self.qsize() >= MOST_PACKETS or self._waiting >= MOST_WAITING

    def _put(self, item: Any) -> None:
        self._waiting += _length(item)
        super()._put(item)

    def _get(self) -> Any:
        item = super()._get()
        self._waiting -= _length(item)
        return item


def _length(packet: Any) -> int:
    data = getattr(packet, "data", None)
    return len(data) if isinstance(data, str | bytes) else 0
