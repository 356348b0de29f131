"""The Socket.IO client manager: what other processes publish reaches the sockets of this one."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from channels.layers import get_channel_layer
from engineio.packet import MESSAGE
from engineio.packet import Packet as EnginePacket
from socketio.async_pubsub_manager import AsyncPubSubManager

from apps.realtime.backplane import ANY_COMPANY, SERVERS, name_for
from apps.realtime.frames import frame_of, write_frame
from apps.realtime.rooms import company_of_room

logger = logging.getLogger(__name__)

# A browser whose backend address ends in /api opens the namespace of that name.
NAMESPACES = ("/", "/api")
RETRY_SECONDS = 1.0


class LayerManager(AsyncPubSubManager):
    """Receives from the Channels layer and emits each event as the JSON text that it received.

    `on_control` is awaited for every other message, and with None when the layer is back after an
    outage: messages of the outage are lost.
    """

    name = "channels"

    def __init__(self, on_control: Callable[[dict[str, Any] | None], Awaitable[None]]) -> None:
        super().__init__(channel=SERVERS)
        self.on_control = on_control
        self.listening = asyncio.Event()
        self._is_late = False

    async def wait_until_listening(self, seconds: float) -> None:
        """Wait until this process is subscribed; without Redis, no longer than this.

        Clients that are admitted unsubscribed reload when Redis is back.
        """
        try:
            await asyncio.wait_for(self.listening.wait(), seconds)
        except TimeoutError:
            self._is_late = True

    async def _publish(self, data: dict[str, Any]) -> None:
        """No message is addressed to a single socket of another process."""

    async def _listen(self) -> AsyncIterator[dict[str, Any]]:
        layer: Any = get_channel_layer()
        channel = await self._subscribe(layer)
        while True:
            message = await layer.receive(channel)
            if message["type"] == "realtime.event":
                yield {"method": "emit", **message}
            else:
                await self.on_control(message)

    async def _subscribe(self, layer: Any) -> str:
        while True:
            try:
                channel: str = await layer.new_channel()
                await layer.group_add(self.channel, channel)
                break
            except OSError as error:
                logger.warning("Sockets wait for Redis: %s", error)
                await layer.flush()
                self._is_late = True
                await asyncio.sleep(RETRY_SECONDS)
        # channels-redis subscribes again by itself, without a notice.
        for shard in layer._get_layer()._shards:
            if shard._pubsub is not None and shard._pubsub.connection is not None:
                shard._pubsub.connection.register_connect_callback(self._came_back)
        self.listening.set()
        if self._is_late:
            await self.on_control(None)
        return channel

    async def _came_back(self, connection: Any) -> None:
        logger.info("Redis is back: clients are made to connect anew")
        await self.on_control(None)

    async def _handle_emit(self, message: dict[str, Any]) -> None:
        event, data = message["event"], message["data"]
        for namespace in NAMESPACES:
            if ANY_COMPANY not in event:
                await self._write(namespace, event, data, message["rooms"])
                continue
            for room in list(self.rooms.get(namespace, ())):
                if company_id := company_of_room(room):
                    await self._write(namespace, name_for(event, company_id), data, [room])

    async def tell_ready(self, namespace: str, sid: str) -> None:
        """Tell a socket that it was admitted: pages of older browsers join no room before that."""
        await self._write(namespace, "ready", "null", [sid])

    async def _write(self, namespace: str, event: str, data: str, rooms: list[str]) -> None:
        # One packet for all sockets of a namespace, encoded once, without a task per socket.
        prefix = "2" if namespace == "/" else f"2{namespace},"
        packet = EnginePacket(MESSAGE, f'{prefix}["{event}",{data}]')
        frame = frame_of(packet.encode())
        for _, engine_sid in self.get_participants(namespace, rooms):
            if not write_frame(self.server.eio.sockets.get(engine_sid), frame):
                await self.server._send_eio_packet(engine_sid, packet)
