"""The Socket.IO client manager: writes what processes publish to the sockets of this one."""

from typing import Any

from engineio.packet import MESSAGE
from engineio.packet import Packet as EnginePacket
from socketio import AsyncManager

from apps.realtime.backplane import ANY_COMPANY, name_for
from apps.realtime.frames import Connections, frame_of
from apps.realtime.rooms import company_of_room

# A browser whose backend address ends in /api opens the namespace of that name.
NAMESPACES = ("/", "/api")


class EventManager(AsyncManager):
    """Emits each event as the JSON text that it received."""

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self.connections = connections

    async def emit_message(self, message: dict[str, Any]) -> None:
        """Emit an event (`apps.realtime.backplane.event_message`) to this process's sockets."""
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
        engine = self.server.eio
        for _, engine_sid in self.get_participants(namespace, rooms):
            if not self.connections.write(engine.sockets.get(engine_sid), frame):
                await engine.send_packet(engine_sid, packet)
