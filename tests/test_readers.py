"""Who takes nothing of an answer is cut off, however it is sent (rules/wire §8)."""

import asyncio
import hashlib
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from config.bridge import WsgiBridge
from config.heads import BoundedHeads
from tests.serving import serving

LARGE = bytes(range(256)) * 32768
# Less than the server's transport likes to hold, so that it never says it is too much.
SHORT = LARGE[:60_000]


class Hasty(BoundedHeads):
    """Waits no longer than a test likes to, and the system takes little of what is written."""

    head_seconds = 1.0
    write_seconds = 1.5

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        server: Any = transport.get_extra_info("socket")
        server.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        super().connection_made(transport)


def at_once(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
    """Answer as views do: a list, which goes through no file."""
    body = SHORT if environ["PATH_INFO"] == "/short" else LARGE
    start("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@contextmanager
def served(loop: Any) -> Iterator[int]:
    bridge = WsgiBridge(
        at_once, threads=1, most_bytes=lambda path, kind: 0, admit=lambda scope, headers: False
    )
    with serving(bridge, loop=loop, http=Hasty) as port:
        yield port


@pytest.fixture(scope="module", params=["uvloop", "asyncio"])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    with served(request.param) as number:
        yield number


def ask(port: int, path: str, *lines: str) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(20)
    client.connect(("127.0.0.1", port))
    head = "".join(f"{line}\r\n" for line in ("Host: 127.0.0.1", *lines))
    client.sendall(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode())
    return client


def is_cut_off(client: socket.socket) -> bool:
    """Tell whether the other side ended it without what was not read."""
    ends = select.poll()
    ends.register(client, select.POLLHUP)
    return bool(ends.poll(15_000))


@pytest.mark.parametrize("line", ["Connection: close", "Connection: keep-alive"])
@pytest.mark.parametrize("path", ["/large", "/short"])
def test_who_reads_nothing_is_cut_off(port: int, path: str, line: str) -> None:
    with ask(port, path, line) as client:
        assert is_cut_off(client), "the answer is kept for whoever does not read it"


def test_who_reads_nothing_and_begins_another_request_is_cut_off(port: int) -> None:
    with ask(port, "/short") as client:
        client.sendall(b"GET / HTTP/1.1\r\nX-Half: a")
        assert is_cut_off(client)


def test_who_reads_slowly_gets_it_all(port: int) -> None:
    with ask(port, "/large", "Connection: close") as client:
        came = bytearray()
        pace = threading.Event()
        slow_until = time.monotonic() + 2 * Hasty.write_seconds
        while part := client.recv(1 << 18):
            came += part
            if time.monotonic() < slow_until:
                pace.wait(0.05)
    body = bytes(came).partition(b"\r\n\r\n")[2]
    assert hashlib.sha256(body).digest() == hashlib.sha256(LARGE).digest()
