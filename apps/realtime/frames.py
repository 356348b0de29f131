"""Encodes an event once as a WebSocket frame and writes it to each socket. python-socketio passes
each packet through a queue, a task and three encoding layers for every socket, which was nine
tenths of the CPU of an event to 1,000 sockets.
"""

from typing import Any
from urllib.parse import parse_qs
from weakref import WeakValueDictionary

from websockets.frames import Frame, Opcode

# The server's side of a WebSocket among the extensions of its ASGI scope (`config.sockets`).
CONNECTION = "balcao.connection"


def connection_of(scope: Any) -> Any:
    """Return the server's side of a WebSocket; None under a server other than ours."""
    return scope.get("extensions", {}).get(CONNECTION)


def frame_of(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


class Connections:
    """The WebSockets of Engine.IO's sessions, as far as the server lends them."""

    def __init__(self) -> None:
        self._of_session: WeakValueDictionary[str, Any] = WeakValueDictionary()

    def note(self, engine_sid: str, scope: Any) -> None:
        """Note the WebSocket that a session was opened by, or is upgraded to."""
        connection = connection_of(scope)
        if connection is not None:
            self._of_session[engine_sid] = connection

    def noting_upgrades(self, app: Any) -> Any:
        """Return Engine.IO's ASGI application, whose calls of open sessions are noted."""

        async def noted(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "websocket":
                query = parse_qs(scope["query_string"].decode("utf-8", "replace"))
                for engine_sid in query.get("sid", ())[:1]:
                    self.note(engine_sid, scope)
            await app(scope, receive, send)

        return noted

    def write(self, socket: Any, frame: bytes) -> bool:
        """Write a frame to an Engine.IO socket, whose queue is a `BoundedQueue`; return False if
        packets are queued before it, or if it cannot.
        """
        if socket is None or not socket.upgraded or socket.closing or socket.closed:
            return False
        connection = self._of_session.get(socket.sid)
        if connection is None or socket.queue.unfinished:
            return False
        is_written: bool = connection.write_frame(frame)
        return is_written
