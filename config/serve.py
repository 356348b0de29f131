"""`python -m config.serve`: HTTP and sockets on HOST and PORT.

uvicorn with uvloop, because one event reaches 1,000 sockets in a fifth of daphne's time (p95 66 ms
against 392 ms, 2 cores shared with the clients); `daphne config.asgi:application` serves the same.
"""

import os

import uvicorn

MAX_FRAME_BYTES = 100_000


def main() -> None:
    """Serve until a signal comes."""
    uvicorn.run(
        "config.asgi:application",
        host=os.environ.get("HOST") or "127.0.0.1",
        port=int(os.environ.get("PORT") or "8000"),
        loop="uvloop",
        ws="websockets-sansio",
        ws_max_size=MAX_FRAME_BYTES,
        # Compression costs 100 kB and a good deal of CPU a socket.
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=5,
    )


if __name__ == "__main__":
    main()
