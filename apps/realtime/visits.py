"""Who has the same record open (rules/realtime §5).

The app of a record registers `watches`. This process notes which records its Socket.IO clients
view, by their rooms. Redis has the views of all processes, each with an end, so that those of a
process that dies disappear. A program's WebSocket is not noted: nobody looks at it.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import redis
from django.conf import settings

from apps.common.silence import is_silent, note_silence, redis_client, refuse_when_silent
from apps.realtime.sockets import Client, in_thread

logger = logging.getLogger(__name__)

# A view ends by itself unless its process renews it.
KEPT_SECONDS = 50
RENEW_SECONDS = 15.0
# What changes within this time is told once: a reload, or a walk through the list.
GATHER_SECONDS = 0.3
# A socket views this many records at most, the last ones that it joined.
MOST_VIEWED = 4
RECORDS_PER_CALL = 500

SubjectOf = Callable[[str], int | None]
# Takes the record's id, the ids of the users who view it, and when that was so (microseconds).
Tell = Callable[[int, Sequence[int], int], None]


@dataclass(frozen=True)
class View:
    """One socket that views one record."""

    subject: int
    user_id: int
    socket_id: str

    @property
    def member(self) -> str:
        return f"{self.user_id}:{self.socket_id}"


@dataclass(frozen=True)
class Change:
    """The users who view a record, after a change."""

    subject: int
    user_ids: list[int]
    at: int


class Visits:
    """The views of this process's sockets; all but `keep` runs on its event loop."""

    def __init__(self) -> None:
        self.subject_of: SubjectOf | None = None
        self.tell: Tell | None = None
        self._views: dict[str, frozenset[View]] = {}
        self._kept: frozenset[View] = frozenset()
        self._is_changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Keep Redis up to date from now on, on the running event loop."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def note(self, socket_id: str, client: Client) -> None:
        """Note what a socket views, by the rooms that it is in."""
        if self.subject_of is None or client.viewer.only_pays:
            return
        found = [
            subject
            for rooms in client.wishes.values()
            for room in rooms
            if (subject := self.subject_of(room)) is not None
        ]
        views = frozenset(
            View(subject, client.viewer.pk, socket_id)
            for subject in list(dict.fromkeys(found))[-MOST_VIEWED:]
        )
        if views != self._views.get(socket_id, frozenset()):
            self._views[socket_id] = views
            self._is_changed.set()

    def forget(self, socket_id: str) -> None:
        """End the views of a closed socket; the next write to Redis tells the others."""
        if self._views.pop(socket_id, None):
            self._is_changed.set()

    async def _run(self) -> None:
        renewed_at = time.monotonic()
        while True:
            left = max(0.0, renewed_at + RENEW_SECONDS - time.monotonic())
            try:
                await asyncio.wait_for(self._is_changed.wait(), left)
                await asyncio.sleep(GATHER_SECONDS)
            except TimeoutError:
                pass
            self._is_changed.clear()
            is_due = time.monotonic() >= renewed_at + RENEW_SECONDS
            if is_due:
                renewed_at = time.monotonic()
            try:
                await self._keep(is_due)
            except redis.RedisError as error:
                logger.warning("Who views a record waits for Redis: %s", error)
            except Exception:
                logger.exception("Who views a record could not be told")

    async def _keep(self, is_due: bool) -> None:
        views = frozenset[View]().union(*self._views.values())
        arrived, gone = views - self._kept, self._kept - views
        staying = views - arrived if is_due else frozenset[View]()
        # Set before the call: after an outage the next renewal adds what is missing.
        self._kept = views
        if arrived or gone or staying:
            await in_thread(self._keep_and_tell, arrived, gone, staying)

    def _keep_and_tell(
        self, arrived: frozenset[View], gone: frozenset[View], staying: frozenset[View]
    ) -> None:
        for change in keep(arrived=arrived, gone=gone, staying=staying):
            if self.tell is not None:
                self.tell(change.subject, change.user_ids, change.at)


def keep(
    *, arrived: Iterable[View] = (), gone: Iterable[View] = (), staying: Iterable[View] = ()
) -> list[Change]:
    """Write views to Redis; return the records whose viewers have something to be told.

    That is so when a viewer came to others, or when the users changed and somebody else is, or was,
    there. Ends of views that no process renewed count as changes. Raises redis.RedisError.
    """
    by_subject: dict[int, tuple[list[str], list[str]]] = {}
    have_arrivals = set()
    for view in arrived:
        by_subject.setdefault(view.subject, ([], []))[0].append(view.member)
        have_arrivals.add(view.subject)
    for view in staying:
        by_subject.setdefault(view.subject, ([], []))[0].append(view.member)
    for view in gone:
        by_subject.setdefault(view.subject, ([], []))[1].append(view.member)
    changes = []
    records = list(by_subject.items())
    for start in range(0, len(records), RECORDS_PER_CALL):
        for subject, before, after, at in _write(records[start : start + RECORDS_PER_CALL]):
            is_news = subject in have_arrivals or before != after
            if is_news and len(before | after) > 1:
                changes.append(Change(subject, sorted(after), at))
    return changes


def is_viewed_beside(user_id: int, subject: int) -> bool:
    """Tell whether another user than this one views a record; yes while Redis does not answer."""
    if is_silent():
        return True
    try:
        members: Any = redis_client().zrangebyscore(_key(subject), time.time(), "+inf")
    except redis.TimeoutError:
        note_silence()
        return True
    except redis.RedisError:
        return True
    return bool(_users_of(members) - {user_id})


def _key(subject: int) -> str:
    return f"{settings.CHANNEL_PREFIX}:viewers:{subject}"


def _write(
    records: Sequence[tuple[int, tuple[list[str], list[str]]]],
) -> list[tuple[int, set[int], set[int], int]]:
    """Return each record with its users before and after, and Redis's time in microseconds."""
    refuse_when_silent()
    now = time.time()
    # One transaction: of two processes that change a record at once, the later one tells both.
    pipeline: Any = redis_client().pipeline(transaction=True)
    pipeline.time()
    places = []
    for subject, (present, gone) in records:
        key = _key(subject)
        first = len(pipeline)
        pipeline.zrange(key, 0, -1)
        pipeline.zremrangebyscore(key, "-inf", now)
        if gone:
            pipeline.zrem(key, *gone)
        if present:
            pipeline.zadd(key, dict.fromkeys(present, now + KEPT_SECONDS))
            pipeline.expire(key, KEPT_SECONDS)
        places.append((subject, first, len(pipeline)))
        pipeline.zrange(key, 0, -1)
    try:
        answers = pipeline.execute()
    except redis.TimeoutError:
        note_silence()
        raise
    seconds, micros = answers[0]
    at = int(seconds) * 1_000_000 + int(micros)
    return [
        (subject, _users_of(answers[first]), _users_of(answers[last]), at)
        for subject, first, last in places
    ]


def _users_of(members: Iterable[bytes]) -> set[int]:
    return {int(member.partition(b":")[0]) for member in members}


visits = Visits()


def watches(subject_of: SubjectOf) -> Callable[[Tell], Tell]:
    """Register who is told which users view the same record.

    `subject_of` gives the id of the record that a room is about, None for other rooms. The function
    runs in a thread with a database connection.
    """

    def register(function: Tell) -> Tell:
        visits.subject_of, visits.tell = subject_of, function
        return function

    return register
