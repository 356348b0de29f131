"""An application under the real server, in a thread of the test."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from config.bridge import WsgiBridge
from tests.product import wait_for
from tests.services import free_port


@contextmanager
def serving(bridge: WsgiBridge, *, loop: Any, http: Any) -> Iterator[int]:
    """Serve a bridge as production does; gives its port."""

    # A function: uvicorn takes the bridge itself for an older interface.
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await bridge(scope, receive, send)

    with running(app, loop=loop, http=http, ws="none") as port:
        yield port


@contextmanager
def running(app: Any, **options: Any) -> Iterator[int]:
    """Run an ASGI application; gives its port."""
    port = free_port()
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            port=port,
            lifespan="off",
            log_level="critical",
            timeout_keep_alive=1,
            **options,
        )
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_for(lambda: server.started, "the server")
        yield port
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
