"""The messages between processes, and how a process without an event loop publishes them.

A message is `{"type": …, …}` as JSON, published on the Redis channel of its group. Every realtime
process hears all of them (`apps.realtime.subscription`). Synchronous code publishes, in 0.2 ms.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import redis
from django.conf import settings

from apps.common.renderers import to_json
from apps.common.silence import note_silence, redis_client, refuse_when_silent
from apps.realtime.history import append_command, forget_command

logger = logging.getLogger(__name__)

# Every realtime process listens here for its Socket.IO clients.
SERVERS = "servers"
# Every plain WebSocket listens here for control messages.
PROGRAMS = "programs"
RETRY_SECONDS = 0.5
# Tells a company's plain WebSockets that an event was kept for them (`apps.realtime.history`).
NEWS = {"type": "realtime.news"}
# The group of events for all companies, and the placeholder of the company id in the event's name.
ALL_COMPANIES = 0
ANY_COMPANY = "{company}"


def programs_group(company_id: int | str) -> str:
    """Return the group of a company's plain WebSockets, which NEWS wakes."""
    return f"programs.{company_id}"


def _send(
    *messages: tuple[dict[str, Any], Sequence[str]], first: Iterable[tuple[Any, ...]] = ()
) -> None:
    """Publish each message to its groups, in one round trip, after the commands of `first`."""
    refuse_when_silent()
    pipeline: Any = redis_client().pipeline(transaction=False)
    for command in first:
        pipeline.execute_command(*command)
    for message, groups in messages:
        wire = to_json(message)
        for group in groups:
            pipeline.publish(channel_of(group), wire)
    try:
        pipeline.execute()
    except redis.TimeoutError:
        note_silence()
        raise


def channel_of(group: str) -> str:
    """Return the Redis channel of a group."""
    return f"{settings.CHANNEL_PREFIX}:{group}"


def _keep(company_id: int, message: dict[str, Any]) -> tuple[Any, ...]:
    return append_command(
        company_id,
        now_ms=int(time.time() * 1000),
        event=message,
        channel=channel_of(programs_group("")),
        wake=to_json(NEWS),
    )


class Publisher:
    """Publishes to the realtime processes, and recovers after an outage of Redis.

    During an outage callers do not wait: a thread retries until it can tell every realtime process
    which companies' clients missed events.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._missed: Counter[int] = Counter()
        self._is_repairing = False
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
        if self.owes:
            self._make_good_later(companies)
            return
        try:
            _send(
                *((message, (SERVERS,)) for _, message in events),
                first=[_keep(company_id, message) for company_id, message in events],
            )
        except Exception as error:
            if isinstance(error, redis.RedisError):
                logger.warning(
                    "Events of companies %s wait for Redis: %s", sorted(companies), error
                )
            else:
                logger.exception("Events of companies %s could not be sent", sorted(companies))
            self._make_good_later(companies)

    def miss_all(self) -> None:
        """Have the clients of all companies reload: nobody knows which events they missed."""
        self._make_good_later(Counter({ALL_COMPANIES: 1}))

    def publish_control(self, message: dict[str, Any]) -> None:
        """Send word about sockets to every process; never raises."""
        try:
            _send((message, (SERVERS, PROGRAMS)))
        except Exception as error:
            # A lost control message does no harm: sockets are authorized again when they reconnect.
            logger.warning("Sockets could not be told of a change: %r", error)

    def _make_good_later(self, companies: Counter[int]) -> None:
        with self._lock:
            self._missed.update(companies)
            if self._is_repairing:
                return
            try:
                threading.Thread(
                    target=self._make_good, name="realtime-publisher", daemon=True
                ).start()
            except Exception:  # the process has no room for a thread: the next event tries again
                logger.exception("No thread could be started to tell clients what they missed")
            else:
                self._is_repairing = True

    def _make_good(self) -> None:
        is_logged = False
        while True:
            time.sleep(RETRY_SECONDS)
            try:
                if self._tell_missed():
                    return
            except redis.RedisError:
                continue
            except Exception:
                # Whatever it is: without this thread the process would send no event again.
                if not is_logged:
                    logger.exception("Clients could not be told that they missed events")
                is_logged = True

    def _tell_missed(self) -> bool:
        """Tell clients that they missed events; return whether no more were missed meanwhile."""
        with self._lock:
            missed = dict(self._missed)
        _send(
            *((catch_up_message(each or None), (SERVERS, PROGRAMS)) for each in missed),
            first=[forget_command(each) for each in missed],
        )
        with self._lock:
            self._missed = Counter(
                {each: n for each, n in self._missed.items() if n != missed.get(each)}
            )
            self._is_repairing = bool(self._missed)
            return not self._is_repairing


publisher = Publisher()


def name_for(name: str, company_id: int) -> str:
    """Return an event's name as a company's browsers know it."""
    return name.replace(ANY_COMPANY, str(company_id))


def event_message(name: str, data: bytes, rooms: list[str], *, kind: str = "") -> dict[str, Any]:
    """Return the message of an event; `data` is its payload as JSON.

    `kind` is the name of its declaration; "" for the name that only older browsers know.
    """
    return {
        "type": "realtime.event",
        "event": name,
        "kind": kind,
        "data": data.decode(),
        "rooms": rooms,
    }


def recheck_message(
    *, company_id: int | None = None, user_id: int | None = None, token_id: int | None = None
) -> dict[str, Any]:
    """Return the message that asks for new authorization of the sockets of a user, a company or a
    service token.
    """
    return {
        "type": "realtime.recheck",
        "company": company_id,
        "user": user_id,
        "token": token_id,
    }


def catch_up_message(company_id: int | None = None) -> dict[str, Any]:
    """Return the message that makes the clients of a company, or all, reconnect and reload."""
    return {"type": "realtime.catch_up", "company": company_id}
