"""What a WebSocket's application gets of a client that does not read (rules/realtime §1)."""

import asyncio
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.sync.client import connect

from apps.realtime.frames import CONNECTION
from config.sockets import BoundedSockets
from tests.serving import running
from tests.test_readers import READING_MS, wait_until_cut_off

FRAME = "x" * 100_000
FRAMES = 100


class Small(BoundedSockets):
    """The system takes little of what is written."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        server: Any = transport.get_extra_info("socket")
        server.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        super().connection_made(transport)


async def replay(scope: Any, receive: Any, send: Any) -> None:
    """Send ten megabytes, and wait for the reader where the address says so."""
    await receive()
    await send({"type": "websocket.accept"})
    scope["extensions"][CONNECTION].waits = scope["path"] == "/waits"
    for _ in range(FRAMES):
        await send({"type": "websocket.send", "text": FRAME})
    await receive()


@pytest.fixture(scope="module", params=["uvloop", "asyncio"])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    with running(replay, loop=request.param, reading_ms=READING_MS, ws=Small) as number:
        yield number


def small(port: int) -> socket.socket:
    """Return a connection of which the system keeps little that was not read."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    return client


@pytest.mark.parametrize("path", ["/", "/waits"])
def test_who_reads_nothing_is_cut_off(port: int, path: str) -> None:
    with small(port) as client:
        head = (
            f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        )
        client.sendall(head.encode())
        wait_until_cut_off(client)


def test_who_reads_slowly_gets_all(port: int) -> None:
    with connect(f"ws://127.0.0.1:{port}/waits", sock=small(port), max_queue=1) as slow:
        assert [slow.recv(timeout=10) for _ in range(FRAMES)] == [FRAME] * FRAMES
