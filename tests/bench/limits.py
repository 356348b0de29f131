"""Time limits: no part of a run may hang it, and its end ends what it started."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlow(Exception):
    """A part took longer than it may."""


class Deadline:
    """The moment by which a run is over; parts get what they ask for, or what is left of it."""

    def __init__(self, seconds: float) -> None:
        self._ends_at = time.monotonic() + seconds

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Raise TooSlow in the main thread when the block takes longer."""
        seconds = min(seconds, self._ends_at - time.monotonic())
        if seconds <= 0:
            raise TooSlow("No time was left for it.")

        def stop(_number: int, _frame: FrameType | None) -> None:
            raise TooSlow(f"It took longer than {seconds:.0f} s.")

        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def end_on_terminate() -> None:
    """Let SIGTERM unwind the run as Ctrl-C does, so that it ends its servers."""

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)
