"""Disconnects clients that do not read their answer, however short it is (rules/wire §8).

The bridge waits for room before it writes more, but the transport buffers what was written: the end
of an answer, or a short one, would stay in memory for as long as the client likes.
"""

import asyncio
import socket
import struct

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


def cut_off(transport: asyncio.Transport) -> None:
    """Close a connection and drop its unsent data; `close` would wait for it."""
    # The kernel must not keep unsent data for such a client either.
    at_once = struct.pack("ii", 1, 0)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
    transport.abort()


class BoundedReaders(HttpToolsProtocol):
    """uvicorn's protocol; disconnects a client that read nothing of the buffered data for
    `write_seconds`.

    It checks connections with much buffered data and connections that are about to close. The rest
    of a short answer on a connection that stays open is checked when the connection would be closed
    for idleness.
    """

    write_seconds = 60.0
    _looks: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Start checking: the transport's buffer is above its limit."""
        super().pause_writing()
        self._look_after()

    def resume_writing(self) -> None:
        """Stop checking: most of the buffer was read."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_looking()

    def on_response_complete(self) -> None:
        """Go on to the next request, or to the end."""
        super().on_response_complete()
        if self.transport.is_closing():
            self._look_after()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; a client that has not read the answer by now will not."""
        if self.transport.get_write_buffer_size():
            cut_off(self.transport)
        else:
            super().timeout_keep_alive_handler()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_looking()
        super().connection_lost(exc)

    def end(self) -> None:
        """Close the connection when the buffered data was read, or after `write_seconds` without
        reading.
        """
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
        # Nothing was added to the buffer meanwhile.
        if waits and waits >= waited:
            cut_off(self.transport)
        elif waits:
            self._look_after()
