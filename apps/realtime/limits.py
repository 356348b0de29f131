"""How many sockets an address may hold, and how soon each must sign in (rules/realtime §1).

Each process counts for itself. One process serves the sockets of an installation, and several only
multiply what an address may hold; a count in Redis would go on after a process that crashed.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from apps.common.callers import counted_address
from apps.common.errors import error_body
from apps.common.renderers import to_json

Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Message, Receive, Send], Awaitable[Any]]

# Concurrent calls of one Engine.IO session: a poll, a post, an upgrade, and an abandoned poll.
MOST_CALLS = 4
# A close code of the application's range; daphne closes with no other.
NOT_SIGNED_IN = 4408
RETRY_SECONDS = 5
TOO_MANY = "Muitas requisições ao mesmo tempo. Tente novamente em instantes."
FORWARDED = b"x-forwarded-for"
# The key of the slot in an ASGI scope.
SLOT = "balcao.slot"


class Slot:
    """One socket of an address: an Engine.IO session with its calls, or a program's WebSocket."""

    def __init__(self, limits: "SocketLimits", address: str) -> None:
        self.address = address
        self.engine_sid = ""
        self.unsigned_since = time.monotonic()
        self.is_over = False
        self.is_late = False
        self.calls: set[asyncio.Timeout] = set()
        self._limits = limits
        self._signed_in: set[str] = set()
        self._judged = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._wait()

    @property
    def may_give_way(self) -> bool:
        """Tell whether the socket may be closed in favour of a newer one."""
        return not (self.is_over or self._signed_in or self._judged)

    @contextmanager
    def judging(self) -> Iterator[None]:
        """Keep the socket open while its token is verified."""
        self._judged += 1
        try:
            yield
        finally:
            self._judged -= 1
            if self.is_late and self.may_give_way:
                self._limits.end(self)

    def sign_in(self, sid: str) -> None:
        """Note that a user signed in under `sid`; this cancels the deadline."""
        self._signed_in.add(sid)
        self.is_late = False
        self.stop_waiting()

    def sign_out(self, sid: str) -> None:
        """Note that the user of `sid` left; after the last one the deadline runs again."""
        self._signed_in.discard(sid)
        if not (self._signed_in or self.is_over):
            self._wait()

    def stop_waiting(self) -> None:
        """Cancel the deadline for signing in."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _wait(self) -> None:
        self.stop_waiting()
        self.unsigned_since = time.monotonic()
        seconds = self._limits.sign_in_seconds
        self._deadline = asyncio.get_running_loop().call_later(seconds, self._is_due)

    def _is_due(self) -> None:
        self.is_late = True
        if self.may_give_way:
            self._limits.end(self)


class SocketLimits:
    """The sockets that each address holds in this process.

    Beyond `most` of an address another one is refused. Beyond `most_unsigned` that have not signed
    in the oldest of these is closed for the new one: a flood of them keeps nobody of the same
    address from signing in. `close_engine` closes an Engine.IO session.
    """

    def __init__(
        self,
        close_engine: Callable[[str], None],
        *,
        most: int = settings.SOCKETS_PER_ADDRESS,
        most_unsigned: int = settings.SOCKETS_UNSIGNED_PER_ADDRESS,
        sign_in_seconds: float = settings.SOCKET_SIGN_IN_SECONDS,
    ) -> None:
        self.sign_in_seconds = sign_in_seconds
        self._close_engine = close_engine
        self._most, self._most_unsigned = most, most_unsigned
        self._of_address: defaultdict[str, set[Slot]] = defaultdict(set)
        self._of_engine: dict[str, Slot] = {}
        self._of_user: dict[str, Slot] = {}

    @property
    def counts(self) -> dict[str, int]:
        """Return how many sockets are open, and how many of them have a user."""
        return {
            "open": sum(len(slots) for slots in self._of_address.values()),
            "signed_in": len(self._of_user),
        }

    def bound(self, app: Asgi, *, is_engine: bool = False) -> Asgi:
        """Return `app` with its sockets counted; of Engine.IO, calls with `sid` are one socket's.

        The scope that `app` receives holds the socket's slot (`slot_of`).
        """

        async def bounded(scope: Message, receive: Receive, send: Send) -> None:
            query = parse_qs(scope["query_string"].decode("utf-8", "replace"))
            sid = query.get("sid", [""])[0] if is_engine else ""
            slot = self._of_engine.get(sid)
            if slot is None and sid:
                # there is no such session; Engine.IO refuses the call
                await app(scope, receive, send)
                return
            slot = slot or self._take(_address_of(scope))
            if slot is None or len(slot.calls) >= MOST_CALLS:
                await _refuse(scope, send)
                return
            try:
                await self._serve(slot, app, scope, receive, send)
            finally:
                if not slot.engine_sid:
                    self._leave(slot)

        return bounded

    def begin_engine(self, slot: Slot | None, engine_sid: str) -> None:
        """Note the Engine.IO session that a call opened."""
        if slot is not None and not slot.is_over:
            slot.engine_sid = engine_sid
            self._of_engine[engine_sid] = slot

    def end_engine(self, engine_sid: str) -> None:
        """Note that an Engine.IO session ended; its open calls may answer, within a bound."""
        slot = self._of_engine.pop(engine_sid, None)
        if slot is not None:
            self._leave(slot)
            last = asyncio.get_running_loop().time() + self.sign_in_seconds
            for call in slot.calls:
                call.reschedule(last)

    def sign_in(self, slot: Slot | None, sid: str) -> None:
        """Note that a user signed in under `sid`."""
        if slot is not None and not slot.is_over:
            self._of_user[sid] = slot
            slot.sign_in(sid)

    def sign_out(self, sid: str) -> None:
        """Note that the user of `sid` left."""
        slot = self._of_user.pop(sid, None)
        if slot is not None:
            slot.sign_out(sid)

    def end(self, slot: Slot) -> None:
        """Close a socket; its calls end by themselves."""
        if slot.is_over:
            return
        self._leave(slot)
        if self._of_engine.pop(slot.engine_sid, None):
            self._close_engine(slot.engine_sid)
        for call in slot.calls:
            call.reschedule(0)

    def _take(self, address: str) -> Slot | None:
        if not address:
            return Slot(self, address)
        slots = self._of_address[address]
        if len(slots) >= self._most:
            return None
        unsigned = [slot for slot in slots if slot.may_give_way]
        if len(unsigned) >= self._most_unsigned:
            self.end(min(unsigned, key=lambda slot: slot.unsigned_since))
        slot = Slot(self, address)
        self._of_address[address].add(slot)
        return slot

    def _leave(self, slot: Slot) -> None:
        slot.is_over = True
        slot.stop_waiting()
        self._of_address[slot.address].discard(slot)
        if not self._of_address[slot.address]:
            del self._of_address[slot.address]

    async def _serve(
        self, slot: Slot, app: Asgi, scope: Message, receive: Receive, send: Send
    ) -> None:
        try:
            async with asyncio.timeout(None) as call:
                slot.calls.add(call)
                try:
                    await app({**scope, SLOT: slot}, receive, send)
                finally:
                    slot.calls.discard(call)
        except TimeoutError:
            if not call.expired():
                raise
            with suppress(Exception):  # the call may have ended already
                await _refuse(scope, send)


def slot_of(scope: Message) -> Slot | None:
    """Return the slot of a call; None if sockets are not bounded."""
    slot: Slot | None = scope.get(SLOT)
    return slot


def _address_of(scope: Message) -> str:
    """Return the address that a call counts for."""
    named = (value.decode("latin-1") for name, value in scope["headers"] if name == FORWARDED)
    return counted_address((scope.get("client") or ("",))[0], ",".join(named))


async def _refuse(scope: Message, send: Send) -> None:
    """Refuse a call; clients retry by themselves."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": NOT_SIGNED_IN})
        return
    body = error_body("ERR_TOO_MANY_REQUESTS", TOO_MANY, extra={"retryAfter": RETRY_SECONDS})
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"%d" % RETRY_SECONDS)]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": to_json(body)})
