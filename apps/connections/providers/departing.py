"""The moment in which a message leaves: a call before the first byte of its body is written."""

from collections.abc import Callable, Iterator
from typing import Any

import orjson

OnWriting = Callable[[], None]


def unwatched() -> None:
    """Let a body leave without a word to anybody."""


class DepartingBody:
    """The JSON body of a request, which calls `on_writing` right before it is written.

    httpx asks for the content once the connection stands and the headers are written. A request
    without its body is carried out by nobody, so until then the message is known not to have gone.
    What `on_writing` raises ends the request without its body, and reaches the caller.
    """

    def __init__(self, payload: dict[str, Any] | bytes, on_writing: OnWriting = unwatched) -> None:
        self._content = payload if isinstance(payload, bytes) else orjson.dumps(payload)
        self._on_writing = on_writing
        self.has_left = False

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers that httpx can't know: with a length it sends no chunks."""
        return {
            "Content-Type": "application/json",
            "Content-Length": str(len(self._content)),
        }

    def __iter__(self) -> Iterator[bytes]:
        self._on_writing()
        self.has_left = True
        yield self._content
