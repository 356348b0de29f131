"""`/ws/events/`: the same events over a plain WebSocket, for programs without Socket.IO."""

import asyncio
import logging
import random
import time
from collections import Counter
from contextlib import nullcontext
from typing import Any
from urllib.parse import parse_qs, quote, unquote

import orjson
import redis
from channels.generic.websocket import AsyncWebsocketConsumer
from rest_framework.exceptions import Throttled

from apps.common.errors import DomainError
from apps.common.masking import masked_json
from apps.common.parsers import is_too_deep
from apps.common.renderers import to_json
from apps.realtime import history
from apps.realtime.backplane import NEWS, PROGRAMS, name_for, programs_group
from apps.realtime.frames import connection_of
from apps.realtime.history import EventsMissed, KeptEvent, Position
from apps.realtime.limits import slot_of
from apps.realtime.server import (
    SECONDS_TO_LEAVE,
    handshake_of,
    in_background,
    is_allowed_origin,
    limits,
    start_listening,
    subscription,
)
from apps.realtime.sockets import (
    Client,
    Handshake,
    Viewer,
    Wish,
    identify_program,
    in_thread,
    judge_user,
)

logger = logging.getLogger(__name__)

# Close codes of the application's range; the reason travels beside them.
REFUSED = 4401
WITHOUT_SCOPE = 4403
TOO_OLD = 4409
CATCH_UP = 4410
TOO_MANY = 4429
# Each reads the company's kept events by itself.
MOST_OF_A_COMPANY = 50
_connected: Counter[int] = Counter()
# Characters or bytes; what is longer is no request.
LONGEST_FRAME = 16 * 1024
# What a program asks for, and the client emit that means the same.
JOINS = {"ticket": "joinChatBox", "tickets": "joinTickets", "notification": "joinNotification"}
LEAVES = {"ticket": "leaveChatBox", "tickets": "leaveTickets"}
KIND_OF = {event: kind for kind, event in JOINS.items()}


