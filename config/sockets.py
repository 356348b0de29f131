"""Disconnects WebSockets whose client does not read (rules/realtime §1).

uvicorn's protocol writes without waiting: unread data would grow in memory without a limit, as long
as the browser answers pings.
"""

import asyncio
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from config.readers import cut_off

if TYPE_CHECKING:
    from websockets.http11 import Request

# The key of the protocol among an ASGI scope's extensions, as `apps.realtime.programs` has it.
READER = "balcao.reader"


class BoundedSockets(WebSocketsSansIOProtocol):
    """uvicorn's protocol; disconnects a client with more than `waiting_bytes` of unread data.

    The client reconnects by itself and reloads. An application that sets `waits`, as a program's
    replay does, waits for its reader instead: its next frame is written when three quarters of
    these bytes were read. A client that does not read them in `reading_seconds` is disconnected.
    """

    waiting_bytes = 512 * 1024
    reading_seconds = 60.0
    waits = False
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Set the limit of the transport's buffer."""
        transport.set_write_buffer_limits(high=self.waiting_bytes)
        super().connection_made(transport)

    def handle_connect(self, event: "Request") -> None:
        """Give the application this protocol, so that it can set `waits`."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions = cast("dict[str, object]", self.scope["extensions"])
            extensions[READER] = self

    def pause_writing(self) -> None:
        """Disconnect, or wait: the buffer is above its limit."""
        if self.waits:
            self.writable.clear()
            self._deadline = self.loop.call_later(self.reading_seconds, cut_off, self.transport)
        else:
            # Not now: the caller is writing to the connection.
            self.loop.call_soon(cut_off, self.transport)

    def resume_writing(self) -> None:
        """Go on: most of the buffer was read."""
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    async def send(self, message: Any) -> None:
        """Write a frame, unless the client has gone while it waited."""
        await self.writable.wait()
        if message["type"] != "websocket.send" or not self.transport.is_closing():
            await super().send(message)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self.writable.set()
