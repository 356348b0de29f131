"""`python -m config.serve`: HTTP and sockets on HOST and PORT, in one process.

`python -m config.serve web` is for production's HTTP: on WEB_BIND, in WEB_PROCESSES processes,
which a browser that polls for its events could not tell apart.

uvicorn with uvloop, because one event reaches 1,000 sockets in a fifth of daphne's time (p95 66 ms
against 392 ms, 2 cores shared with the clients); `daphne config.asgi:application` serves the same.
"""

import os
import resource
import sys

import uvicorn

MAX_FRAME_BYTES = 100_000


def main() -> None:
    """Serve until a signal comes."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # one for each client
    host, port, processes = os.environ.get("HOST"), os.environ.get("PORT"), "1"
    if sys.argv[1:] == ["web"]:
        host, _, port = (os.environ.get("WEB_BIND") or "127.0.0.1:8000").rpartition(":")
        processes = os.environ.get("WEB_PROCESSES") or "1"
    uvicorn.run(
        "config.asgi:application",
        host=host or "127.0.0.1",
        port=int(port or "8000"),
        workers=int(processes),
        loop="uvloop",
        http="config.heads:BoundedHeads",
        ws="config.sockets:BoundedSockets",
        ws_max_size=MAX_FRAME_BYTES,
        # Compression costs 100 kB and a good deal of CPU a socket.
        ws_per_message_deflate=False,
        # Left alone, uvicorn believes whatever comes from this machine (`apps.common.callers`).
        proxy_headers=False,
        access_log=False,
        log_level="warning",
        # Longer than a proxy keeps its own side open.
        timeout_keep_alive=65,
        timeout_graceful_shutdown=5,
    )


if __name__ == "__main__":
    main()
