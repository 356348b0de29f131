"""Encodes an event once as a WebSocket frame and writes it to each socket. python-socketio passes
each packet through a queue, a task and three encoding layers for every socket, which was nine
tenths of the CPU of an event to 1,000 sockets.
"""

from typing import Any

from engineio.async_drivers.asgi import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN


class FrameSocket(WebSocket):
    """Engine.IO's WebSocket, whose connection `write_frame` may use."""

    async def __call__(self, environ: dict[str, Any]) -> Any:
        """Serve the connection; under a server other than uvicorn frames are not used."""
        protocol = getattr(environ["asgi.send"], "__self__", None)
        if isinstance(protocol, WebSocketsSansIOProtocol) and not protocol.conn.extensions:
            self.handler.__self__.connection = protocol
        return await super().__call__(environ)


def lend_connections(server: Any) -> None:
    """Make a Socket.IO server use FrameSocket for its WebSockets."""
    server.eio._async = {**server.eio._async, "websocket": FrameSocket}


def frame_of(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def write_frame(socket: Any, frame: bytes) -> bool:
    """Write a frame to an Engine.IO socket; return False if packets are queued before it, or if it
    cannot.

    Queued packets go first: a packet counts as unfinished until the writer task has sent it.
    """
    connection = getattr(socket, "connection", None)
    if connection is None or not socket.upgraded or socket.closing or socket.closed:
        return False
    if socket.queue._unfinished_tasks or connection.transport.is_closing():
        return False
    if connection.conn.state is not OPEN:
        return False
    connection.transport.write(frame)
    return True