class ProgramConsumer(AsyncWebsocketConsumer):
    """Sends frames `{event, data, cursor}`; takes `{"join": "tickets", "status": "open"}`.

    `join` and `leave` are `ticket` (with `id`), `tickets` (with `status`) or `notification`; each
    is answered by a frame `{event: "joined" | "left", data: <the request>, cursor}`. The token
    comes as `Authorization: Bearer`, or `token` in the query: a service token with the scope
    `events`, or an access token. `after` in the query is the last cursor that the program has: it
    is in the same rooms again and gets what it missed.

    Closed with 4401 when the session or token is refused, 4403 when the token lacks the scope, 4409
    when what follows `after` is not kept, 4410 when events were missed (connect again with the last
    cursor), and 4429 after too many calls.
    """

    client: Client | None = None
    counted_for: int | None = None
    position: Position
    # What was missed before it connected is not told yet.
    is_behind = True
    heard_groups: tuple[str, ...] = ()
    news: asyncio.Event
    telling: "asyncio.Task[None] | None" = None
    renewal: "asyncio.Task[None] | None" = None
    ending: asyncio.TimerHandle | None = None

    async def __call__(self, *given: Any) -> None:
        """Serve a program until it has gone, however it goes: its place is free then."""
        try:
            await super().__call__(*given)
        finally:
            self._leave()

    async def connect(self) -> None:
        """Admit the sessions that Socket.IO admits, and service tokens."""
        headers: dict[str, str] = {
            name.decode("latin-1").lower(): value.decode("utf-8", "replace")
            for name, value in self.scope["headers"]
        }
        query = self.scope["query_string"].decode("utf-8", "replace")
        viewer, slot = None, slot_of(self.scope)
        refusal = (REFUSED, "ERR_SESSION_EXPIRED")
        if is_allowed_origin(headers.get("origin"), headers.get("host", "")):
            handshake = handshake_of(
                query, headers.get("cookie", ""), headers.get("authorization", "")
            )
            with slot.judging() if slot else nullcontext():
                viewer, refusal = await in_thread(_judged, handshake, refusal)
        await self.accept()
        if viewer is not None and _connected[viewer.company_id] >= MOST_OF_A_COMPANY:
            viewer, refusal = None, (TOO_MANY, "ERR_TOO_MANY_REQUESTS")
        if viewer is None:
            await self.close(*refusal)
            return
        self.counted_for = viewer.company_id
        _connected[viewer.company_id] += 1
        limits.sign_in(slot, self.slot_key)
        await start_listening()
        self.heard_groups = (PROGRAMS, programs_group(viewer.company_id))
        for group in self.heard_groups:
            subscription.listen(group, self.hear)
        await self._begin(Client(viewer), parse_qs(query).get("after", [""])[0])

    async def _begin(self, client: Client, after: str) -> None:
        """Tell the program that it is connected, and then what it missed since `after`."""
        try:
            first, last = await self._listen(client.viewer.company_id)
        except redis.RedisError:
            await self.close(CATCH_UP, "ERR_EVENTS_MISSED")
            return
        self.position = last
        if after:
            position, wishes = read_cursor(after)
            if position is None or not history.follows(position, first, last):
                await self.close(TOO_OLD, "ERR_CURSOR_TOO_OLD")
                return
            self.position = position
            try:
                for wish in wishes:
                    await client.join(wish)
            except Exception:  # a room left out would be missing from every later cursor
                logger.exception("A program could not enter the rooms of its cursor again")
                await self.close(CATCH_UP, "ERR_EVENTS_MISSED")
                return
        self.client = client
        self.news = asyncio.Event()
        self.telling = asyncio.create_task(self._tell_news())
        self.renewal = asyncio.create_task(self._renew(client.viewer.company_id))
        self._end_in_time(client.viewer)
        viewer = client.viewer
        await self.tell("connected", {"companyId": viewer.company_id, "userId": viewer.pk or None})
        # Its end may have been told between the look at the token and the listening to such news.
        await self._judge()
        self.news.set()

    def _leave(self) -> None:
        self.client = None
        if self.counted_for is not None:
            _connected[self.counted_for] -= 1
            self.counted_for = None
        for timer in (self.telling, self.renewal, self.ending):
            if timer is not None:
                timer.cancel()
        limits.sign_out(self.slot_key)
        for group in self.heard_groups:
            subscription.stop(group, self.hear)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle a request; answer an unreadable one with an `error` frame."""
        try:
            frame = orjson.loads((text_data or bytes_data or b"")[:LONGEST_FRAME])
        except orjson.JSONDecodeError:
            frame = None
        if is_too_deep(frame):
            frame = None
        if self.client is None:
            return
        for key, names, answer in (("join", JOINS, "joined"), ("leave", LEAVES, "left")):
            name = names.get(str(frame.get(key))) if isinstance(frame, dict) else None
            if name:
                try:
                    await self.client.hear(name, [frame.get("id", frame.get("status", ""))])
                except Exception:
                    logger.exception("A program could not enter the rooms that it asked for")
                    await self._break()
                    return
                await self.tell(answer, frame)
                return
        await self.tell("error", {"message": "Pedido não reconhecido."})

    async def tell(self, event: str, data: Any) -> None:
        await self.send(to_json({"event": event, "data": data, "cursor": self.cursor}).decode())

    @property
    def cursor(self) -> str:
        """Return where the program is: what it has got, and the rooms that it is in."""
        return write_cursor(self.position, self.client.wishes if self.client else ())

    @property
    def slot_key(self) -> str:
        """Return the name that this socket is signed in under."""
        return f"program-{id(self)}"

    async def hear(self, message: dict[str, Any]) -> None:
        """Take a message of another process; what takes long is done beside."""
        if message == NEWS:
            if self.telling is not None:
                self.news.set()
        elif self._is_meant(message):
            is_recheck = message["type"] == "realtime.recheck"
            spread = message.get("spread", 0)
            in_background(self._judge() if is_recheck else self._break(spread))

    async def _tell_news(self) -> None:
        """Pass on kept events, in a task of its own: a slow reader of a replay delays nothing
        else, for example the end of its token.
        """
        try:
            while True:
                await self.news.wait()
                self.news.clear()
                await self._tell_kept()
        except OSError:
            return  # the program has gone
        except Exception:
            logger.exception("A program could not be told of events")
            await self._break()

    async def _tell_kept(self) -> None:
        """Pass on the kept events that the program has not got, of the rooms that it is in."""
        while self.client is not None:
            try:
                events = await history.read_after(self.client.viewer.company_id, self.position)
            except (EventsMissed, redis.RedisError):
                await self._break()
                return
            is_last = len(events) < history.READ_AT_ONCE
            self._wait_for_reader(not is_last or self.is_behind)
            for event in events:
                if self.client is None:
                    return
                if self._hears(self.client, event):
                    name = name_for(event.event, self.client.viewer.company_id)
                    cursor = write_cursor(event.position, self.client.wishes)
                    data = event.data
                    if not self.client.viewer.sees_full_numbers:
                        data = masked_json(data).decode()
                    await self.send(f'{{"event":"{name}","data":{data},"cursor":"{cursor}"}}')
                # Not before it is written: other frames name this position meanwhile.
                self.position = event.position
            if is_last:
                self.is_behind = False
                self._wait_for_reader(False)
                return

    def _wait_for_reader(self, waits: bool) -> None:
        """Have frames wait for the reader, as far as the server can (`config.sockets`)."""
        connection = connection_of(self.scope)
        if connection is not None:
            connection.waits = waits

    @staticmethod
    def _hears(client: Client, event: KeptEvent) -> bool:
        hears = client.viewer.hears
        return not client.rooms.isdisjoint(event.rooms) and (hears is None or event.kind in hears)

    async def _judge(self) -> None:
        client = self.client
        if client is None:
            return
        verdict = await in_thread(judge_user, client.viewer, list(client.wishes))
        if verdict is None:
            self.client = None
            if client.viewer.token_id is None:
                await asyncio.sleep(SECONDS_TO_LEAVE)
            await self.close(REFUSED, "ERR_SESSION_EXPIRED")
        else:
            client.judge(*verdict)
            self._end_in_time(client.viewer)

    def _end_in_time(self, viewer: Viewer) -> None:
        """Authorize the program again when its token ends."""
        if self.ending is not None:
            self.ending.cancel()
        if viewer.ends_at is not None:
            loop = asyncio.get_running_loop()
            seconds = max(0.0, viewer.ends_at.timestamp() - time.time())
            self.ending = loop.call_later(seconds, lambda: loop.create_task(self._judge()))

    async def _break(self, spread_seconds: float = 0) -> None:
        """Make the program reconnect and get what it missed, at some moment of this time."""
        await asyncio.sleep(random.uniform(0, spread_seconds))  # noqa: S311
        self.client = None
        await self.close(CATCH_UP, "ERR_EVENTS_MISSED")

    async def _listen(self, company_id: int) -> tuple[Position, Position]:
        return await history.listen(company_id, now_ms=int(time.time() * 1000))

    async def _renew(self, company_id: int) -> None:
        """Have the company's events kept as long as the program is connected."""
        while True:
            await asyncio.sleep(history.RENEWED_SECONDS)
            try:
                _, last = await self._listen(company_id)
            except redis.RedisError:
                continue
            await self._judge()  # the news of an end may have been lost
            if (last.run, last.epoch) != (self.position.run, self.position.epoch):
                await self._break()
                return

    def _is_meant(self, message: dict[str, Any]) -> bool:
        viewer = self.client.viewer if self.client else None
        if viewer is None:
            return False
        named = [
            message[key] == own
            for key, own in (
                ("user", viewer.pk),
                ("company", viewer.company_id),
                ("token", viewer.token_id),
            )
            if message.get(key)
        ]
        return any(named) or not named


def _judged(
    handshake: Handshake, refusal: tuple[int, str]
) -> tuple[Viewer | None, tuple[int, str]]:
    """Return who connects, or None with the close code and reason."""
    try:
        return identify_program(handshake), refusal
    except Throttled:
        return None, (TOO_MANY, "ERR_TOO_MANY_REQUESTS")
    except DomainError as error:
        return None, (WITHOUT_SCOPE if error.status == 403 else REFUSED, error.code)


def write_cursor(position: Position, wishes: Any) -> str:
    """Return the text of a position and of a client's requests to join, safe in a query."""
    joins = (f"{KIND_OF[event]}:{quote(argument, safe='')}" for event, argument in wishes)
    return ".".join((str(position), *joins))


def read_cursor(text: str) -> tuple[Position | None, list[Wish]]:
    """Return the position and the requests to join of a cursor; whatever it names is checked."""
    place, *joins = text.split(".")
    wishes = [
        (JOINS[kind], unquote(argument))
        for kind, _, argument in (join.partition(":") for join in joins)
        if kind in JOINS
    ]
    return Position.read(place), wishes
