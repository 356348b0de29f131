"""The subscription goes on whatever is published."""

import asyncio
from typing import Any

from apps.common.silence import redis_client
from apps.realtime.backplane import SERVERS, channel_of
from apps.realtime.subscription import Subscription


def test_after_a_message_that_is_no_json_it_begins_anew() -> None:
    async def scene() -> None:
        gaps, heard = asyncio.Event(), asyncio.Event()

        async def on_gap() -> None:
            gaps.set()

        async def listen(message: dict[str, Any]) -> None:
            heard.set()

        subscription = Subscription(on_gap)
        subscription.listen(SERVERS, listen)
        await subscription.begin(20)
        client = redis_client()
        client.publish(channel_of(SERVERS), b"no JSON")
        await asyncio.wait_for(gaps.wait(), 20)
        client.publish(channel_of(SERVERS), b'{"type": "a message"}')
        await asyncio.wait_for(heard.wait(), 20)

    asyncio.run(scene())
