"""HTTP and sockets in one process: Socket.IO, plain WebSockets, and Django for everything else.

Django runs as WSGI in a fixed number of threads: its own ASGI handler costs twice the CPU and
leaves persistent database connections behind.
"""

import asyncio
import gc
import os
from functools import partial
from typing import Any

from channels.routing import URLRouter
from django.urls import get_resolver, re_path
from socketio import ASGIApp

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.wsgi import application as wsgi_application

HTTP_THREADS = int(os.environ.get("WEB_THREADS") or "8")

from apps.common import health  # noqa: E402  needs the apps loaded
from apps.common.heartbeat import end_in_order, start_heartbeat  # noqa: E402
from apps.common.presence import stay_connected  # noqa: E402
from apps.realtime.programs import ProgramConsumer  # noqa: E402
from apps.realtime.server import (  # noqa: E402
    MAX_PACKET_BYTES,
    connections,
    leave_spread,
    limits,
    listen_early,
    server,
)
from config.bodies import admit, most_bytes_at  # noqa: E402
from config.bridge import WsgiBridge  # noqa: E402
from config.draining import LEAVE  # noqa: E402
from config.heads import bounded  # noqa: E402


def is_socket_io(path: str) -> bool:
    """Tell whether an address is Socket.IO's."""
    return path == "/socket.io" or path.startswith("/socket.io/")


def most_bytes(path: str, content_type: str) -> int:
    """Return the most bytes of a body that an address accepts."""
    return MAX_PACKET_BYTES if is_socket_io(path) else most_bytes_at(path, content_type)


http = WsgiBridge(
    wsgi_application,
    threads=HTTP_THREADS,
    most_bytes=most_bytes,
    admit=admit,
)
socket_io = ASGIApp(server, socketio_path=None)
engine = limits.bound(connections.noting_upgrades(socket_io), is_engine=True)
websockets = limits.bound(URLRouter([re_path(r"^ws/events/?$", ProgramConsumer.as_asgi())]))

# The loaded modules live as long as the process. Without `freeze` the garbage collector scans them
# whenever many clients come and go, which blocked all answers for 0.2 s.
get_resolver().url_patterns  # noqa: B018  loads every view, which the first request would do
gc.collect()
gc.freeze()


def start() -> None:
    """Prepare a process that serves sockets, before it serves."""
    stay_connected()
    listen_early()


def leave(seconds: float) -> None:
    """Say that this process is not ready any more, and have its sockets connect elsewhere."""
    health.note_leaving()
    leave_spread(seconds)


# Production's HTTP hears no event: sockets go to the other process. So browsers do not notice when
# it dies.
lives = ASGIApp(server, on_startup=start)
web_lives = ASGIApp(
    server, on_startup=start_heartbeat, on_shutdown=partial(asyncio.to_thread, end_in_order)
)


async def live(app: Any, scope: Any, receive: Any, send: Any) -> None:
    """Begin and end with the server, which is given what it calls when it drains."""
    scope.get("state", {})[LEAVE] = leave
    await app(scope, receive, send)


@bounded
async def application(scope: Any, receive: Any, send: Any) -> None:
    """Route a connection by its path (rules/wire §5)."""
    path = scope.get("path", "")
    if is_socket_io(path) and scope["type"] == "http":
        await http.lend_body(engine, scope, receive, send)
    elif scope["type"] == "lifespan":
        await live(lives, scope, receive, send)
    elif is_socket_io(path):
        await engine(scope, receive, send)
    elif scope["type"] == "http":
        # WSGI writes X_Forwarded_For as it writes X-Forwarded-For, which a proxy fills in.
        scope["headers"] = [each for each in scope["headers"] if b"_" not in each[0]]
        await http(scope, receive, send)
    elif path.rstrip("/") == "/ws/events":
        await websockets(scope, receive, send)
    else:
        await send({"type": "websocket.close"})


async def web_application(scope: Any, receive: Any, send: Any) -> None:
    """Serve the same; hear of events only once a socket has come."""
    if scope["type"] == "lifespan":
        await live(web_lives, scope, receive, send)
    else:
        await application(scope, receive, send)
