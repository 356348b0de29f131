"""Runs Django's WSGI application under an ASGI server, in threads that never wait for a client.

A body is read before a thread takes the request. An answer is sent after the thread has written it;
a file is sent block by block as the client reads it (rules/wire §7). So a slow client occupies a
socket and no thread.
"""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing, suppress
from functools import lru_cache
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from apps.common.errors import DomainError, error_body
from apps.common.renderers import to_json
from config.incoming import (
    MEMORY_BYTES,
    MOST_BODY_SECONDS,
    STRANGERS_BYTES,
    Bodies,
    Body,
    Gone,
    Headers,
    Message,
    Receive,
    RequestTooSlow,
)
from config.warm_threads import WarmThreads

Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Message, Receive, Send], Awaitable[None]]

# About two blocks are in memory for each slow reader of a file: 160 MB for a thousand of them.
BLOCK = 64 * 1024
_LENGTHS = (b"content-length", b"transfer-encoding")


class File:
    """`wsgi.file_wrapper`: a file that is sent as fast as the client reads it."""

    def __init__(self, file: IO[bytes], block_size: int = BLOCK) -> None:
        self.file = file

    def read(self) -> bytes:
        """Return the next block, empty at the end."""
        return self.file.read(BLOCK)

    def close(self) -> None:
        """End the response with its file; Django has put that in the place of `file.close`."""
        self.file.close()


