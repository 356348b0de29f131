"""HTTP's threads wait for no client: the bridge alone, with clients made of two functions."""

import asyncio
import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from typing import Any

import pytest

from apps.common.errors import SessionExpired
from config.bridge import BLOCK, File, WsgiBridge
from config.incoming import MEMORY_BYTES, SMALL_BYTES, Message

Wsgi = Callable[..., Iterable[bytes]]
MOST = 8 * MEMORY_BYTES
LARGE = bytes(range(256)) * (3 * MEMORY_BYTES // 256)


class Client:
    """Sends the parts of a body, then nothing; keeps what it is sent."""

    def __init__(self, *parts: bytes, more: bool = False, headers: dict[str, str] | None = None):
        self.messages: list[Message] = [
            {"type": "http.request", "body": part, "more_body": more or place < len(parts)}
            for place, part in enumerate(parts, 1)
        ]
        named = headers or ({"transfer-encoding": "chunked"} if parts else {})
        self.scope: Message = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST" if parts else "GET",
            "path": "/api/ação",
            "query_string": b"a=1",
            "headers": [(name.encode(), value.encode()) for name, value in named.items()],
            "client": ("10.0.0.9", 5000),
        }
        self.heard: list[Message] = []
        # How much it had heard each time that the other side read.
        self.heard_when_read: list[int] = []
        self.reads = asyncio.Event()
        self.reads.set()

    async def receive(self) -> Message:
        self.heard_when_read.append(len(self.heard))
        if not self.messages:
            await asyncio.Event().wait()
        return self.messages.pop(0)

    async def send(self, message: Message) -> None:
        await self.reads.wait()
        self.heard.append(message)

    async def ask(self, bridge: WsgiBridge) -> None:
        await bridge(self.scope, self.receive, self.send)

    @property
    def status(self) -> int:
        status: int = self.heard[0]["status"]
        return status

    @property
    def body(self) -> bytes:
        return b"".join(message["body"] for message in self.heard[1:])


def digest(content: bytes) -> str:
    # Two large texts that differ would be compared for minutes.
    return hashlib.sha256(content).hexdigest()


