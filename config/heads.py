"""Bounds the heads of requests in bytes and in time (rules/wire §8).

h11 bounds the bytes of a head that is not complete, and uvicorn the time between two requests; for
the rest of a head that has begun uvicorn would wait as long as the client likes.
"""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

# The key of a connection's clock in an ASGI scope's `state`.
CLOCK = "balcao.head"
# nginx has the same limit.
MOST_HEAD_BYTES = 32 * 1024
TOO_LARGE = {
    "type": "http.response.start",
    "status": 431,
    "headers": [(b"content-length", b"0"), (b"connection", b"close")],
}


class BoundedHeads(asyncio.Protocol):
    """uvicorn's protocol for HTTP, behind a clock that closes the connection.

    The application's calls tell whether a request is being handled (`bounded`): a head is expected
    from the beginning of the connection, and from the first byte after a request.
    """

    head_seconds = 20.0

    def __init__(self, *, app_state: dict[str, Any], **given: Any) -> None:
        self._http = H11Protocol(app_state={**app_state, CLOCK: self}, **given)
        self._loop = asyncio.get_running_loop()
        self._late: asyncio.TimerHandle | None = None
        self._handled = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._http.connection_made(self._transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Pass it on; the first byte after a request begins the next head."""
        if self._late is None and not self._handled:
            self._expect()
        self._http.data_received(data)

    def eof_received(self) -> None:
        self._http.eof_received()

    def pause_writing(self) -> None:
        self._http.pause_writing()

    def resume_writing(self) -> None:
        self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        self._http.connection_lost(exc)

    def begin(self) -> None:
        """Stop the clock: a head is complete, and its request is handled."""
        self._handled += 1
        self._stop()

    def end(self) -> None:
        """Expect another head. The handling of the next request may have begun already."""
        self._handled -= 1

    def _expect(self) -> None:
        self._late = self._loop.call_later(self.head_seconds, self._transport.close)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def bounded(app: Any) -> Any:
    """Return an ASGI application whose calls stop the clock of their connection.

    A head of more than `MOST_HEAD_BYTES`, which came at once, is answered with 431.
    """

    async def application(scope: Any, receive: Any, send: Any) -> None:
        clock = scope.get("state", {}).pop(CLOCK, None)
        if clock is None:  # another server, or uvicorn's lifespan
            await app(scope, receive, send)
            return
        clock.begin()
        try:
            if scope["type"] == "http" and _size_of(scope) > MOST_HEAD_BYTES:
                await send(TOO_LARGE)
                await send({"type": "http.response.body"})
            else:
                await app(scope, receive, send)
        finally:
            clock.end()

    return application


def _size_of(scope: Any) -> int:
    of_headers = sum(len(name) + len(value) for name, value in scope["headers"])
    return len(scope["raw_path"]) + len(scope["query_string"]) + of_headers
