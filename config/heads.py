"""Bounds the heads of requests in bytes and in time (rules/wire §8). uvicorn's own protocol buffers
an incomplete head without a limit of size or time.
"""

import asyncio

from config.readers import BoundedReaders

TOO_LARGE = b"Request header fields too large."


class BoundedHeads(BoundedReaders):
    """uvicorn's protocol; answers a head beyond `head_bytes` with 431 and disconnects one that is
    not complete in time.
    """

    # nginx has the same limit.
    head_bytes = 32 * 1024
    head_seconds = 20.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._is_too_large = False
        self._late: asyncio.TimerHandle | None = None
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; count the bytes of an unfinished head."""
        super().data_received(data)
        if self._late is None or self.transport.is_closing():
            return
        self._unfinished += len(data)
        if self._unfinished > self.head_bytes:
            self._refuse()

    def on_message_begin(self) -> None:
        """Start counting at zero; between two requests no head is expected."""
        super().on_message_begin()
        self._whole = 0
        if self._late is None:
            self._wait_for_head()

    def on_url(self, url: bytes) -> None:
        """Raise if the head is too long: the parser then refuses the request."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Raise if the head is too long; trailers are reported here as well."""
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Stop counting: the body has its own limits."""
        self._stop_waiting()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a head that is malformed or too long."""
        self._stop_waiting()
        if self._is_too_large:
            self._refuse()
        else:
            super().send_400_response(msg)
            self.end()

    def _wait_for_head(self) -> None:
        self._unfinished = 0
        self._late = self.loop.call_later(self.head_seconds, self._cut_off)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _count(self, size: int) -> None:
        self._whole += size
        if self._whole > self.head_bytes:
            self._is_too_large = True
            raise ValueError(TOO_LARGE)

    def _refuse(self) -> None:
        self._stop_waiting()
        self.transport.write(
            b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
            b"content-type: text/plain; charset=utf-8\r\n"
            b"content-length: %d\r\n"
            b"connection: close\r\n\r\n%s" % (len(TOO_LARGE), TOO_LARGE)
        )
        self.end()

    def _cut_off(self) -> None:
        self._late = None
        if not self.transport.is_closing():
            self.end()
