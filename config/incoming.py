"""Reads the bodies of requests completely before they are handled (rules/wire §7 and §8).

Everybody may send a small body. The headers of a call with a larger one must identify the caller;
unidentified callers share a budget of bytes.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Executor
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from apps.common.errors import DomainError
from apps.common.parsers import RequestTooLarge

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Headers = dict[bytes, bytes]

# The part of a body or an answer that is kept in memory; the rest goes to a temporary file.
MEMORY_BYTES = 1024 * 1024
# Everybody may send this much to every address; beyond it the address's limit and the caller count.
SMALL_BYTES = 16 * 1024
BODY_BYTES_A_SECOND = 2000
# Meta's servers send at full speed.
STRANGERS_BYTES_A_SECOND = 20_000
# For one process, in memory and on disk.
STRANGERS_BYTES = 32 * 1024 * 1024
# A body of 110 MB arrives in this time at 1 Mbit/s.
MOST_BODY_SECONDS = 900


class RequestTooSlow(DomainError):
    status = 408
    code = "ERR_REQUEST_TIMEOUT"
    message = "A requisição demorou demais para chegar. Tente novamente."


class TooManyBodies(DomainError):
    """The budget of unidentified callers is used up."""

    status = 503
    code = "ERR_UNAVAILABLE"
    message = "O serviço está ocupado. Tente novamente em instantes."

    def __init__(self) -> None:
        seconds = 5
        super().__init__(headers={"Retry-After": str(seconds)}, extra={"retryAfter": seconds})


class Gone(Exception):
    """The client disconnected before its request was complete."""


class Body:
    """A body that was read; it counts for the unidentified callers' budget until it is closed."""

    def __init__(self, bodies: "Bodies") -> None:
        self.file: IO[bytes] = BytesIO()
        self.size = 0
        self._bodies = bodies
        self._of_share = 0

    def take(self, part: bytes) -> None:
        if self.size == 0:
            self.file = SpooledTemporaryFile(max_size=MEMORY_BYTES)  # noqa: SIM115
        self.file.write(part)
        self.size += len(part)

    def take_share(self, size: int) -> None:
        """Take bytes from the budget of unidentified callers; raises TooManyBodies."""
        if self._bodies.strangers + size - self._of_share > self._bodies.strangers_bytes:
            raise TooManyBodies
        self._bodies.strangers += size - self._of_share
        self._of_share = size

    def close(self) -> None:
        self._bodies.strangers -= self._of_share
        self._of_share = 0
        self.file.close()


class Bodies:
    """Reads bodies.

    A body may take `body_seconds` and one more second for each 2,000 bytes (20,000 of an
    unidentified caller), at most `most_seconds`, and has at most `most_bytes(path, content type)`.
    Beyond the small size nothing is read before `admit`, called with the scope and the headers in a
    thread, has told whether the caller is identified; it may raise a DomainError. The bodies of all
    unidentified callers have `strangers_bytes` together.
    """

    def __init__(
        self,
        threads: Executor,
        *,
        most_bytes: Callable[[str, str], int],
        admit: Callable[[Message, Headers], bool],
        body_seconds: float,
        most_seconds: float,
        strangers_bytes: int,
    ) -> None:
        self.threads = threads
        self.most_bytes = most_bytes
        self.admit = admit
        self.body_seconds = body_seconds
        self.most_seconds = most_seconds
        self.strangers_bytes = strangers_bytes
        # The bytes of unidentified callers now.
        self.strangers = 0

    async def read(self, scope: Message, receive: Receive) -> Body:
        """Return a request's body, positioned at its beginning; the caller closes it.

        Raises RequestTooSlow, RequestTooLarge, TooManyBodies, the errors of `admit`, and Gone if
        the client disconnected.
        """
        headers = dict(scope["headers"])
        body = Body(self)
        declared = headers.get(b"content-length", b"")
        if not declared and b"transfer-encoding" not in headers:
            return body
        if len(declared) > 20:
            raise RequestTooLarge
        try:
            await self._read(body, int(declared or 0), scope, headers, receive)
        except TimeoutError:
            body.close()
            raise RequestTooSlow from None
        except BaseException:
            body.close()
            raise
        body.file.seek(0)
        return body

    async def _read(
        self, body: Body, declared: int, scope: Message, headers: Headers, receive: Receive
    ) -> None:
        most = SMALL_BYTES
        if declared > most or b"transfer-encoding" in headers:
            content_type = headers.get(b"content-type", b"").decode("latin-1")
            most = self.most_bytes(scope["path"], content_type)
        if declared > most:
            raise RequestTooLarge
        # Not determined while the body is small.
        is_known: bool | None = None
        if declared > SMALL_BYTES:
            is_known = await self._admit(scope, headers)
        began = asyncio.get_running_loop().time()
        while True:
            pace = STRANGERS_BYTES_A_SECOND if is_known is False else BODY_BYTES_A_SECOND
            allowed = min(self.body_seconds + body.size / pace, self.most_seconds)
            async with asyncio.timeout_at(began + allowed):
                message = await receive()
            if message["type"] == "http.disconnect":
                raise Gone
            part = message.get("body", b"")
            size = body.size + len(part)
            if size > most:
                raise RequestTooLarge
            if size > SMALL_BYTES and is_known is None:
                is_known = await self._admit(scope, headers)
            if is_known is False:
                body.take_share(size)
            body.take(part)
            if not message.get("more_body"):
                return

    async def _admit(self, scope: Message, headers: Headers) -> bool:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self.admit, scope, headers)
