"""How a process leaves without a failed request (rules/wire §10).

It stops listening first, so that a proxy takes the next server before it has sent anything. Who is
connected is served for some seconds more, with `Connection: close`; meanwhile its sockets are told
to connect elsewhere.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

# The key of the application's function in the lifespan's state: it takes the seconds over which
# clients are to be spread.
LEAVE = "balcao.leave"
CLOSE = (b"connection", b"close")
LOOK_SECONDS = 0.1


async def drain(server: uvicorn.Server, listeners: list[socket.socket], seconds: float) -> None:
    """Serve those who are connected until they have gone, but no longer than this."""
    loop = asyncio.get_running_loop()
    waiting = [client for listener in listeners for client in _accepted(listener)]
    for each in server.servers:
        each.close()
    for client in waiting:
        await loop.connect_accepted_socket(lambda: _protocol(server), client)
    server.config.encoded_headers.append(CLOSE)
    leave: Callable[[float], None] | None = server.lifespan.state.get(LEAVE)
    if leave is not None:
        # The last of them still needs time to go.
        leave(seconds * 0.8)
    last = loop.time() + seconds
    while server.server_state.connections and loop.time() < last and not server.force_exit:
        await server.on_tick(0)
        await asyncio.sleep(LOOK_SECONDS)


def _accepted(listener: socket.socket) -> list[socket.socket]:
    """Accept who is connected already; the end of the listener would reset these connections."""
    clients = []
    with suppress(BlockingIOError):
        while True:
            clients.append(listener.accept()[0])
    return clients


def _protocol(server: uvicorn.Server) -> asyncio.Protocol:
    protocol: asyncio.Protocol = server.config.http_protocol_class(  # type: ignore[call-arg]
        config=server.config,
        server_state=server.server_state,
        app_state=server.lifespan.state,
    )
    return protocol
