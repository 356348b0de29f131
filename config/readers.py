"""Who takes no part of an answer is cut off, however short the answer is (rules/wire §8).

The bridge waits for room before it writes on, but what it wrote is the transport's: the last of an
answer, or all of one that was there at once, would stay in memory for as long as a client likes.
"""

import asyncio
import socket
import struct

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


def cut_off(transport: asyncio.Transport) -> None:
    """End a connection without what was not sent: who closes it waits for that first."""
    # Nor does the system keep it for whoever reads nothing.
    at_once = struct.pack("ii", 1, 0)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
    transport.abort()


class BoundedReaders(HttpToolsProtocol):
    """uvicorn's protocol; cuts off who took nothing of what waits for `write_seconds`.

    It looks where much waits, and where the connection is to end: what is left of a short answer
    on one that goes on is looked at when that would be closed for being idle.
    """

    write_seconds = 60.0
    _looks: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Look after what waits: it is more than the transport likes."""
        super().pause_writing()
        self._look_after()

    def resume_writing(self) -> None:
        """Go on: most of it was taken."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_looking()

    def on_response_complete(self) -> None:
        """Go on to the next request, or to the end."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._look_after()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; whoever has not read by now does not."""
        if self.transport.get_write_buffer_size():
            cut_off(self.transport)
        else:
            super().timeout_keep_alive_handler()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_looking()
        super().connection_lost(exc)

    def end(self) -> None:
        """Close the connection once what waits was taken, or is not."""
        self.transport.close()
        self._look_after()

    def _look_after(self) -> None:
        if self._looks is None:
            waits = self.transport.get_write_buffer_size()
            self._looks = self.loop.call_later(self.write_seconds, self._look, waits)

    def _stop_looking(self) -> None:
        if self._looks is not None:
            self._looks.cancel()
            self._looks = None

    def _look(self, waited: int) -> None:
        self._looks = None
        waits = self.transport.get_write_buffer_size()
        # Meanwhile nothing was added to it.
        if waits and waits >= waited:
            cut_off(self.transport)
        elif waits:
            self._look_after()
