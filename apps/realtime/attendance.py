"""Whose browsers are open (rules/desk §5).

An app registers `attends`. This process tells it when the first socket of a user opens, when the
last one closes, and again and again who is still there: what nobody repeats has ended with its
process. A program's WebSocket is nobody's browser.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection

from apps.realtime.sockets import Viewer, in_thread

logger = logging.getLogger(__name__)

RENEW_SECONDS = 20.0
# A page that reloads closes one socket and opens another.
GATHER_SECONDS = 0.5

# Company and user.
Attendee = tuple[int, int]
# Takes who came, who went, and who stays; the last is empty except at a renewal.
TellOf = Callable[[Collection[Attendee], Collection[Attendee], Collection[Attendee]], None]


class Attendance:
    """The users of this process's sockets; it runs on the event loop."""

    def __init__(self) -> None:
        self.tell: TellOf | None = None
        self._sockets: dict[str, Attendee] = {}
        self._told: frozenset[Attendee] = frozenset()
        self._is_changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Tell from now on, on the running event loop."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def note(self, socket_id: str, viewer: Viewer) -> None:
        """Count a socket as a browser of its user, unless it is a program's or may only pay."""
        if not viewer.only_pays and viewer.token_id is None:
            self._sockets[socket_id] = (viewer.company_id, viewer.pk)
            self._is_changed.set()

    def forget(self, socket_id: str) -> None:
        if self._sockets.pop(socket_id, None):
            self._is_changed.set()

    async def _run(self) -> None:
        renewed_at = time.monotonic()
        while True:
            left = max(0.0, renewed_at + RENEW_SECONDS - time.monotonic())
            try:
                await asyncio.wait_for(self._is_changed.wait(), left)
                await asyncio.sleep(GATHER_SECONDS)
            except TimeoutError:
                pass
            self._is_changed.clear()
            is_due = time.monotonic() >= renewed_at + RENEW_SECONDS
            if is_due:
                renewed_at = time.monotonic()
            try:
                await self.say(is_due)
            except Exception:  # the next renewal says it again
                logger.exception("Whose browsers are open could not be told")

    async def say(self, is_due: bool) -> None:
        """Tell what has changed, and who stays if that is due."""
        present = frozenset(self._sockets.values())
        came, went = present - self._told, self._told - present
        stays = present - came if is_due else frozenset[Attendee]()
        if self.tell is None or not (came or went or stays):
            return
        await in_thread(self.tell, came, went, stays)
        # After the call: what could not be told is told again.
        self._told = present


attendance = Attendance()


def attends(function: TellOf) -> TellOf:
    """Register who is told; the function runs in a thread with a database connection."""
    attendance.tell = function
    return function
