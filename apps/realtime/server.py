"""The Socket.IO server (rules/realtime §1)."""

import asyncio
import logging
import random
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any
from urllib.parse import parse_qs

import orjson
from django.conf import settings
from django.http.cookie import parse_cookie
from django.utils.module_loading import autodiscover_modules
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from socketio import AsyncNamespace, AsyncServer
from socketio.exceptions import ConnectionRefusedError as Refused

from apps.common.callers import is_own_origin
from apps.common.metrics import gauges
from apps.common.renderers import to_json
from apps.realtime.attendance import attendance
from apps.realtime.backplane import PROGRAMS, SERVERS, catch_up_message
from apps.realtime.frames import Connections
from apps.realtime.limits import SocketLimits, slot_of
from apps.realtime.manager import NAMESPACES, EventManager
from apps.realtime.queues import BoundedQueue
from apps.realtime.sockets import Client, Handshake, Viewer, identify, in_thread, judge_user
from apps.realtime.subscription import Subscription
from apps.realtime.tidying import Tidying
from apps.realtime.visits import visits

logger = logging.getLogger(__name__)

# The `auth` event makes a browser sign out; it reloads the page a second later (rules/realtime §1).
SECONDS_TO_LEAVE = 5.0
# Clients that must reload reconnect spread over this time.
CATCH_UP_SPREAD_SECONDS = 2.0
# With the other time-outs a socket waits less than two seconds for a Redis that hangs.
LISTENING_WAIT_SECONDS = 1.0
MAX_PACKET_BYTES = 100_000


class WireJson:
    """orjson with the interface of the standard library's `json`."""

    @staticmethod
    def dumps(data: Any, **options: Any) -> str:
        return to_json(data).decode()

    @staticmethod
    def loads(text: str | bytes, **options: Any) -> Any:
        """Return the data of a JSON text; raises ValueError."""
        return orjson.loads(text)


def is_allowed_origin(origin: str | None, host: str) -> bool:
    """Tell whether pages of an origin may connect: our own and the operator's list.

    Programs send none. This keeps foreign pages from riding on a browser's refresh cookie.
    """
    if not origin:
        return True
    return origin in settings.CORS_ALLOWED_ORIGINS or is_own_origin(origin, host)


def handshake_of(query: str, cookie_header: str, token: str = "") -> Handshake:
    """Read a connection's query and cookies; `token` is what came by other ways."""
    values = {
        name: texts[0]
        for name, texts in parse_qs(query).items()
        if texts[0] not in {"undefined", "null"}
    }
    return Handshake(
        token=(token or values.get("token", "")).removeprefix("Bearer ").strip(),
        # Parsed as for HTTP calls: the standard library drops all cookies if one is malformed.
        cookies=parse_cookie(cookie_header),
        company_id=values.get("companyId", ""),
        user_id=values.get("userId", ""),
    )


