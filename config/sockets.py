"""Disconnects WebSockets whose client does not read (rules/realtime §1).

uvicorn's protocol writes without waiting: unread data would grow in memory without a limit, as long
as the browser answers pings.
"""

import asyncio
import socket
import struct
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN

from apps.realtime.frames import CONNECTION

if TYPE_CHECKING:
    from websockets.http11 import Request


def cut_off(transport: asyncio.Transport) -> None:
    """Close a connection and drop its unsent data; `close` would wait for it."""
    # The kernel must not keep unsent data for such a client either.
    at_once = struct.pack("ii", 1, 0)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
    transport.abort()


class BoundedSockets(WebSocketsSansIOProtocol):
    """uvicorn's protocol; disconnects a client with more than `waiting_bytes` of unread data.

    The client reconnects by itself and reloads. An application that sets `waits`, as a program's
    replay does, waits for its reader instead: its next frame is written when three quarters of
    these bytes were read. The system disconnects a client that reads nothing (`config.serve`).
    """

    waiting_bytes = 512 * 1024
    waits = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Set the limit of the transport's buffer."""
        transport.set_write_buffer_limits(high=self.waiting_bytes)
        super().connection_made(transport)

    def handle_connect(self, event: "Request") -> None:
        """Give the application this protocol, so that it can use `waits` and `write_frame`."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions = cast("dict[str, object]", self.scope["extensions"])
            extensions[CONNECTION] = self

    def pause_writing(self) -> None:
        """Disconnect, or wait: the buffer is above its limit."""
        if self.waits:
            self.writable.clear()
        else:
            # Not now: the caller is writing to the connection.
            self.loop.call_soon(cut_off, self.transport)

    def resume_writing(self) -> None:
        """Go on: most of the buffer was read."""
        self.writable.set()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.writable.set()

    def write_frame(self, frame: bytes) -> bool:
        """Write a ready frame; return False if the connection takes none."""
        if self.transport.is_closing() or self.conn.state is not OPEN or self.conn.extensions:
            return False
        self.transport.write(frame)
        return True

    async def send(self, message: Any) -> None:
        """Write a frame, unless the client has gone while it waited."""
        await self.writable.wait()
        if message["type"] != "websocket.send" or not self.transport.is_closing():
            await super().send(message)
