"""Events on the wire of a real server, without the processes around it."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
import uvicorn
from socketio import ASGIApp, AsyncServer
from websockets.asyncio.client import connect

from apps.realtime.frames import Connections
from apps.realtime.manager import EventManager
from apps.realtime.queues import BoundedQueue
from config.sockets import BoundedSockets

ROOM = "company-1"
EVENT = {"event": "company-1-ticket", "data": '{"name":"José"}', "rooms": [ROOM]}
ON_WIRE = '42["company-1-ticket",{"name":"José"}]'


class Served:
    """A Socket.IO server on a port, which counts the packets that it queues."""

    def __init__(self) -> None:
        self.queued = 0
        self.connections = Connections()
        self.manager = EventManager(self.connections)
        self.server: Any = AsyncServer(
            async_mode="asgi", client_manager=self.manager, namespaces="*"
        )
        self.server.eio.create_queue = lambda: BoundedQueue(lambda queue: None)
        send = self.server.eio.send_packet

        async def counted(*args: Any) -> None:
            self.queued += 1
            await send(*args)

        self.server.eio.send_packet = counted
        self.server.on("connect", self._enter)

    async def _enter(self, sid: str, environ: Any, auth: Any = None) -> None:
        engine_sid = self.manager.eio_sid_from_sid(sid, "/")
        self.connections.note(engine_sid, environ["asgi.scope"])
        await self.server.enter_room(sid, ROOM)

    async def emit(self, **values: Any) -> None:
        self.queued = 0
        await self.manager.emit_message({**EVENT, **values})


@asynccontextmanager
async def serving(ws: Any = BoundedSockets) -> AsyncIterator[tuple[Served, int]]:
    """Serve until the end of the block."""
    served = Served()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            served.connections.noting_upgrades(ASGIApp(served.server)),
            ws=ws,
            ws_per_message_deflate=False,
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        # The thread of the test is the server's own.
        running = asyncio.create_task(server.serve([listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield served, listening.getsockname()[1]
        finally:
            server.should_exit = True
            with suppress(asyncio.CancelledError):
                await running


@asynccontextmanager
async def client_of(port: int) -> AsyncIterator[Any]:
    """Return a WebSocket that Socket.IO has let in."""
    address = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
    async with asyncio.timeout(20), connect(address, compression=None) as client:
        assert (await client.recv()).startswith("0{")  # type: ignore[arg-type]
        await client.send("40")
        assert (await client.recv()).startswith("40")  # type: ignore[arg-type]
        yield client


def test_an_event_reaches_websockets_as_one_frame_and_waits_in_no_queue() -> None:
    async def scene() -> None:
        async with serving() as (served, port), client_of(port) as one, client_of(port) as two:
            await served.emit()
            assert served.queued == 0
            assert [await one.recv(), await two.recv()] == [ON_WIRE, ON_WIRE]
            long = "é" * 70_000  # a length of three forms: 7, 16 and 64 bits
            for text in ("", "x" * 500, long):
                await served.emit(data=f'"{text}"')
                assert await one.recv() == f'42["company-1-ticket","{text}"]'
            assert served.queued == 0

    asyncio.run(scene())


def test_what_was_queued_before_an_event_arrives_before_it() -> None:
    async def scene() -> None:
        async with serving() as (served, port), client_of(port) as client:
            for turn in range(20):
                (engine_sid,) = served.server.eio.sockets
                await served.server.eio.send(engine_sid, f'2["queued",{turn}]')
                await served.emit(data=f"{turn}")  # before the queue's writer has run
                assert served.queued == 1
                assert await client.recv() == f'42["queued",{turn}]'
                assert await client.recv() == f'42["company-1-ticket",{turn}]'
                await asyncio.sleep(0)
                await served.emit()
                assert await client.recv() == ON_WIRE

    asyncio.run(scene())


def test_a_browser_that_polls_hears_events_and_keeps_their_order_over_the_upgrade() -> None:
    async def scene() -> None:
        async with serving() as (served, port), asyncio.timeout(20):
            path = f"http://127.0.0.1:{port}/socket.io/?EIO=4&transport=polling"
            async with httpx.AsyncClient() as http:
                opened = await http.get(path)
                sid = opened.text.split('"sid":"')[1].split('"')[0]
                await http.post(f"{path}&sid={sid}", content="40")
                assert (await http.get(f"{path}&sid={sid}")).text.startswith("40")
                await served.emit(data="1")
                assert served.queued == 1
                assert (await http.get(f"{path}&sid={sid}")).text == '42["company-1-ticket",1]'
                place = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket&sid={sid}"
                poll = asyncio.create_task(http.get(f"{path}&sid={sid}"))
                async with connect(place, compression=None) as client:
                    await client.send("2probe")
                    assert await client.recv() == "3probe"
                    assert (await poll).text == "6"
                    await served.emit(data="2")  # waits for the browser's word
                    assert served.queued == 1
                    await client.send("5")
                    answer = await client.recv()
                    while answer == "6":  # the probe may have come before the poll
                        answer = await client.recv()
                    assert answer == '42["company-1-ticket",2]'
                    await served.emit(data="3")
                    assert served.queued == 0
                    assert await client.recv() == '42["company-1-ticket",3]'

    asyncio.run(scene())


@pytest.mark.parametrize("ws", [BoundedSockets, "websockets-sansio", "wsproto"])
def test_a_client_that_left_harms_nobody_whatever_serves(ws: Any) -> None:
    async def scene() -> None:
        async with serving(ws) as (served, port), client_of(port) as stays:
            async with client_of(port) as goes:
                goes.transport.abort()
            await served.emit()
            assert await stays.recv() == ON_WIRE

    asyncio.run(scene())
