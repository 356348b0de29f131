"""Heads of requests are bounded, in bytes and in time (rules/wire §8): uvicorn, our protocol."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from config.heads import BoundedHeads, bounded
from tests.serving import running


class HastyHeads(BoundedHeads):
    """Waits no longer than a test likes to."""

    head_seconds = 1.0


async def answer_ok(scope: Any, receive: Any, send: Any) -> None:
    assert scope["type"] == "http"
    while (await receive()).get("more_body"):
        pass
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running(bounded(answer_ok), http=BoundedHeads, ws="none") as number:
        yield number


@pytest.fixture(scope="module")
def hasty_port() -> Iterator[int]:
    with running(bounded(answer_ok), http=HastyHeads, ws="none") as number:
        yield number


def ask(port: int, *parts: bytes) -> bytes:
    """Send the parts; return all that comes until the server ends it."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        came = b""
        # Who is refused may find the door shut before all is sent.
        with suppress(ConnectionError):
            for part in parts:
                client.sendall(part)
        with suppress(ConnectionError):
            while part := client.recv(65536):
                came += part
        return came


HEAD = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"


@pytest.mark.parametrize(
    "large",
    [
        b"X-Long: " + b"a" * 40_000,
        b"".join(b"X-%d: a\r\n" % number for number in range(8000)),
        b"X-Endless: " + b"a" * 4_000_000,
    ],
    ids=["long", "many", "endless"],
)
def test_a_head_of_too_many_bytes_is_refused(port: int, large: bytes) -> None:
    # What was not read of it may take the answer away.
    refusals = (b"HTTP/1.1 431", b"HTTP/1.1 400", b"")
    assert ask(port, HEAD + large + b"\r\n\r\n")[:12] in refusals
    assert ask(port, HEAD, large)[:12] in refusals


def test_a_head_that_is_a_little_too_large_is_told_so(port: int) -> None:
    answer = ask(port, HEAD + b"X-Long: " + b"a" * 32_768 + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 431")


def test_a_long_address_is_refused_as_well(port: int) -> None:
    asked = b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: here\r\n\r\n"
    assert ask(port, asked).startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize("begun", [b"", b"GET", HEAD, HEAD + b"X-Half: a"])
def test_a_head_that_does_not_come_is_not_waited_for(hasty_port: int, begun: bytes) -> None:
    assert ask(hasty_port, begun) == b""


def test_the_second_head_of_a_connection_is_bounded_too(hasty_port: int) -> None:
    with socket.create_connection(("127.0.0.1", hasty_port), timeout=20) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        came = b""
        while not came.endswith(b"ok"):
            came += client.recv(65536)
        client.sendall(b"GET / HTTP/1.1\r\nX-Half: a")
        assert client.recv(65536) == b""


def test_what_is_within_is_served_also_with_a_body_larger_than_a_head(port: int) -> None:
    assert ask(port, HEAD + b"X-Long: " + b"a" * 20_000 + b"\r\n\r\n").endswith(b"ok")
    body = b"a" * 200_000
    sent = HEAD.replace(b"GET", b"POST") + b"Content-Length: %d\r\n\r\n" % len(body)
    assert ask(port, sent + body).endswith(b"ok")
    assert ask(port, sent, body).endswith(b"ok")
