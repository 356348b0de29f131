"""`python -m config.serve`: HTTP and sockets on HOST and PORT, in one process.

`python -m config.serve web` is for production's HTTP: on WEB_BIND, in WEB_PROCESSES processes,
which a browser that polls for its events could not tell apart.

At a SIGTERM it serves those who are connected for up to DRAIN_SECONDS more (`config.draining`).

uvicorn with uvloop, because one event reaches 1,000 sockets in a fifth of daphne's time (p95 66 ms
against 392 ms, 2 cores shared with the clients); `daphne config.asgi:application` serves the same.
"""

import asyncio
import os
import resource
import socket
import sys
from contextlib import suppress
from pathlib import Path
from types import FrameType

import uvicorn
from uvicorn.supervisors import Multiprocess

from config.draining import drain
from config.heads import MOST_HEAD_BYTES
from config.private_files import keep_private

DATA_DIR = Path(__file__).resolve().parent.parent / "data"
MAX_FRAME_BYTES = 100_000
# For how long a client may read nothing.
READING_MS = 60_000
# How often the Date header is formatted.
TICK_SECONDS = 1
# How long requests in flight may take when the process ends, at once and after a drain.
ENDING_SECONDS, ENDING_DRAINED_SECONDS = 5, 30
# uvicorn's own.
STARTUP_FAILURE = 3


class Server(uvicorn.Server):
    """uvicorn's server, which polls ten times a second whether to stop; this one waits for the
    signal.

    The polling was half of the CPU of an idle process (0.25 % of a core).
    """

    def __init__(self, config: uvicorn.Config, *, drain_seconds: float = 0) -> None:
        super().__init__(config)
        self.drain_seconds = drain_seconds
        self._ending = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End at a signal, which may come before there is a loop."""
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._ending.set)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve on these bound sockets, by default on one of its own."""
        super().run(sockets or [listening_socket(self.config)])

    async def main_loop(self) -> None:
        """Serve until a signal has come."""
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), TICK_SECONDS)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Drain, then end. A second Ctrl-C ends at once."""
        if self.drain_seconds:
            await drain(self, sockets or [], self.drain_seconds)
        await super().shutdown(sockets)


class Processes(Multiprocess):
    """uvicorn's processes on one socket; who ends them holds the socket no longer than they do.

    Connections would wait in it for nobody.
    """

    def terminate_all(self) -> None:
        """Close the socket here, and have the processes end."""
        for bound in self.sockets:
            bound.close()
        super().terminate_all()


def listening_socket(config: uvicorn.Config, reading_ms: int = READING_MS) -> socket.socket:
    """Return the bound socket, from which the clients' sockets inherit their time-out.

    The system disconnects a client that reads nothing for so long, however short the rest of its
    answer is, and also after the server has closed the connection (rules/wire §8).
    """
    bound = config.bind_socket()
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # not on macOS
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, reading_ms)
    return bound


def main() -> None:
    """Serve until a signal comes."""
    os.umask(0o077)
    keep_private(Path(os.environ.get("DATA_DIR") or DATA_DIR))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # one line per client
    application = "config.asgi:application"
    host, port, processes = os.environ.get("HOST"), os.environ.get("PORT"), "1"
    if sys.argv[1:] == ["web"]:
        application = "config.asgi:web_application"
        host, _, port = (os.environ.get("WEB_BIND") or "127.0.0.1:8000").rpartition(":")
        processes = os.environ.get("WEB_PROCESSES") or "1"
    drain_seconds = float(os.environ.get("DRAIN_SECONDS") or "0")
    config = uvicorn.Config(
        application,
        host=host or "127.0.0.1",
        port=int(port or "8000"),
        workers=int(processes),
        loop="uvloop",
        http="config.heads:BoundedHeads",
        h11_max_incomplete_event_size=MOST_HEAD_BYTES,
        ws="config.sockets:BoundedSockets",
        ws_max_size=MAX_FRAME_BYTES,
        # Compression costs 100 kB and a good deal of CPU a socket.
        ws_per_message_deflate=False,
        # By default uvicorn trusts forwarded headers from this machine (`apps.common.callers`).
        proxy_headers=False,
        access_log=False,
        log_level="warning",
        # Longer than the idle time-out of proxies.
        timeout_keep_alive=65,
        timeout_graceful_shutdown=ENDING_DRAINED_SECONDS if drain_seconds else ENDING_SECONDS,
    )
    server = Server(config, drain_seconds=drain_seconds)
    if config.workers > 1:
        Processes(config, target=server.run, sockets=[listening_socket(config)]).run()
        return
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(STARTUP_FAILURE)


if __name__ == "__main__":
    main()
