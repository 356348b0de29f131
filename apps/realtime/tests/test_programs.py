"""What programs send over a plain WebSocket, however odd, is answered."""

import asyncio
from typing import Any
from unittest.mock import AsyncMock

import orjson
import pytest
from django.db import connections

from apps.accounts.models import User
from apps.accounts.services.service_tokens import create_token
from apps.realtime import programs
from apps.realtime.history import Position
from apps.realtime.programs import LONGEST_FRAME, ProgramConsumer
from apps.realtime.sockets import in_thread


def answers_to(*frames: str | bytes) -> list[Any]:
    consumer: Any = ProgramConsumer()
    send = AsyncMock()
    consumer.client, consumer.send = AsyncMock(wishes={}), send
    consumer.position = Position("run", 1, 0)

    async def send_all() -> None:
        for frame in frames:
            if isinstance(frame, str):
                await consumer.receive(text_data=frame)
            else:
                await consumer.receive(bytes_data=frame)

    asyncio.run(send_all())
    return [orjson.loads(call.args[0]) for call in send.call_args_list]


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize("levels", [65, 300, 990, 5000])
def test_a_deep_request_is_no_request_and_the_next_one_is_heard(levels: int) -> None:
    deep = nested(levels)
    answers = answers_to(
        deep,
        f'{{"join": {deep}}}',
        f'{{"join": "tickets", "status": {deep}}}'.encode(),
        '{"join": "tickets", "status": "open"}',
    )
    assert [each["event"] for each in answers] == ["error", "error", "error", "joined"]


def test_a_request_without_end_is_no_request() -> None:
    long = "a" * LONGEST_FRAME
    assert answers_to(f'{{"join": "tickets", "status": "{long}"}}')[0]["event"] == "error"


@pytest.mark.django_db(transaction=True)
def test_a_program_that_goes_while_it_is_told_that_it_is_connected_leaves_its_place(
    admin: User,
) -> None:
    text = create_token(actor=admin, fields={"name": "Painel", "scopes": ["events"]}).text
    scope = {
        "type": "websocket",
        "path": "/ws/events/",
        "headers": [(b"authorization", f"Bearer {text}".encode())],
        "query_string": b"",
    }
    told: list[str] = []

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, Any]) -> None:
        told.append(message["type"])
        if message["type"] == "websocket.send":
            raise ConnectionResetError

    async def serve() -> None:
        with pytest.raises(ConnectionResetError):
            await ProgramConsumer.as_asgi()(scope, receive, send)
        await in_thread(connections.close_all)

    asyncio.run(serve())
    assert told == ["websocket.accept", "websocket.send"]
    assert not programs._connected[admin.company_id]
