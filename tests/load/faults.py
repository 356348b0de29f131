"""The kills and faults of a run, one after the other, and when the product went on after each."""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from tests.load.installation import GATEWAY, WEBS, WORKER, Installation
from tests.load.listeners import HeardFirst
from tests.load.meta import Meta
from tests.load.record import Record, Window
from tests.load.size import Size

# What does not go on within this time is told as such; the next fault follows. The load lasts until
# all of them have struck.
LONGEST_SECONDS, LONGEST_SMALL_SECONDS = 90.0, 20.0
LOOK_SECONDS = 0.1
# The first fault comes once there are figures without one; the last one leaves time to go on.
BEFORE, AFTER = 0.1, 0.05


class Faults:
    """Strikes at even distances; each gets a window in the record."""

    def __init__(
        self, installation: Installation, meta: Meta, first: HeardFirst, record: Record, size: Size
    ) -> None:
        self._installation, self._meta, self._first = installation, meta, first
        self._record, self._size = record, size
        self.went_on: dict[str, float | None] = {}
        self.failed: list[str] = []
        self._blows: list[tuple[str, Callable[[], Awaitable[None]], Callable[[float], bool]]] = [
            ("web killed", self._thread(lambda: installation.replace(WEBS[0])), self._is_heard),
            ("worker killed", self._thread(lambda: installation.replace(WORKER)), self._is_heard),
            (
                "gateway killed",
                self._thread(lambda: installation.replace(GATEWAY)),
                self._is_heard_by_qr,
            ),
            (f"Redis frozen {size.fault_seconds:.0f} s", self._freeze, self._is_heard),
            ("PostgreSQL restarted", self._thread(installation.restart_postgres), self._is_heard),
            ("rolling restart", self._thread(installation.roll), self._is_heard),
            ("provider answers 429", lambda: self._mood("limited"), self._is_accepted),
            ("provider answers garbage", lambda: self._mood("garbage"), self._is_accepted),
        ]

    async def strike(self, begins: float, seconds: float) -> None:
        """Strike all, spread over so many seconds from a moment on."""
        slot = seconds * (1 - BEFORE - AFTER) / len(self._blows)
        longest = LONGEST_SMALL_SECONDS if self._size.is_small else LONGEST_SECONDS
        for number, (name, strike, goes_on) in enumerate(self._blows):
            at = begins + seconds * BEFORE + slot * number
            await asyncio.sleep(max(0.0, at - monotonic()))
            window = Window(name, monotonic())
            self._record.windows.append(window)
            try:
                await strike()
            except Exception as error:  # the others are tried, and the run fails at its end
                self.failed.append(f"{name}: {type(error).__name__}: {error}")
            window.mended = monotonic()
            self.went_on[name] = None
            while monotonic() < window.mended + longest:
                if goes_on(window.mended):
                    self.went_on[name] = monotonic() - window.mended
                    break
                await asyncio.sleep(LOOK_SECONDS)
            window.ended = monotonic()

    @staticmethod
    def _thread(strike: Callable[[], None]) -> Callable[[], Awaitable[None]]:
        return lambda: asyncio.to_thread(strike)

    def _is_heard(self, since: float) -> bool:
        return self._first.latest_due > since

    def _is_heard_by_qr(self, since: float) -> bool:
        return self._first.latest_due_by_qr > since

    def _is_accepted(self, since: float) -> bool:
        return self._meta.latest_accepted_at > since

    async def _freeze(self) -> None:
        await asyncio.to_thread(self._installation.freeze_redis, self._size.fault_seconds)

    async def _mood(self, mood: str) -> None:
        self._meta.mood = mood
        await asyncio.sleep(self._size.fault_seconds)
        self._meta.mood = ""
