"""Ids for messages from before, by when they were written (`HistoryRoom`).

A phone tells its past out of order and while the present goes on, and conversations are read in
order of id. So a run of ids is kept free once the number comes, and a message's moment says which
of them is its own.
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

# A phone tells of 180 days; what is older stands at the beginning.
REACH = timedelta(days=190)
# What is told of the day of the change itself, and a crowd of one second, finds room behind.
BEHIND = timedelta(days=10)
IDS_PER_SECOND = 64
# So many places further on, the search for a free one takes longer steps.
NEAR = 16


def keep_room_before(connection: Connection) -> None:
    """Keep ids free for the past of a number that has just come with its phone."""
    if connection.is_coexistence:
        keep_room(connection, at=connection.signed_up_at or timezone.now())


@transaction.atomic
def keep_room(connection: Connection, *, at: datetime) -> HistoryRoom:
    """Keep ids free for what the connection's phone has from before a moment."""
    seconds = int((REACH + BEHIND).total_seconds())
    first_id = reserve_keys(Message, seconds * IDS_PER_SECOND)
    room, _ = HistoryRoom.objects.update_or_create(
        connection=connection, defaults={"first_id": first_id, "since": at - REACH}
    )
    return room


def place(room: HistoryRoom, messages: Sequence[Message]) -> None:
    """Give new messages their ids: the same ones, whatever the order in which they are told.

    Where two of a second have drawn one place, the later one goes on to a free one.
    """
    last = int((REACH + timedelta(days=1)).total_seconds())
    wanted: dict[int, Message] = {}
    waiting: list[tuple[int, Message]] = []
    for message in messages:
        written = message.sent_at or message.created_at
        second = min(max(int((written - room.since).total_seconds()), 0), last)
        draw = crc32((message.external_id or "").encode()) % IDS_PER_SECOND
        waiting.append((room.first_id + second * IDS_PER_SECOND + draw, message))
    step = tries = 1
    while waiting:
        drawn: dict[int, Message] = {}
        for first, message in waiting:
            pk = next(each for each in count(first) if each not in wanted and each not in drawn)
            drawn[pk] = message
        taken = set(Message.objects.filter(pk__in=drawn).order_by().values_list("pk", flat=True))
        wanted.update((pk, message) for pk, message in drawn.items() if pk not in taken)
        waiting = [(pk + step, message) for pk, message in drawn.items() if pk in taken]
        tries += 1
        step = 1 if tries < NEAR else step * 2
    for pk, message in wanted.items():
        message.pk = pk
