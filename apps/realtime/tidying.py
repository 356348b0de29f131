"""Gives memory back after many sockets have closed.

The libraries' sockets are cycles of objects, some hundred each, and Python looks for old ones only
while many new objects arise: after the end of 5,000 sockets 270 MB stayed.
"""

import asyncio
import ctypes
import gc
from contextlib import suppress

# On a busy machine it took 0.8 to 1.3 s for what 3,000 sockets left; meanwhile nothing is answered.
SETTLE_SECONDS = 60.0
FEWEST = 500


class Tidying:
    """Counts the sockets that ended; collects them a minute after there are many."""

    def __init__(self, *, settle_seconds: float = SETTLE_SECONDS, fewest: int = FEWEST) -> None:
        self._settle_seconds = settle_seconds
        self._fewest = fewest
        self._ended = 0

    def note_end(self) -> None:
        """Note the end of a socket; call it on the event loop."""
        self._ended += 1
        if self._ended == self._fewest:
            asyncio.get_running_loop().call_later(self._settle_seconds, self._tidy)

    def _tidy(self) -> None:
        self._ended = 0
        gc.collect()
        with suppress(AttributeError, OSError):  # only glibc has it
            ctypes.CDLL(None).malloc_trim(0)