def echo(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
    start("200 OK", [("X-Length", environ["CONTENT_LENGTH"]), ("X-Path", environ["PATH_INFO"])])
    return [environ["wsgi.input"].read()]


def refused(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
    raise AssertionError("no thread was to see this")


def admits(scope: Message, headers: dict[bytes, bytes]) -> bool:
    assert threading.current_thread().name.startswith("http")
    if b"token" not in headers and b"transfer-encoding" not in headers:
        raise SessionExpired
    return True


def bridge(app: Wsgi, admit: Any = admits, **patience: Any) -> WsgiBridge:
    return WsgiBridge(app, threads=1, most_bytes=lambda path, kind: MOST, admit=admit, **patience)


def answer(app: Wsgi, client: Client, admit: Any = admits, **patience: float) -> Client:
    asyncio.run(client.ask(bridge(app, admit, **patience)))
    return client


def test_a_body_in_chunks_is_whole_and_its_length_is_known() -> None:
    client = answer(echo, Client(b"on", b"e ", b"two"))
    assert (client.status, client.body) == (200, b"one two")
    assert dict(client.heard[0]["headers"])[b"x-length"] == b"7"
    assert dict(client.heard[0]["headers"])[b"x-path"] == "/api/ação".encode()
    large = answer(echo, Client(LARGE, LARGE))
    assert digest(large.body) == digest(LARGE + LARGE)


def test_without_a_body_there_is_nothing_to_wait_for() -> None:
    client = answer(echo, Client())
    assert (client.status, client.body) == (200, b"")


def test_a_short_answer_ends_with_its_only_block() -> None:
    heard = answer(echo, Client(b"short")).heard
    assert [message.get("body") for message in heard] == [None, b"short"]
    assert not heard[-1]["more_body"]


def test_a_fault_before_the_answer_is_the_servers_to_answer() -> None:
    with pytest.raises(AssertionError, match="no thread"):
        answer(refused, Client())


def test_a_body_that_stops_coming_is_refused_in_time() -> None:
    client = answer(refused, Client(b"half", more=True), body_seconds=0.01)
    assert client.status == 408
    assert json.loads(client.body)["code"] == "ERR_REQUEST_TIMEOUT"
    assert (b"connection", b"close") in client.heard[0]["headers"]


@pytest.mark.parametrize("declared", [str(MOST + 1), "9" * 5000])
def test_what_says_it_is_too_large_is_refused_unread(declared: str) -> None:
    client = Client(b"x", b"y", more=True, headers={"content-length": declared})
    answer(refused, client, linger_seconds=0.1)
    assert client.status == 413
    assert json.loads(client.body)["code"] == "ERR_REQUEST_TOO_LARGE"
    # What was on its way goes by after the answer; then the connection ends.
    assert client.heard_when_read == [2, 2, 2]
    assert [message["more_body"] for message in client.heard[1:]] == [True, False]


def test_what_turns_out_too_large_is_refused() -> None:
    assert answer(refused, Client(LARGE, LARGE, LARGE)).status == 413


def test_what_is_large_is_asked_for_before_it_is_read() -> None:
    declared = {"content-length": str(len(LARGE))}
    client = answer(refused, Client(LARGE, more=True, headers=declared))
    assert (client.status, json.loads(client.body)["code"]) == (401, "ERR_SESSION_EXPIRED")
    assert set(client.heard_when_read) == {2}
    known = answer(echo, Client(LARGE, headers=declared | {"token": "good"}))
    assert digest(known.body) == digest(LARGE)


def test_chunks_are_asked_for_once_they_are_more_than_anybody_may_send() -> None:
    asked: list[str] = []

    def refuse(scope: Message, headers: dict[bytes, bytes]) -> bool:
        asked.append(scope["path"])
        raise SessionExpired

    def let(scope: Message, headers: dict[bytes, bytes]) -> bool:
        asked.append(scope["path"])
        return True

    half = b"x" * (SMALL_BYTES // 2)
    assert answer(echo, Client(half, half), refuse).status == 200
    assert asked == []
    client = Client(half, half, b"x", half, more=True)
    assert answer(refused, client, refuse).status == 401
    assert (asked, client.heard_when_read[:4]) == (["/api/ação"], [0, 0, 0, 2])
    asked.clear()
    assert (answer(echo, Client(LARGE, LARGE), let).status, len(asked)) == (200, 1)


def strangers(scope: Message, headers: dict[bytes, bytes]) -> bool:
    return b"token" in headers


class Holding(Client):
    """Sends what it has, waits until it may go on, and then sends the end."""

    def __init__(self, *parts: bytes, headers: dict[str, str] | None = None) -> None:
        super().__init__(*parts, more=True, headers=headers)
        self.has_sent, self.goes_on = asyncio.Event(), asyncio.Event()

    async def receive(self) -> Message:
        if self.messages:
            return self.messages.pop(0)
        self.has_sent.set()
        await self.goes_on.wait()
        return {"type": "http.request", "body": b"", "more_body": False}


def test_strangers_have_so_much_in_all_and_nobody_else_waits_for_them() -> None:
    part = b"x" * 2 * SMALL_BYTES
    known = {"transfer-encoding": "chunked", "token": "good"}

    async def run() -> None:
        one = bridge(echo, strangers, strangers_bytes=5 * SMALL_BYTES)
        holding = [Holding(part), Holding(part)]
        tasks = [asyncio.create_task(each.ask(one)) for each in holding]
        for each in holding:
            await each.has_sent.wait()
        too_many = Client(part)
        await too_many.ask(one)
        assert too_many.status == 503
        assert dict(too_many.heard[0]["headers"])[b"retry-after"] == b"5"
        assert json.loads(too_many.body)["retryAfter"] == 5
        for let in (Client(b"small"), Client(part, part, part, headers=known)):
            await let.ask(one)
            assert let.status == 200
        # What is done with counts no more, whether it came to its end or not.
        holding[0].goes_on.set()
        tasks[1].cancel()
        await tasks[0]
        assert holding[0].body == part
        last = Client(part, part)
        await last.ask(one)
        assert (last.status, one.bodies.strangers) == (200, 0)

    asyncio.run(run())


@pytest.mark.parametrize(("token", "seconds"), [("good", 30), ("", 21)])
def test_strangers_have_less_time(
    token: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20,000 bytes are worth ten seconds of a known caller's, and one of a stranger's."""
    began: list[float] = []
    until: list[float] = []

    def timeout_at(when: float) -> asyncio.Timeout:
        began.append(asyncio.get_running_loop().time())
        until.append(when)
        return asyncio.timeout(0.01)

    monkeypatch.setattr("config.incoming.asyncio.timeout_at", timeout_at)
    head = {"transfer-encoding": "chunked"} | ({"token": token} if token else {})
    client = Client(b"x" * 20_000, more=True, headers=head)
    assert answer(refused, client, strangers).status == 408
    assert until[1] - began[0] == pytest.approx(seconds, abs=0.5)


def test_no_body_takes_longer_than_the_longest_may() -> None:
    client = Client(LARGE, more=True)
    # By its bytes it had 26 minutes.
    assert answer(refused, client, most_body_seconds=0.01).status == 408


def test_a_client_that_left_is_answered_nothing() -> None:
    client = Client(b"half", more=True)
    client.messages.append({"type": "http.disconnect"})
    assert answer(refused, client).heard == []


def streamed(environ: dict[str, Any], start: Callable[..., Any]) -> Iterator[bytes]:
    start("200 OK", [])
    yield from (LARGE[place : place + 1000] for place in range(0, len(LARGE), 1000))


def lent(client: Client, **patience: float) -> list[tuple[str, bytes]]:
    """Have another application answer; return the length that it was told, and the body."""
    seen: list[tuple[str, bytes]] = []

    async def app(scope: Message, receive: Any, send: Any) -> None:
        message = await receive()
        assert not message["more_body"]
        headers = dict(scope["headers"])
        assert b"transfer-encoding" not in headers
        seen.append((headers[b"content-length"].decode(), message["body"]))
        await send({"type": "http.response.start", "status": 200, "headers": []})

    one = bridge(refused, **patience)
    asyncio.run(one.lend_body(app, client.scope, client.receive, client.send))
    return seen


def test_another_application_gets_the_body_whole() -> None:
    assert lent(Client(b"on", b"e")) == [("3", b"one")]
    assert lent(Client(b"one", headers={"content-length": "3"})) == [("3", b"one")]
    assert lent(Client()) == [("0", b"")]


def test_another_application_waits_for_nobody_either() -> None:
    slow = Client(b"half", more=True)
    assert lent(slow, body_seconds=0.01) == []
    assert slow.status == 408
    large = Client(b"x", more=True, headers={"content-length": str(MOST + 1)})
    assert lent(large) == []
    assert large.status == 413
    gone = Client(b"half", more=True)
    gone.messages.append({"type": "http.disconnect"})
    assert lent(gone) == []
    assert gone.heard == []


class Tracked(BytesIO):
    closed_in: str = ""

    def close(self) -> None:
        self.closed_in = threading.current_thread().name
        super().close()


def sends_file(file: Tracked) -> Wsgi:
    def app(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        parts: Iterable[bytes] = environ["wsgi.file_wrapper"](file, 4096)
        return parts

    return app


@pytest.mark.parametrize("kind", ["stream", "file"])
def test_who_does_not_read_holds_no_thread_and_loses_nothing(kind: str) -> None:
    file = Tracked(LARGE)
    large = streamed if kind == "stream" else sends_file(file)

    def app(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        return (echo if environ["REQUEST_METHOD"] == "POST" else large)(environ, start)

    async def run() -> None:
        one = bridge(app)
        slow, quick = Client(), Client(b"quick")
        slow.reads.clear()
        task = asyncio.create_task(slow.ask(one))
        await asyncio.sleep(0)
        await asyncio.wait_for(quick.ask(one), 20)
        assert quick.body == b"quick"
        assert slow.heard == []
        slow.reads.set()
        await task
        assert digest(slow.body) == digest(LARGE)
        assert max(len(message.get("body", b"")) for message in slow.heard) <= BLOCK

    asyncio.run(run())
    assert file.closed_in.startswith("http" if kind == "file" else "")


class Stuck(Client):
    """Takes the head and a first block, and nothing more until it reads again."""

    def __init__(self) -> None:
        super().__init__()
        self.has_block = asyncio.Event()
        self.reads.clear()

    async def send(self, message: Message) -> None:
        self.heard.append(message)
        if message.get("body"):
            self.has_block.set()
            await self.reads.wait()


def test_of_a_file_that_nobody_takes_one_small_block_is_read() -> None:
    """A thousand who do not read hold a thousand blocks, and the process little memory."""
    file = Tracked(LARGE)

    async def run() -> None:
        client = Stuck()
        task = asyncio.create_task(client.ask(bridge(sends_file(file))))
        await asyncio.wait_for(client.has_block.wait(), 20)
        assert file.tell() <= 64 * 1024
        client.reads.set()
        await task
        assert digest(client.body) == digest(LARGE)

    asyncio.run(run())


def test_the_file_of_who_has_gone_is_closed() -> None:
    class Gone(Client):
        async def send(self, message: Any) -> None:
            raise OSError("gone")

    file = Tracked(LARGE)
    with pytest.raises(OSError, match="gone"):
        answer(sends_file(file), Gone())
    assert file.closed


def test_an_answer_that_breaks_off_is_sent_as_far_as_it_came_and_not_ended() -> None:
    def breaks(environ: dict[str, Any], start: Callable[..., Any]) -> Iterator[bytes]:
        start("200 OK", [])
        yield b"begun"
        raise OSError("the disk is gone")

    client = Client()
    with pytest.raises(OSError, match="the disk"):
        answer(breaks, client)
    assert client.body == b"begun"
    assert client.heard[-1]["more_body"]


def test_a_short_file_is_closed_by_the_thread_that_read_it() -> None:
    file = Tracked(b"short")
    assert answer(sends_file(file), Client()).body == b"short"
    assert file.closed_in.startswith("http")
    assert File(BytesIO(b"x")).read() == b"x"
