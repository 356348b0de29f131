"""What programs send over a plain WebSocket, however odd, is answered."""

import asyncio
from typing import Any
from unittest.mock import AsyncMock

import orjson
import pytest

from apps.realtime.history import Position
from apps.realtime.programs import LONGEST_FRAME, ProgramConsumer


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
