"""An application under the real server, in a thread of the test."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from config.bridge import WsgiBridge
from config.heads import MOST_HEAD_BYTES
from config.serve import READING_MS, listening_socket
from tests.product import wait_for
from tests.services import free_port


@contextmanager
def serving(bridge: WsgiBridge, *, loop: Any, reading_ms: int = READING_MS) -> Iterator[int]:
    """Serve a bridge as production does; gives its port."""

    # A function: uvicorn takes the bridge itself for an older interface.
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await bridge(scope, receive, send)

    with running(app, loop=loop, reading_ms=reading_ms, http="h11", ws="none") as port:
        yield port


@contextmanager
def running(app: Any, *, reading_ms: int = READING_MS, **options: Any) -> Iterator[int]:
    """Run an ASGI application; gives its port."""
    port = free_port()
    config = uvicorn.Config(
        app,
        port=port,
        lifespan="off",
        log_level="critical",
        h11_max_incomplete_event_size=MOST_HEAD_BYTES,
        timeout_keep_alive=1,
        **options,
    )
    server = uvicorn.Server(config)
    listening = listening_socket(config, reading_ms)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        wait_for(lambda: server.started, "the server")
        yield port
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
