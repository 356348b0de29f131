"""A socket for each person: what it heard of each message, and how often."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic

from tests.bench.sockets import Socket
from tests.load.record import Record
from tests.load.shops import FIRST_QR_CONTACT, Person, Shop

HANDSHAKE_SECONDS = 30.0
# As long as socket.io's clients wait before they connect again.
LEAST_PAUSE, MOST_PAUSE = 1.0, 5.0
AT_ONCE = 20
# Where who is in several rooms would hear a message twice, if events were not sent once.
JOINS = ('["joinNotification"]', '["joinTickets","open"]', '["joinTickets","pending"]')
BODY = re.compile(rb'"body":"load-(\d+)-(\d+)-(\d+)"')
CREATED = b'appMessage",{"action":"create"'


class Ears(Socket):
    """One connection; `lost` is told of its end, `joined` is set once it is in its rooms."""

    def __init__(
        self, token: str, heard: Callable[[bytes, float], None], lost: Callable[[], None]
    ) -> None:
        super().__init__("/socket.io/?EIO=4&transport=websocket", token, heard)
        self.joined = asyncio.Event()
        self._lost = lost
        self._acknowledged = 0

    def connection_lost(self, error: Exception | None) -> None:
        was_open = self.is_open
        super().connection_lost(error)
        if was_open:
            self._lost()

    def take(self, packet: bytes, now: float) -> None:
        """Count the acknowledgements of joins; the rest is as with any socket."""
        if packet.startswith(b"43"):
            self._acknowledged += 1
            if self._acknowledged == len(JOINS):
                self.joined.set()
            return
        super().take(packet, now)

    def join(self) -> None:
        for number, join in enumerate(JOINS):
            self.send(f"42{number}{join}")


class Listener:
    """One person's page: it connects again by itself, and then reads its lists anew."""

    def __init__(self, shop: Shop, person: Person, heard_first: "HeardFirst") -> None:
        self.shop, self.person = shop, person
        self.heard = bytearray()
        # The moments of joining and of losing, in turn.
        self.joined_at: list[float] = []
        self.lost_at: list[float] = []
        self.foreign = 0
        self.out_of_order = 0
        self.ears: Ears | None = None
        self._own = f'["company-{shop.id}-'.encode()
        self._last: dict[int, int] = {}
        self._heard_first = heard_first

    @property
    def is_joined(self) -> bool:
        return len(self.joined_at) > len(self.lost_at)

    def take(self, packet: bytes, _: float) -> None:
        """Note a message of a contact; `packet` begins with the event's name."""
        if not packet.startswith(self._own):
            # Events of one's own, and those of older names, belong to no company.
            self.foreign += packet.startswith(b'["company-')
            return
        if not packet.startswith(CREATED, len(self._own)):
            return
        found = BODY.search(packet)
        if found is None:
            return
        number, contact, said = map(int, found.groups())
        if number >= len(self.heard):
            self.heard.extend(bytes(number + 256 - len(self.heard)))
        self.heard[number] = min(255, self.heard[number] + 1)
        self.out_of_order += self._last.get(contact, 0) > said
        self._last[contact] = said
        self._heard_first.note(self.shop, number, contact)

    def lost(self) -> None:
        if self.is_joined:
            self.lost_at.append(monotonic())

    def misses(self, number: int, at: float, within: float) -> bool:
        """Tell whether a message emitted about then should have been heard live, and was not.

        Who was not joined then, or has joined anew since, has read it with its lists.
        """
        if number < len(self.heard) and self.heard[number]:
            return False
        covering = [joined for joined in self.joined_at if joined <= at]
        if not covering:
            return False
        ended = self.lost_at[len(covering) - 1] if len(self.lost_at) >= len(covering) else None
        return ended is None or ended > at + within


class HeardFirst:
    """When a message was first heard at any socket of its company."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.at: dict[tuple[int, int], float] = {}
        self.latest_due = 0.0
        self.latest_due_by_qr = 0.0

    def note(self, shop: Shop, number: int, contact: int) -> None:
        if (shop.id, number) in self.at:
            return
        now, due = monotonic(), shop.due[number]
        self.at[shop.id, number] = now
        is_qr = contact >= FIRST_QR_CONTACT
        self._record.note("QR message to socket" if is_qr else "message to socket", due, now)
        self.latest_due = max(self.latest_due, due)
        if is_qr:
            self.latest_due_by_qr = max(self.latest_due_by_qr, due)


class Listeners:
    """All sockets; `read_anew` makes the calls of a page that has connected again."""

    def __init__(
        self,
        shops: list[Shop],
        port: int,
        record: Record,
        read_anew: Callable[[Person], Awaitable[None]],
        token_of: Callable[[Person], Awaitable[str]],
    ) -> None:
        self.first = HeardFirst(record)
        self.all = [Listener(shop, person, self.first) for shop in shops for person in shop.people]
        self._port, self._record = port, record
        self._read_anew, self._token_of = read_anew, token_of
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_over = False

    async def open(self) -> None:
        """Open all of them; those that fail at first go on trying."""
        await asyncio.gather(*(self._connect(each) for each in self.all))

    def close(self) -> None:
        self._is_over = True
        for task in self._tasks:
            task.cancel()
        for each in self.all:
            if each.ears is not None and each.ears.is_open:
                each.ears.transport.close()

    def joined(self) -> int:
        return sum(each.is_joined for each in self.all)

    def _lost(self, listener: Listener) -> None:
        listener.lost()
        if not self._is_over:
            task = asyncio.ensure_future(self._connect_again(listener))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect_again(self, listener: Listener) -> None:
        await asyncio.sleep(random.uniform(LEAST_PAUSE, MOST_PAUSE))
        await self._connect(listener)
        with suppress(OSError, EOFError, TimeoutError):
            await self._read_anew(listener.person)

    async def _connect(self, listener: Listener) -> None:
        while not self._is_over:
            start = monotonic()
            try:
                async with self._turns, asyncio.timeout(HANDSHAKE_SECONDS):
                    await self._connect_once(listener)
                self._record.note("socket opened", start, monotonic())
                return
            except (OSError, EOFError, TimeoutError) as error:
                self._record.fail("socket opened", type(error).__name__, start)
            await asyncio.sleep(random.uniform(LEAST_PAUSE, MOST_PAUSE))

    async def _connect_once(self, listener: Listener) -> None:
        token = await self._token_of(listener.person)
        loop = asyncio.get_running_loop()
        is_in = False

        def lost() -> None:
            if is_in:
                self._lost(listener)

        _, ears = await loop.create_connection(
            lambda: Ears(token, listener.take, lost), "127.0.0.1", self._port
        )
        listener.ears = ears
        try:
            await ears.admitted
            ears.join()
            await ears.joined.wait()
        except BaseException:
            ears.transport.close()
            raise
        if not ears.is_open:
            raise ConnectionError("It was closed at once")
        is_in = True
        listener.joined_at.append(monotonic())
