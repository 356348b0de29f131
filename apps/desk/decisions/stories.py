"""What really happened to tickets, as a rehearsal goes through it again (rules/desk §16)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import NamedTuple


class Deed(IntEnum):
    """Something that happened to a ticket, with its value.

    Words: HEARD is the contact's (1: a call), WROTE one of our side that no person wrote, ANSWERED
    a person's (1: while somebody held the ticket). LED and READY: bot, integration or prompt leads,
    or people are wanted. Hands: GIVEN by the distribution to a person, TAKEN from the queue by a
    person or for one, PASSED from one to another; RETURNED by the distribution, PUT_BACK by
    anything else; MOVED to a queue, where it waits. CLOSED (1: while somebody held it).
    """

    HEARD = 1
    WROTE = 2
    ANSWERED = 3
    LED = 4
    READY = 5
    GIVEN = 6
    TAKEN = 7
    PASSED = 8
    RETURNED = 9
    PUT_BACK = 10
    MOVED = 11
    PRIORITIZED = 12
    SNOOZED = 13
    WOKEN = 14
    RATED = 15
    CLOSED = 16


HANDS = frozenset({Deed.GIVEN, Deed.TAKEN, Deed.PASSED})


class Happening(NamedTuple):
    """`text` is a message's, `media` its kind, where they are read at all."""

    at: datetime
    deed: Deed
    value: int = 0
    text: str = ""
    media: str = ""


@dataclass(frozen=True)
class Past:
    """Who served a contact, in which queue and ticket, and until when."""

    user_id: int
    queue_id: int | None
    ticket_id: int
    ended_at: datetime


@dataclass(slots=True)
class Story:
    """One cycle of a ticket, from its begin on, with what happened in order.

    `id` is the cycle's. `counts`: it began in the span that is rehearsed; the others are there
    because people had them then. `tag_ids` are those of today; `skills` are the tags that ask for
    one. `past` is who served the contact before the span.
    """

    id: int
    ticket_id: int
    contact_id: int
    began_at: datetime
    opened_at: datetime
    queue_id: int | None = None
    connection_id: int | None = None
    priority: int = 3
    tag_ids: frozenset[int] = frozenset()
    skills: frozenset[int] = frozenset()
    is_led: bool = False
    counts: bool = True
    past: Past | None = None
    happenings: list[Happening] = field(default_factory=list)


@dataclass(slots=True)
class Outcome:
    """What became of a ticket in one cycle; `ready_at` is when it first waited for people."""

    ready_at: datetime | None = None
    held_at: datetime | None = None
    user_id: int | None = None
    answered_at: datetime | None = None
    closed_at: datetime | None = None
    returns: int = 0
    is_for_supervisors: bool = False
    # Where it was when it first waited for people.
    queue_id: int | None = None

    def seconds_to(self, moment: datetime | None) -> float | None:
        """Return how long it waited until a moment; None if that never came."""
        if self.ready_at is None or moment is None:
            return None
        return max((moment - self.ready_at).total_seconds(), 0.0)


@dataclass(slots=True)
class Being:
    """A ticket at a moment of its story."""

    queue_id: int | None
    priority: int
    is_led: bool
    user_id: int | None = None
    is_snoozed: bool = False
    is_live: bool = True


def passages(story: Story) -> Iterator[tuple[Happening, Being]]:
    """Yield what happened in order, each with what the ticket was after it; one object is it all
    the time.
    """
    now = Being(story.queue_id, story.priority, story.is_led)
    for happening in story.happenings:
        _pass(now, happening.deed, happening.value)
        yield happening, now


def _pass(now: Being, deed: Deed, value: int) -> None:
    if deed in HANDS:
        now.user_id, now.is_led = value, False
    elif deed in {Deed.LED, Deed.READY}:
        now.is_led = deed == Deed.LED
    elif deed in {Deed.RETURNED, Deed.PUT_BACK}:
        now.user_id = None
    elif deed == Deed.MOVED:
        now.queue_id, now.user_id = value, None
    elif deed == Deed.PRIORITIZED:
        now.priority = value
    elif deed in {Deed.SNOOZED, Deed.WOKEN}:
        now.is_snoozed = deed == Deed.SNOOZED
    elif deed == Deed.CLOSED:
        now.is_live = False


def lived(story: Story) -> Outcome:
    """Return what really became of a ticket."""
    found = Outcome(ready_at=None if story.is_led else story.began_at, queue_id=story.queue_id)
    for at, deed, value, *_ in story.happenings:
        if deed == Deed.MOVED and found.ready_at is None:
            found.queue_id = value
        if deed == Deed.ANSWERED:
            found.answered_at = found.answered_at or at
        elif deed in HANDS:
            found.ready_at = found.ready_at or at
            if found.held_at is None:
                found.held_at, found.user_id = at, value
        elif deed == Deed.READY:
            found.ready_at = found.ready_at or at
        elif deed == Deed.RETURNED:
            found.returns += 1
        elif deed == Deed.CLOSED:
            found.closed_at = at
    return found
