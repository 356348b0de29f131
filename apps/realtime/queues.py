"""The bounded queue of packets for a browser that polls (rules/realtime §1)."""

import asyncio
from collections.abc import Callable
from typing import Any

MOST_PACKETS = 1000
# Characters.
MOST_WAITING = 512 * 1024


class BoundedQueue(asyncio.Queue[Any]):
    """Engine.IO's queue of packets; when it is full it drops new ones and calls `on_full`.

    None, the end mark for the reader, is always accepted.
    """

    def __init__(self, on_full: Callable[["BoundedQueue"], None]) -> None:
        super().__init__()
        self._on_full = on_full
        # Packets that the writer has not sent yet, also the one that it is sending.
        self.unfinished = 0
        self._waiting = 0
        self._is_over = False

    async def put(self, item: Any) -> None:
        """Add a packet, unless the queue is full."""
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

    def put_nowait(self, item: Any) -> None:
        self.unfinished += 1
        self._waiting += _length(item)
        super().put_nowait(item)

    def get_nowait(self) -> Any:
        item = super().get_nowait()
        self._waiting -= _length(item)
        return item

    def task_done(self) -> None:
        super().task_done()
        self.unfinished -= 1


def _length(packet: Any) -> int:
    data = getattr(packet, "data", None)
    return len(data) if isinstance(data, str | bytes) else 0
