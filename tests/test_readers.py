"""Who takes nothing of an answer is cut off, however it is sent (rules/wire §8)."""

import errno
import hashlib
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from config.bridge import WsgiBridge
from tests.product import wait_for
from tests.serving import serving

LARGE = bytes(range(256)) * 32768
# Less than the server's transport likes to hold, so that it never says it is too much.
SHORT = LARGE[:60_000]


READING_MS = 1500


def at_once(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Answer as views do, with a list, which goes through no file, or streamed."""
    body = SHORT if environ["PATH_INFO"] == "/short" else LARGE
    start("200 OK", [("Content-Length", str(len(body)))])
    if environ["PATH_INFO"] == "/streamed":
        return (body[begin : begin + 65536] for begin in range(0, len(body), 65536))
    return [body]


@contextmanager
def served(loop: Any) -> Iterator[int]:
    bridge = WsgiBridge(
        at_once, threads=1, most_bytes=lambda path, kind: 0, admit=lambda scope, headers: False
    )
    with serving(bridge, loop=loop, reading_ms=READING_MS) as port:
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


def wait_until_cut_off(client: socket.socket) -> None:
    """Wait until the system has forgotten the server's side of a connection."""
    try:
        ends = (client.getpeername(), client.getsockname())
    except OSError as error:
        if error.errno != errno.ENOTCONN:
            raise
        return  # the reset is here already
    wanted = " ".join(f"0100007F:{port:04X}" for _, port in ends)
    wait_for(lambda: wanted not in Path("/proc/net/tcp").read_text(), "the end of the connection")


@pytest.mark.parametrize("line", ["Connection: close", "Connection: keep-alive"])
@pytest.mark.parametrize("path", ["/large", "/short", "/streamed"])
def test_who_reads_nothing_is_cut_off(port: int, path: str, line: str) -> None:
    with ask(port, path, line) as client:
        wait_until_cut_off(client)


def test_who_reads_nothing_and_begins_another_request_is_cut_off(port: int) -> None:
    with ask(port, "/short") as client:
        client.sendall(b"GET / HTTP/1.1\r\nX-Half: a")
        wait_until_cut_off(client)


def test_who_reads_slowly_gets_it_all(port: int) -> None:
    with ask(port, "/large", "Connection: close") as client:
        came = bytearray()
        pace = threading.Event()
        slow_until = time.monotonic() + 2 * READING_MS / 1000
        while part := client.recv(1 << 18):
            came += part
            if time.monotonic() < slow_until:
                pace.wait(0.05)
    body = bytes(came).partition(b"\r\n\r\n")[2]
    assert hashlib.sha256(body).digest() == hashlib.sha256(LARGE).digest()
