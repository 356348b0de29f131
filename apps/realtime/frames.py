"""An event as one ready WebSocket frame, written to each socket as it is.

The libraries' own way leads each packet through a queue, a task and three layers that wrap it, for
every socket anew: nine tenths of what an event to 1,000 sockets cost.
"""

from typing import Any

from engineio.async_drivers.asgi import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN


class FrameSocket(WebSocket):
    """Engine.IO's WebSocket, which lends its connection to `write_frame`."""

    async def __call__(self, environ: dict[str, Any]) -> Any:
        """Serve the connection; any other server's is served without frames."""
        protocol = getattr(environ["asgi.send"], "__self__", None)
        if isinstance(protocol, WebSocketsSansIOProtocol) and not protocol.conn.extensions:
            self.handler.__self__.connection = protocol
        return await super().__call__(environ)


def lend_connections(server: Any) -> None:
    """Have a Socket.IO server's WebSockets lend their connections."""
    server.eio._async = {**server.eio._async, "websocket": FrameSocket}


def frame_of(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def write_frame(socket: Any, frame: bytes) -> bool:
    """Write a frame to an Engine.IO socket; False when it must wait behind others, or cannot.

    What was queued before goes first: a packet counts as unfinished until its writer, which then
    waits for nothing, takes it out.
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
