"""The Socket.IO client manager: writes what processes publish to the sockets of this one."""

import time
from collections.abc import Iterable
from typing import Any

from engineio.packet import MESSAGE
from engineio.packet import Packet as EnginePacket
from socketio import AsyncManager

from apps.common.masking import masked_json
from apps.realtime.backplane import ANY_COMPANY, name_for
from apps.realtime.frames import Connections, frame_of
from apps.realtime.rooms import company_of_room, company_room, masked_room

# A browser whose backend address ends in /api opens the namespace of that name.
NAMESPACES = ("/", "/api")
# How far back this process knows when a room had its last event.
REMEMBERED_SECONDS = 60.0


class QuietRooms:
    """When rooms had their last event, also those that no socket of this process is in.

    A client that joins a room learns from it whether it may have missed an event.
    """

    def __init__(self) -> None:
        # The latest event is at the end.
        self._spoke_at: dict[str, float] = {}

    def note(self, rooms: Iterable[str]) -> None:
        """Remember that rooms, at least one, have an event now."""
        now = time.monotonic()
        for room in rooms:
            self._spoke_at.pop(room, None)
            self._spoke_at[room] = now
        while self._spoke_at[room := next(iter(self._spoke_at))] < now - REMEMBERED_SECONDS:
            del self._spoke_at[room]

    def milliseconds(self, rooms: Iterable[str], *, heard_since: float | None) -> int:
        """Return for how long rooms had no event, as far as this process knows: it has heard the
        others since `heard_since` (a monotonic time; None: not now), and remembers a minute.
        """
        now = time.monotonic()
        if heard_since is None:
            return 0
        spoke_at = [self._spoke_at.get(room, 0.0) for room in rooms]
        return int((now - max([heard_since, now - REMEMBERED_SECONDS, *spoke_at])) * 1000)


class EventManager(AsyncManager):
    """Emits each event as the JSON text that it received, and masked to those who need that."""

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self.connections = connections
        self.quiet = QuietRooms()

    async def emit_message(self, message: dict[str, Any]) -> None:
        """Emit an event (`apps.realtime.backplane.event_message`) to this process's sockets."""
        event, data = message["event"], message["data"]
        self.quiet.note(message["rooms"])
        for namespace in NAMESPACES:
            if ANY_COMPANY not in event:
                await self._write(namespace, event, data, message["rooms"])
                continue
            found = {company_of_room(room) for room in self.rooms.get(namespace, ())}
            for company_id in filter(None, found):
                room = company_room(company_id)
                await self._write(namespace, name_for(event, company_id), data, [room])

    async def tell_ready(self, namespace: str, sid: str) -> None:
        """Tell a socket that it was admitted: pages of older browsers join no room before that."""
        await self._write(namespace, "ready", "null", [sid])

    async def _write(self, namespace: str, event: str, data: str, rooms: list[str]) -> None:
        await self._send(namespace, event, data, rooms)
        present = self.rooms.get(namespace, ())
        hiding = [part for room in rooms if (part := masked_room(room)) in present]
        if hiding:
            await self._send(namespace, event, masked_json(data).decode(), hiding)

    async def _send(self, namespace: str, event: str, data: str, rooms: list[str]) -> None:
        # One packet for all sockets of a namespace, encoded once, without a task per socket.
        prefix = "2" if namespace == "/" else f"2{namespace},"
        packet = EnginePacket(MESSAGE, f'{prefix}["{event}",{data}]')
        frame = frame_of(packet.encode())
        engine = self.server.eio
        for _, engine_sid in self.get_participants(namespace, rooms):
            if not self.connections.write(engine.sockets.get(engine_sid), frame):
                await engine.send_packet(engine_sid, packet)
