"""`/ws/events/`: the same events over a plain WebSocket, for programs without Socket.IO."""

import asyncio
from contextlib import nullcontext
from typing import Any

import orjson
from channels.generic.websocket import AsyncWebsocketConsumer

from apps.common.parsers import is_too_deep
from apps.common.renderers import to_json
from apps.realtime.backplane import PROGRAMS, name_for, programs_group
from apps.realtime.limits import slot_of
from apps.realtime.server import (
    SECONDS_TO_LEAVE,
    handshake_of,
    is_allowed_origin,
    limits,
    start_listening,
)
from apps.realtime.sockets import Client, identify, in_thread, judge_user

# Close codes of the application's range; the reason travels beside them.
REFUSED = 4401
CATCH_UP = 4410
# What a program asks for, and the client emit that means the same.
# Characters or bytes; what is longer is no request.
LONGEST_FRAME = 16 * 1024
JOINS = {"ticket": "joinChatBox", "tickets": "joinTickets", "notification": "joinNotification"}
LEAVES = {"ticket": "leaveChatBox", "tickets": "leaveTickets"}


class ProgramConsumer(AsyncWebsocketConsumer):
    """Sends frames `{event, data}`; takes `{"join": "tickets", "status": "open"}`.

    `join` and `leave` are `ticket` (with `id`), `tickets` (with `status`) or `notification`; each
    is answered by a frame `{event: "joined" | "left", data: <the request>}`. The token comes as
    `Authorization: Bearer`, or `token` in the query. Closed with 4401 when the session is refused
    and with 4410 when events were missed: connect and read anew.
    """

    client: Client | None = None
    heard_groups: tuple[str, ...] = ()

    async def connect(self) -> None:
        """Admit the sessions that Socket.IO admits."""
        headers: dict[str, str] = {
            name.decode("latin-1").lower(): value.decode("utf-8", "replace")
            for name, value in self.scope["headers"]
        }
        viewer, slot = None, slot_of(self.scope)
        if is_allowed_origin(headers.get("origin"), headers.get("host", "")):
            handshake = handshake_of(
                self.scope["query_string"].decode("utf-8", "replace"),
                headers.get("cookie", ""),
                headers.get("authorization", ""),
            )
            with slot.judging() if slot else nullcontext():
                viewer = await in_thread(identify, handshake)
        await self.accept()
        if viewer is None:
            await self.close(REFUSED, "ERR_SESSION_EXPIRED")
            return
        limits.sign_in(slot, self.channel_name)
        await start_listening()
        self.heard_groups = (PROGRAMS, programs_group(viewer.company_id))
        for group in self.heard_groups:
            await self.channel_layer.group_add(group, self.channel_name)
        self.client = Client(viewer)
        await self.tell("connected", {"companyId": viewer.company_id, "userId": viewer.pk})

    async def disconnect(self, code: int) -> None:
        self.client = None
        limits.sign_out(self.channel_name)
        for group in self.heard_groups:
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle a request; answer an unreadable one with an `error` frame."""
        try:
            frame = orjson.loads((text_data or bytes_data or b"")[:LONGEST_FRAME])
        except orjson.JSONDecodeError:
            frame = None
        if is_too_deep(frame):
            frame = None
        if self.client is None:
            return
        for key, names, answer in (("join", JOINS, "joined"), ("leave", LEAVES, "left")):
            name = names.get(str(frame.get(key))) if isinstance(frame, dict) else None
            if name:
                await self.client.hear(name, [frame.get("id", frame.get("status", ""))])
                await self.tell(answer, frame)
                return
        await self.tell("error", {"message": "Pedido não reconhecido."})

    async def tell(self, event: str, data: Any) -> None:
        await self.send(to_json({"event": event, "data": data}).decode())

    async def realtime_event(self, message: dict[str, Any]) -> None:
        """Pass on an event of a room that the program is in."""
        if self.client is not None and not self.client.rooms.isdisjoint(message["rooms"]):
            name = name_for(message["event"], self.client.viewer.company_id)
            await self.send(f'{{"event":"{name}","data":{message["data"]}}}')

    async def realtime_recheck(self, message: dict[str, Any]) -> None:
        """Authorize the session again if the message is about it."""
        client = self.client
        if client is None or not self._is_meant(message):
            return
        verdict = await in_thread(judge_user, client.viewer, list(client.wishes))
        if verdict is None:
            self.client = None
            await asyncio.sleep(SECONDS_TO_LEAVE)
            await self.close(REFUSED, "ERR_SESSION_EXPIRED")
        else:
            client.judge(*verdict)

    async def realtime_catch_up(self, message: dict[str, Any]) -> None:
        """Make the program reconnect and reload what it missed."""
        if self._is_meant(message):
            await self.close(CATCH_UP, "ERR_EVENTS_MISSED")

    def _is_meant(self, message: dict[str, Any]) -> bool:
        viewer = self.client.viewer if self.client else None
        if viewer is None:
            return False
        user_id, company_id = message.get("user"), message.get("company")
        return (
            viewer.pk == user_id or viewer.company_id == company_id or not (user_id or company_id)
        )
