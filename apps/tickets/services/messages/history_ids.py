"""Ids for messages of a phone's history, by their time (`HistoryRoom`).

A phone sends its history out of order and beside live messages, and conversations are read in order
of id. So a range of ids is reserved when the number is connected, and a message's time decides its
id in it.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from zlib import crc32

from django.db import transaction
from django.utils import timezone

from apps.common.bulk import reserve_keys
from apps.connections.models import Connection
from apps.tickets.models import HistoryRoom, Message

# A phone sends 180 days; older messages get the first ids of the range.
REACH = timedelta(days=190)
# Room for messages of the day of the connection, and for many messages of one second.
BEHIND = timedelta(days=10)
IDS_PER_SECOND = 64
# After this many occupied ids the search for a free one takes longer steps.
NEAR = 16


def keep_room_before(connection: Connection) -> None:
    """Reserve ids for the history of a number that was just connected with its phone."""
    if connection.is_coexistence:
        keep_room(connection, at=connection.signed_up_at or timezone.now())


@transaction.atomic
def keep_room(connection: Connection, *, at: datetime) -> HistoryRoom:
    """Reserve ids for the history of a connection's phone before a moment."""
    seconds = int((REACH + BEHIND).total_seconds())
    first_id = reserve_keys(Message, seconds * IDS_PER_SECOND)
    room, _ = HistoryRoom.objects.update_or_create(
        connection=connection, defaults={"first_id": first_id, "since": at - REACH}
    )
    return room


def place(room: HistoryRoom, messages: Sequence[Message]) -> None:
    """Give new messages their ids, independent of the order of arrival.

    Of two messages of one second with the same id the later one takes the next free id.
    """
    last = int((REACH + timedelta(days=1)).total_seconds())
    wanted: dict[int, Message] = {}
    waiting: list[tuple[int, Message]] = []
    for message in messages:
        written = message.sent_at or message.created_at
        second = min(max(int((written - room.since).total_seconds()), 0), last)
        draw = crc32((message.external_id or "").encode()) % IDS_PER_SECOND
        waiting.append((room.first_id + second * IDS_PER_SECOND + draw, message))
    step = attempts = 1
    while waiting:
        drawn: dict[int, Message] = {}
        for first, message in waiting:
            pk = next(each for each in count(first) if each not in wanted and each not in drawn)
            drawn[pk] = message
        taken = set(Message.objects.filter(pk__in=drawn).order_by().values_list("pk", flat=True))
        wanted.update((pk, message) for pk, message in drawn.items() if pk not in taken)
        waiting = [(pk + step, message) for pk, message in drawn.items() if pk in taken]
        attempts += 1
        step = 1 if attempts < NEAR else step * 2
    for pk, message in wanted.items():
        message.pk = pk