class _Answer:
    """An answer that a thread writes and the event loop sends; `written` is done when the thread
    has finished.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.start: Message = {}
        self.file: File | None = None
        # The body of a list answer, which is complete at once and needs no file.
        self.whole: bytes | None = None
        self.news = asyncio.Event()
        self.written: asyncio.Future[None] = loop.create_future()
        self._loop = loop
        self._lock = threading.Lock()
        self._spool: IO[bytes] | None = None
        self._written = self._told = self._taken = 0

    def begin(
        self, status: str, headers: list[tuple[str, str]], exc_info: object = None
    ) -> Callable[[bytes], None]:
        self.start = {
            "type": "http.response.start",
            "status": int(status[:3]),
            "headers": [
                (name.lower().encode("latin-1"), value.strip().encode("latin-1"))
                for name, value in headers
            ],
        }
        return self.write

    def write(self, block: bytes) -> None:
        """Add to the answer; notify the event loop once per block."""
        with self._lock:
            if self._spool is None:
                self._spool = SpooledTemporaryFile(max_size=MEMORY_BYTES)  # noqa: SIM115
            self._spool.seek(self._written)
            self._spool.write(block)
            self._written += len(block)
        if self._written - self._told >= BLOCK:
            self._told = self._written
            self._loop.call_soon_threadsafe(self.news.set)

    def end(self, fault: BaseException | None) -> None:
        """Mark the answer as complete, or as failed with an exception."""
        self._loop.call_soon_threadsafe(self._end, fault)

    def _end(self, fault: BaseException | None) -> None:
        if fault is None:
            self.written.set_result(None)
        else:
            self.written.set_exception(fault)
        self.news.set()

    def take(self) -> bytes:
        """Return the next written block; empty if there is none yet."""
        if self._spool is None or self._taken == self._written:
            return b""
        with self._lock:
            self._spool.seek(self._taken)
            block = self._spool.read(BLOCK)
        self._taken += len(block)
        return block

    @property
    def is_begun(self) -> bool:
        return self._spool is not None

    @property
    def is_whole(self) -> bool:
        """Tell whether the whole answer was taken without a failure."""
        is_written = self.written.done() and self.written.exception() is None
        return is_written and self.file is None and self._taken == self._written

    def close(self) -> None:
        if self._spool is not None:
            with self._lock:
                self._spool.close()


class WsgiBridge:
    """An ASGI application for HTTP around a WSGI one.

    `Bodies` reads the bodies, with `most_bytes`, `admit` and `body_seconds`. A refused client may
    go on sending for `linger_seconds`. The system disconnects one that reads nothing
    (`config.serve`).
    """

    def __init__(
        self,
        app: Callable[..., Iterable[bytes]],
        *,
        threads: int,
        most_bytes: Callable[[str, str], int],
        admit: Callable[[Message, Headers], bool],
        body_seconds: float = 20,
        most_body_seconds: float = MOST_BODY_SECONDS,
        strangers_bytes: int = STRANGERS_BYTES,
        linger_seconds: float = 2,
    ) -> None:
        self.app = app
        self.threads = WarmThreads(threads)
        self.bodies = Bodies(
            self.threads,
            most_bytes=most_bytes,
            admit=admit,
            body_seconds=body_seconds,
            most_seconds=most_body_seconds,
            strangers_bytes=strangers_bytes,
        )
        self.linger_seconds = linger_seconds

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Read a request, have a thread answer it, send the answer."""
        try:
            body = await self.bodies.read(scope, receive)
        except Gone:
            return
        except DomainError as refused:
            await self._refuse(refused, receive, send)
            return
        with closing(body):
            await self._answer(_environ(scope, body), send)

    async def lend_body(self, app: Asgi, scope: Message, receive: Receive, send: Send) -> None:
        """Read a request's body as for any other, and have another application answer it."""
        try:
            body = await self.bodies.read(scope, receive)
        except Gone:
            return
        except DomainError as refused:
            await self._refuse(refused, receive, send)
            return
        with closing(body):
            whole = [{"type": "http.request", "body": body.file.read(), "more_body": False}]
        # The length of a chunked body is known now.
        headers = [each for each in scope["headers"] if each[0] not in _LENGTHS]
        headers.append((b"content-length", str(body.size).encode()))

        async def receive_whole() -> Message:
            return whole.pop() if whole else await receive()

        await app({**scope, "headers": headers}, receive_whole, send)

    async def _answer(self, environ: dict[str, Any], send: Send) -> None:
        loop = asyncio.get_running_loop()
        answer = _Answer(loop)
        # Not `run_in_executor`: its two futures cost as much as the way to the thread and back.
        self.threads.submit(self._work, environ, answer)
        try:
            is_begun = is_whole = False
            while not answer.written.done():
                await answer.news.wait()
                answer.news.clear()
                while block := answer.take():
                    is_whole = answer.is_whole
                    if not is_begun:
                        await send(answer.start)
                        is_begun = True
                    await send(_part(block, more=not is_whole))
            answer.written.result()
            if answer.whole is not None:
                await send(answer.start)
                await send(_part(answer.whole, more=False))
                return
            if not is_begun:
                await send(answer.start)
            while answer.file:
                block = await loop.run_in_executor(self.threads, answer.file.read)
                if not block:
                    break
                await send(_part(block))
            if not is_whole:
                await send(_part(b"", more=False))
        finally:
            # The thread cannot be stopped: it writes to the end, and the rest is dropped.
            if not answer.written.done():
                await asyncio.shield(asyncio.wait([answer.written]))
            answer.written.exception()
            answer.close()
            if answer.file:
                await loop.run_in_executor(self.threads, answer.file.close)

    def _work(self, environ: dict[str, Any], answer: _Answer) -> None:
        fault = None
        try:
            self._write(environ, answer)
        except BaseException as error:
            fault = error
        answer.end(fault)

    def _write(self, environ: dict[str, Any], answer: _Answer) -> None:
        parts = self.app(environ, answer.begin)
        try:
            if isinstance(parts, File):
                block = parts.read()
                answer.write(block)
                # The rest of the file is read when the client is ready for it.
                answer.file = parts if len(block) == BLOCK else None
            elif isinstance(parts, list) and not answer.is_begun:
                answer.whole = b"".join(parts)
            else:
                for part in parts:
                    answer.write(part)
        finally:
            if answer.file is None and hasattr(parts, "close"):
                parts.close()

    async def _refuse(self, refused: DomainError, receive: Receive, send: Send) -> None:
        """Answer, and discard what still arrives for a moment.

        A proxy whose connection is closed while it sends reports a fault to its client in place of
        the answer.
        """
        await _tell_refused(send, refused)
        with suppress(TimeoutError):
            if not isinstance(refused, RequestTooSlow):
                async with asyncio.timeout(self.linger_seconds):
                    while (await receive()).get("more_body"):
                        pass
        await send(_part(b"", more=False))


def _part(block: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": block, "more_body": more}


async def _tell_refused(send: Send, refused: DomainError) -> None:
    body = to_json(error_body(refused.code, refused.sentence, extra=refused.extra))
    # The rest of the body is not read: the connection is closed after the answer.
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *((name.lower().encode(), text.encode()) for name, text in refused.headers.items()),
    ]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send(_part(body))


@lru_cache(maxsize=256)
def _key(name: bytes) -> str:
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key == "CONTENT_TYPE" else f"HTTP_{key}"


def _environ(scope: Message, body: Body) -> dict[str, Any]:
    """Return WSGI's environment of a request whose body is whole, however it came (PEP 3333)."""
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body.file,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": File,
    }
    for raw_name, raw_value in scope["headers"]:
        key = _key(raw_name)
        value = raw_value.decode("latin-1")
        environ[key] = f"{environ[key]},{value}" if key in environ else value
    # Of chunks, the length is known now.
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    environ.pop("HTTP_CONTENT_LENGTH", None)
    environ["CONTENT_LENGTH"] = str(body.size)
    return environ
