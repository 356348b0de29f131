"""What this process hears of the others: one subscription to Redis (decision 3)."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import redis.asyncio
from django.conf import settings
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from apps.common.silence import WAIT_SECONDS
from apps.realtime.backplane import PROGRAMS, SERVERS, channel_of, programs_group

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
Listener = Callable[[dict[str, Any]], Awaitable[None]]


class Subscription:
    """Passes messages to the listeners of their group, one after the other.

    `on_gap` is awaited when the subscription is back after an outage of Redis, and when it begins
    after somebody stopped waiting for it: the messages of that time are lost.
    """

    def __init__(self, on_gap: Callable[[], Awaitable[None]]) -> None:
        self.on_gap = on_gap
        # The monotonic time from which on nothing was missed; None while nothing is heard.
        self.heard_since: float | None = None
        self._listeners: dict[str, set[Listener]] = {}
        self._task: asyncio.Task[None] | None = None
        self._begun = asyncio.Event()
        self._is_late = False

    async def begin(self, seconds: float) -> None:
        """Subscribe, once a process, and wait for it; without Redis, no longer than this."""
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
        try:
            await asyncio.wait_for(self._begun.wait(), seconds)
        except TimeoutError:
            self._is_late = True

    def listen(self, group: str, listener: Listener) -> None:
        self._listeners.setdefault(group, set()).add(listener)

    def stop(self, group: str, listener: Listener) -> None:
        listeners = self._listeners.get(group, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(group, None)

    async def tell(self, group: str, message: dict[str, Any]) -> None:
        """Pass a message to the listeners of a group in this process."""
        for listener in list(self._listeners.get(group, ())):
            try:
                await listener(message)
            except Exception:
                logger.exception("A message of %s could not be handled", group)

    async def _run(self) -> None:
        # A subscription is idle for hours: it has no time-out, but keep-alive detects a dead peer.
        client = redis.asyncio.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=None,
            socket_connect_timeout=WAIT_SECONDS,
            socket_keepalive=True,
            retry=Retry(NoBackoff(), 0),
        )
        while True:
            try:
                async with client.pubsub() as subscription:
                    await self._hear(subscription)
            # A message that is no JSON is not read: who sent it may have lost others too.
            except (redis.RedisError, OSError, ValueError) as error:
                self.heard_since = None
                logger.warning("Sockets wait for Redis: %s", error)
                self._is_late = True
                await asyncio.sleep(RETRY_SECONDS)

    async def _hear(self, subscription: Any) -> None:
        await subscription.subscribe(channel_of(SERVERS), channel_of(PROGRAMS))
        await subscription.psubscribe(channel_of(programs_group("*")))
        async for each in subscription.listen():
            if each["type"] in {"message", "pmessage"}:
                group = each["channel"].decode().removeprefix(channel_of(""))
                await self.tell(group, orjson.loads(each["data"]))
            elif each["type"] == "psubscribe":
                # The last of the answers: all that is published from now on arrives.
                self.heard_since = time.monotonic()
                self._begun.set()
                if self._is_late:
                    self._is_late = False
                    logger.info("Redis is back: clients are made to connect anew")
                    await self.on_gap()