class Sockets(AsyncNamespace):
    def __init__(self, namespace: str) -> None:
        super().__init__(namespace)
        self.clients: dict[str, Client] = {}

    async def trigger_event(self, event: str, *args: Any) -> Any:
        """Handle an event of a socket from python-socketio.

        A client may itself emit events named `connect` and `disconnect`; these change nothing.
        """
        sid, *rest = args
        if manager.is_pre_connected(sid, self.namespace):
            await self.let_in(sid, *rest)
        elif not manager.is_connected(sid, self.namespace):
            self.clients.pop(sid, None)
            visits.forget(sid)
            attendance.forget(sid)
            limits.sign_out(sid)
        elif sid in self.clients:
            client = self.clients[sid]
            try:
                joined = await client.hear(event, rest)
            except Exception:
                logger.exception("A socket could not be put into the rooms that it asked for")
                in_background(break_transport(manager.eio_sid_from_sid(sid, self.namespace)))
                return None
            await self.put_in_rooms(sid)
            # The answer to a join: for how many milliseconds its rooms had no event.
            if joined:
                return manager.quiet.milliseconds(joined, heard_since=subscription.heard_since)
        return None

    async def let_in(self, sid: str, environ: dict[str, Any], auth: Any) -> None:
        """Admit a socket to its company's and user's rooms, or refuse it."""
        token = auth.get("token") if isinstance(auth, dict) else None
        handshake = handshake_of(
            environ.get("QUERY_STRING", ""),
            environ.get("HTTP_COOKIE", ""),
            token if isinstance(token, str) else "",
        )
        slot = slot_of(environ["asgi.scope"])
        try:
            with slot.judging() if slot else nullcontext():
                viewer = await in_thread(identify, handshake)
        except Exception:
            logger.exception("A socket could not be identified")
            # A refusal is final for the client; after a broken transport it retries.
            in_background(break_transport(manager.eio_sid_from_sid(sid, self.namespace)))
            raise Refused("ERR_UNAVAILABLE") from None
        if viewer is None:
            raise Refused("ERR_SESSION_EXPIRED")
        limits.sign_in(slot, sid)
        await start_listening()
        self.clients[sid] = Client(viewer)
        attendance.note(sid, viewer)
        await self.put_in_rooms(sid)
        in_background(manager.tell_ready(self.namespace, sid))

    async def put_in_rooms(self, sid: str) -> None:
        """Join and leave rooms until the socket is in those that it may be in."""
        client = self.clients.get(sid)
        if client is None:
            return
        wanted, present = client.parts, set(self.rooms(sid)) - {sid}
        for room in present - wanted:
            await self.leave_room(sid, room)
        for room in wanted - present:
            await self.enter_room(sid, room)
        if sid in self.clients:
            visits.note(sid, client)

    def of(self, *, company_id: int | None, user_id: int | None) -> list[str]:
        """Return the sockets of a user, or of a company."""
        return [
            sid
            for sid, client in self.clients.items()
            if client.viewer.pk == user_id or client.viewer.company_id == company_id
        ]

    async def judge(self, viewer: Viewer, sids: list[str]) -> None:
        """Authorize a user's sockets again: change their rooms, or close them if the session is
        refused.
        """
        clients = [self.clients[sid] for sid in sids if sid in self.clients]
        wishes = {wish for client in clients for wish in client.wishes}
        verdict = await in_thread(judge_user, viewer, wishes)
        for sid in sids:
            client = self.clients.get(sid)
            if client is None:
                continue
            if verdict is None:
                # it receives no new event, but may still read those that were sent
                del self.clients[sid]
                visits.forget(sid)
                attendance.forget(sid)
                for room in set(self.rooms(sid)) - {sid}:
                    await self.leave_room(sid, room)
                in_background(self._cut(sid))
            else:
                client.judge(*verdict)
                await self.put_in_rooms(sid)

    async def _cut(self, sid: str) -> None:
        await asyncio.sleep(SECONDS_TO_LEAVE)
        await self.disconnect(sid)

    async def catch_up(self, sids: list[str]) -> None:
        """Break connections so that the clients reconnect by themselves and reload.

        Only the transport is closed: a Socket.IO disconnect by the server is final for most
        clients.
        """
        for sid in sids:
            engine_sid = manager.eio_sid_from_sid(sid, self.namespace)
            if engine_sid is not None:
                in_background(break_later(engine_sid, CATCH_UP_SPREAD_SECONDS))


def listen_early() -> None:
    """Begin to subscribe this process before it has a socket.

    The first browser whose page began after that is then told for how long its rooms were quiet.
    """
    in_background(subscription.begin(LISTENING_WAIT_SECONDS))


async def start_listening() -> None:
    """Subscribe this process before its first socket is told that it is admitted."""
    visits.start()
    attendance.start()
    # Clients that are admitted unsubscribed reload when Redis is back.
    await subscription.begin(LISTENING_WAIT_SECONDS)


def leave_spread(seconds: float) -> None:
    """Have every client of this process connect anew, to others, spread over this time."""
    for engine_sid in server.eio.sockets:
        in_background(break_later(engine_sid, seconds))
    in_background(subscription.tell(PROGRAMS, {**catch_up_message(), "spread": seconds}))


async def break_later(engine_sid: str, spread_seconds: float) -> None:
    """Close a client's connection at some moment of this time."""
    await asyncio.sleep(random.uniform(0, spread_seconds))  # noqa: S311
    await break_transport(engine_sid)


async def break_transport(engine_sid: str) -> None:
    """Close a client's connection as a network fault would."""
    socket = server.eio.sockets.get(engine_sid)
    if socket is None:
        return
    if socket.upgraded:
        await socket.queue.put(None)  # ends the writer, which closes the websocket
    else:
        await server.eio.disconnect(engine_sid)  # the answer to the poll tells the client


def give_up(queue: BoundedQueue) -> None:
    """Close a client whose queue is full; it reconnects and reloads."""
    for socket in server.eio.sockets.values():
        if socket.queue is queue:
            in_background(_give_up(socket))
            return


async def _give_up(socket: Any) -> None:
    socket.queue.drop()
    if socket.upgraded:
        await break_transport(socket.sid)
    else:
        await _forget(socket)


