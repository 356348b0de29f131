"""HTTP/1.1 with little work: the generator shares the processors with the product."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

# Less than any server here keeps a quiet connection.
IDLE_SECONDS = 15.0
TIMEOUT_SECONDS = 30.0
Headers = Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """Calls to one port on kept connections, as many at once as there are callers."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._idle: deque[tuple[float, asyncio.StreamReader, asyncio.StreamWriter]] = deque()

    async def call(
        self, method: str, path: str, body: bytes = b"", headers: Headers | None = None
    ) -> Answer:
        """Make a call; raises OSError, EOFError or TimeoutError without an answer."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            reader, writer = await self._connection()
            try:
                lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1:" + str(self.port)]
                lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
                if body or method != "GET":
                    lines.append(f"Content-Length: {len(body)}")
                writer.write("\r\n".join([*lines, "", ""]).encode() + body)
                answer = await _read_answer(reader)
            except BaseException:
                writer.close()
                raise
        if answer.headers.get("connection", "").lower() == "close":
            writer.close()
        else:
            self._idle.append((time.monotonic(), reader, writer))
        return answer

    async def _connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while self._idle:
            since, reader, writer = self._idle.pop()
            if time.monotonic() - since < IDLE_SECONDS and not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self.port)

    def close(self) -> None:
        for _, _, writer in self._idle:
            writer.close()
        self._idle.clear()


async def _read_head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    headers: dict[str, str] = {}
    for line in lines:
        name, found, value = line.partition(":")
        if found:
            name = name.lower()
            # Of several, as of cookies, each counts.
            headers[name] = (
                f"{headers[name]}, {value.strip()}" if name in headers else value.strip()
            )
    return first, headers


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(int(headers.get("content-length") or 0))
    parts = []
    while size := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readuntil(b"\r\n")
    return b"".join(parts)


async def _read_answer(reader: asyncio.StreamReader) -> Answer:
    first, headers = await _read_head(reader)
    status = int(first.split(" ", 2)[1])
    return Answer(status, headers, await _read_body(reader, headers))


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    body: bytes


# What a server answers: a status, a type and a body; None hangs up.
Said = tuple[int, str, bytes] | None


class Server:
    """Answers calls on a loopback port."""

    def __init__(self, port: int, answer: Callable[[Asked], Awaitable[Said]]) -> None:
        self.port = port
        self._answer = answer
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", self.port)

    async def stop(self) -> None:
        """Refuse connections, and hang up on those that are there."""
        if self._server is not None:
            self._server.close()
        for writer in list(self._writers):
            writer.close()
        while self._writers:
            await asyncio.sleep(0.02)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError, EOFError):
            while True:
                first, headers = await _read_head(reader)
                method, path, _ = first.split(" ", 2)
                body = await _read_body(reader, headers)
                said = await self._answer(Asked(method, path, body))
                if said is None:
                    break
                status, kind, content = said
                head = f"HTTP/1.1 {status} Any\r\nContent-Type: {kind}\r\n"
                head += f"Content-Length: {len(content)}\r\n\r\n"
                writer.write(head.encode() + content)
                await writer.drain()
        self._writers.discard(writer)
        writer.close()
