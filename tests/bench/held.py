"""What thousands of quiet sockets cost: the server's CPU, and its memory after they have closed."""

import asyncio
import time

from tests.bench.report import Figure
from tests.bench.sockets import open_sockets
from tests.bench.stack import Stack, cpu_seconds, memory_megabytes

SOCKETS = 5000
# Each socket is pinged twice.
SECONDS = 36.0
# Between the end of the sockets and the look at the memory: the server tidies up after a minute of
# quiet (`apps.realtime.tidying`).
SETTLE_SECONDS = 75.0


async def measure(stack: Stack, token: str, sockets: int) -> list[Figure]:
    """Open sockets twice, leave them alone, and close them.

    Of what the first ones leave behind the second ones make use: growth from the first end to the
    second is lost for good.
    """
    process = stack.processes["realtime"].pid
    at_ends: list[float] = []
    before = memory_megabytes(process)
    for _ in range(2):
        opened = await open_sockets(stack.realtime_port, token, sockets, lambda text, now: None)
        spent, started_at = cpu_seconds(process), time.monotonic()
        await asyncio.sleep(SECONDS)
        share = (cpu_seconds(process) - spent) / (time.monotonic() - started_at) * 100
        held = memory_megabytes(process)
        open_at_end = sum(each.is_open for each in opened)
        for each in opened:
            each.transport.close()
        await asyncio.sleep(SETTLE_SECONDS)
        at_ends.append(memory_megabytes(process))
    name = f"{sockets:,} quiet sockets"
    return [
        Figure(f"{name}, open at the end", open_at_end, "", sockets, at_least=True),
        Figure(f"{name}, CPU of the server", share, "% core", 3),
        Figure(f"{name}, memory of one", (held - before) * 1000 / sockets, "kB"),
        Figure(f"{name}, memory before", before, "MB"),
        Figure(f"{name}, memory while open", held, "MB"),
        Figure(f"{name}, memory after their end", at_ends[0], "MB"),
        Figure(f"{name}, kept of what they took", at_ends[0] - before, "MB", 25),
        Figure(f"{name}, kept after the second time", at_ends[1] - at_ends[0], "MB", 10),
    ]
