"""Disconnects WebSockets whose client does not read (rules/realtime §1).

uvicorn's protocol writes without waiting: unread data would grow in memory without a limit, as long
as the browser answers pings.
"""

import asyncio

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from config.readers import cut_off


class BoundedSockets(WebSocketsSansIOProtocol):
    """uvicorn's protocol; disconnects a client with more than `waiting_bytes` of unread data.

    The client reconnects by itself and reloads.
    """

    waiting_bytes = 512 * 1024

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Set the limit of the transport's buffer."""
        transport.set_write_buffer_limits(high=self.waiting_bytes)
        super().connection_made(transport)

    def pause_writing(self) -> None:
        """Disconnect: the buffer is above its limit."""
        # Not now: the caller is writing to the connection.
        self.loop.call_soon(cut_off, self.transport)
