"""WebSockets whose reader takes nothing are cut off (rules/realtime §1).

uvicorn's protocol writes whatever it is told to and waits for nobody: what a browser does not read
would wait in memory without end, as long as the browser answers pings.
"""

import asyncio

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from config.readers import cut_off


class BoundedSockets(WebSocketsSansIOProtocol):
    """uvicorn's protocol; a connection for which more than `waiting_bytes` wait is cut off.

    Its client connects anew by itself, and reads anew what it missed.
    """

    waiting_bytes = 512 * 1024

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Say how much is too much."""
        transport.set_write_buffer_limits(high=self.waiting_bytes)
        super().connection_made(transport)

    def pause_writing(self) -> None:
        """End it: that much waits."""
        # Not while it is being written to.
        self.loop.call_soon(cut_off, self.transport)
