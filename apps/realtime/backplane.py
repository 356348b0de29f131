"""The messages between processes, and how a process without an event loop publishes them.

All messages use the Channels layer of the settings (channels-redis, pub/sub), in its form `{"type":
…, …}`. `async_to_sync(group_send)` costs 8 ms a call, so synchronous code publishes the layer's
wire form straight to Redis (0.2 ms).
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import redis
from channels.layers import get_channel_layer
from django.conf import settings

from apps.common.silence import CLIENT_OPTIONS, Client, note_silence, refuse_when_silent

logger = logging.getLogger(__name__)

# Every realtime process listens here for its Socket.IO clients.
SERVERS = "servers"
# Every plain WebSocket listens here for control messages.
PROGRAMS = "programs"
RETRY_SECONDS = 0.5
# The group of events for all companies, and the placeholder of the company id in the event's name.
ALL_COMPANIES = 0
ANY_COMPANY = "{company}"


def programs_group(company_id: int) -> str:
    """Return the group of a company's plain WebSockets, or of all companies'."""
    return PROGRAMS if company_id == ALL_COMPANIES else f"programs.{company_id}"


@lru_cache(maxsize=1)
def redis_client() -> redis.Redis:
    """Return this process's pooled Redis client, with time-outs short enough for a request."""
    return Client.from_url(settings.REDIS_URL, **CLIENT_OPTIONS)


def _send(*messages: tuple[dict[str, Any], Sequence[str]]) -> None:
    """Publish each message to its groups, in one round trip."""
    refuse_when_silent()
    layer: Any = get_channel_layer()
    pipeline = redis_client().pipeline(transaction=False)
    for message, groups in messages:
        wire = layer.serialize(message)
        for group in groups:
            pipeline.publish(f"{settings.CHANNEL_PREFIX}__group__{group}", wire)
    try:
        pipeline.execute()
    except redis.TimeoutError:
        note_silence()
        raise


class Publisher:
    """Publishes to the realtime processes, and recovers after an outage of Redis.

    During an outage callers do not wait: a thread retries until it can tell every realtime process
    which companies' clients missed events.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._missed: Counter[int] = Counter()
        self._thread = threading.local()

    @property
    def owes(self) -> bool:
        """Tell whether clients missed events and have not been told yet."""
        return bool(self._missed)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Collect the events that this thread publishes in the block; send them in one round trip
        at its end.
        """
        held: list[tuple[int, dict[str, Any]]] = []
        self._thread.held = held
        try:
            yield
        finally:
            del self._thread.held
            self._publish(held)

    def publish_event(self, company_id: int, message: dict[str, Any]) -> None:
        """Send an event to every process that has sockets of the company; never raises."""
        held: list[tuple[int, dict[str, Any]]] | None = getattr(self._thread, "held", None)
        if held is None:
            self._publish([(company_id, message)])
        else:
            held.append((company_id, message))

    def _publish(self, events: list[tuple[int, dict[str, Any]]]) -> None:
        if not events:
            return
        companies = Counter(company_id for company_id, _ in events)
        with self._lock:
            if self._missed:
                self._missed.update(companies)
                return
        try:
            _send(
                *(
                    (message, (SERVERS, programs_group(company_id)))
                    for company_id, message in events
                )
            )
        except redis.RedisError as error:
            logger.warning("Events of companies %s wait for Redis: %s", sorted(companies), error)
            self._make_good_later(companies)

    def publish_control(self, message: dict[str, Any]) -> None:
        """Send word about sockets to every process; never raises."""
        try:
            _send((message, (SERVERS, PROGRAMS)))
        except redis.RedisError as error:
            # A lost control message does no harm: sockets are authorized again when they reconnect.
            logger.warning("Sockets could not be told of a change: %s", error)

    def _make_good_later(self, companies: Counter[int]) -> None:
        with self._lock:
            is_first = not self._missed
            self._missed.update(companies)
        if is_first:
            threading.Thread(target=self._make_good, name="realtime-publisher", daemon=True).start()

    def _make_good(self) -> None:
        missed = dict(self._missed)
        while missed:
            time.sleep(RETRY_SECONDS)
            with self._lock:
                missed = dict(self._missed)
            try:
                _send(*((catch_up_message(each or None), (SERVERS, PROGRAMS)) for each in missed))
            except redis.RedisError:
                continue
            with self._lock:  # events missed meanwhile keep the loop running
                self._missed = Counter(
                    {each: n for each, n in self._missed.items() if n != missed.get(each)}
                )
                missed = dict(self._missed)


publisher = Publisher()


def name_for(name: str, company_id: int) -> str:
    """Return an event's name as a company's browsers know it."""
    return name.replace(ANY_COMPANY, str(company_id))


def event_message(name: str, data: bytes, rooms: list[str]) -> dict[str, Any]:
    """Return the message of an event; `data` is its payload as JSON."""
    return {"type": "realtime.event", "event": name, "data": data.decode(), "rooms": rooms}


def recheck_message(*, company_id: int | None = None, user_id: int | None = None) -> dict[str, Any]:
    """Return the message that asks for new authorization of the sockets of a user or a company."""
    return {"type": "realtime.recheck", "company": company_id, "user": user_id}


def catch_up_message(company_id: int | None = None) -> dict[str, Any]:
    """Return the message that makes the clients of a company, or all, reconnect and reload."""
    return {"type": "realtime.catch_up", "company": company_id}