async def _forget(socket: Any) -> None:
    # The client is not told: one that does not poll would not receive it, and one that polls finds
    # its session gone.
    await socket.close(wait=False, abort=True, reason=server.eio.reason.TRANSPORT_ERROR)
    server.eio.sockets.pop(socket.sid, None)


def close_engine(engine_sid: str) -> None:
    """Close the Engine.IO session of a client that did not sign in."""
    socket = server.eio.sockets.get(engine_sid)
    if socket is not None:
        # Cancelling the call is not enough: the handler of a message swallows the cancellation.
        in_background(break_transport(engine_sid) if socket.upgraded else _forget(socket))


_background: set[asyncio.Task[None]] = set()


def in_background(coroutine: Any) -> None:
    """Run a coroutine without waiting for it."""
    task = asyncio.ensure_future(coroutine)
    _background.add(task)
    task.add_done_callback(_background.discard)


async def on_gap() -> None:
    """Have all clients of this process reload: it was cut off from the others."""
    for group in (SERVERS, PROGRAMS):
        await subscription.tell(group, catch_up_message())


async def on_message(message: dict[str, Any]) -> None:
    """Handle an event or a control message of another process."""
    if message["type"] == "realtime.event":
        await manager.emit_message(message)
        return
    for sockets in namespaces:
        if message["type"] == "realtime.catch_up" and message["company"] is None:
            await sockets.catch_up(list(sockets.clients))
            continue
        sids = sockets.of(company_id=message["company"], user_id=message.get("user"))
        if message["type"] == "realtime.catch_up":
            await sockets.catch_up(sids)
        elif message["type"] == "realtime.recheck":
            by_user: dict[int, list[str]] = {}
            for sid in sids:
                by_user.setdefault(sockets.clients[sid].viewer.pk, []).append(sid)
            for group in by_user.values():
                in_background(sockets.judge(sockets.clients[group[0]].viewer, group))


def _in_one_line(record: logging.LogRecord) -> bool:
    # Tracebacks in this logger come from malformed packets.
    record.exc_info = record.exc_text = None
    return True


_library_logger = logging.getLogger("apps.realtime.library")
_library_logger.setLevel(logging.ERROR)
_library_logger.addFilter(_in_one_line)

connections = Connections()
manager = EventManager(connections)
subscription = Subscription(on_gap)
subscription.listen(SERVERS, on_message)
server = AsyncServer(
    async_mode="asgi",
    client_manager=manager,
    json=WireJson,
    logger=_library_logger,
    engineio_logger=_library_logger,
    # One socket's events are handled in the order in which it sent them.
    async_handlers=False,
    ping_interval=settings.SOCKET_PING_SECONDS,
    ping_timeout=settings.SOCKET_PING_SECONDS,
    max_http_buffer_size=MAX_PACKET_BYTES,
    cors_allowed_origins=lambda origin, environ: is_allowed_origin(
        origin, environ.get("HTTP_HOST", "")
    ),
)
server.eio.create_queue = lambda: BoundedQueue(give_up)
limits = SocketLimits(close_engine)
tidying = Tidying()


class OpenSockets(Collector):
    """Counts this process's sockets when it is scraped."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the sockets that are open and those with a user."""
        family = GaugeMetricFamily("balcao_sockets", "Sockets of a process", labels=["state"])
        for state, count in limits.counts.items():
            family.add_metric([state], count)
        yield family


gauges.register(OpenSockets())
_on_engine_connect, _on_engine_disconnect = (
    server.eio.handlers[event] for event in ("connect", "disconnect")
)


@server.eio.on("connect")  # type: ignore[untyped-decorator]
async def on_engine_connect(engine_sid: str, environ: dict[str, Any]) -> None:
    """Count an Engine.IO session and pass it to Socket.IO."""
    limits.begin_engine(slot_of(environ["asgi.scope"]), engine_sid)
    connections.note(engine_sid, environ["asgi.scope"])
    await _on_engine_connect(engine_sid, environ)


@server.eio.on("disconnect")  # type: ignore[untyped-decorator]
async def on_engine_disconnect(engine_sid: str, reason: str) -> None:
    """Tell Socket.IO that an Engine.IO session ended, and stop counting it."""
    await _on_engine_disconnect(engine_sid, reason)
    limits.end_engine(engine_sid)
    tidying.note_end()


namespaces = [Sockets(name) for name in NAMESPACES]
for each in namespaces:
    server.register_namespace(each)
autodiscover_modules("consumers")
