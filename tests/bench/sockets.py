"""A Socket.IO client that does as little as possible, so that a thousand fit into one process."""

import asyncio
import base64
import os
import time
from collections.abc import Callable
from typing import cast

HANDSHAKE_SECONDS = 30.0
# The kind of a frame with which the server ends a WebSocket.
CLOSE = 0x8


class Socket(asyncio.Protocol):
    """One socket; `heard` gets each event's text with the moment its bytes arrived."""

    def __init__(self, path: str, token: str, heard: Callable[[bytes, float], None]) -> None:
        self.admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_open = True
        self._path = path
        self._token = token
        self._heard = heard
        self._buffer = b""
        self._is_upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade to WebSocket."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's own inherits nothing
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {self._path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        ]
        self.transport.write("\r\n".join([*lines, "", ""]).encode())

    def connection_lost(self, error: Exception | None) -> None:
        """Remember that the server cut it."""
        self.is_open = False
        if not self.admitted.done():
            self.admitted.set_exception(ConnectionError(f"Refused: {self._buffer[:200]!r}"))

    def data_received(self, data: bytes) -> None:
        """Take frames apart; the server's are not masked."""
        now = time.perf_counter()
        self._buffer += data
        if not self._is_upgraded:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0]:
                self.transport.close()
                return
            self._is_upgraded = True
            self._buffer = rest
        while (frame := self._next_frame()) is not None:
            self.take(frame, now)

    def _next_frame(self) -> bytes | None:
        if len(self._buffer) < 2:
            return None
        size, start = self._buffer[1] & 0x7F, 2
        if size == 126:
            size, start = int.from_bytes(self._buffer[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(self._buffer[2:10], "big"), 10
        if len(self._buffer) < start + size:
            return None
        if self._buffer[0] & 0x0F == CLOSE:
            self.transport.close()
            return None
        frame = self._buffer[start : start + size]
        self._buffer = self._buffer[start + size :]
        return frame

    def take(self, packet: bytes, now: float) -> None:
        if packet.startswith(b"0"):
            self.send('40{"token":"' + self._token + '"}')
        elif packet == b"2":
            self.send("3")
        elif packet.startswith(b"40") and not self.admitted.done():
            self.admitted.set_result(None)
        elif packet.startswith(b"42"):
            self._heard(packet[2:], now)

    def send(self, text: str) -> None:
        """Send one text frame, masked with zeros."""
        body = text.encode()
        size = len(body)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + body)


async def open_sockets(
    port: int, token: str, count: int, heard: Callable[[bytes, float], None]
) -> list[Socket]:
    """Open so many admitted sockets, a few at a time."""
    loop = asyncio.get_running_loop()
    turns = asyncio.Semaphore(20)

    async def open_one() -> Socket:
        async with turns:
            path = "/socket.io/?EIO=4&transport=websocket"
            _, socket = await loop.create_connection(
                lambda: Socket(path, token, heard), "127.0.0.1", port
            )
            await asyncio.wait_for(socket.admitted, HANDSHAKE_SECONDS)
            return socket

    return list(await asyncio.gather(*(open_one() for _ in range(count))))
