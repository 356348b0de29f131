"""What closed sockets leave behind is collected when there are many."""

import asyncio
import gc
import weakref

from apps.realtime.tidying import Tidying


class Left:
    """An object of a cycle, as sockets are."""

    def __init__(self) -> None:
        self.itself = self


def test_cycles_are_collected_once_many_sockets_have_ended() -> None:
    async def scene() -> None:
        tidying = Tidying(settle_seconds=0.01, fewest=3)
        gc.disable()
        try:
            left = weakref.ref(Left())
            for _ in range(2):
                tidying.note_end()
            await asyncio.sleep(0.05)
            assert left() is not None
            for _ in range(4):
                tidying.note_end()
            await asyncio.sleep(0.05)
            assert left() is None
        finally:
            gc.enable()

    asyncio.run(scene())
