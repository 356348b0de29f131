"""What a desk in memory keeps of a ticket, and what it tells of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from apps.desk.decisions.assignment import ReturnTo, Why
from apps.desk.decisions.following import Followed

# Of a ticket that waits: what it is sorted by.
Place = tuple[int, datetime, int]


class Due(StrEnum):
    """What is planned for a moment: of a ticket, a queue or a person."""

    RETURN = "return"
    RELEASE = "release"
    GIVE = "give"
    LEAVE = "leave"


@dataclass(frozen=True)
class Line:
    """A ticket changed hands, as in the log."""

    ticket_id: int
    queue_id: int
    from_user: int | None
    to_user: int | None
    why: Why
    at: datetime
    to: ReturnTo | None = None


@dataclass(frozen=True)
class Served:
    """Who served a ticket's contact last; `is_reopened`: with this very ticket."""

    user_id: int
    is_reopened: bool = False


class Case:
    """A live ticket on the desk.

    `value` is what decisions go by. The load of its holder has `points` for it. `contact_id` is
    for who asks whom the contact knows.
    """

    __slots__ = (
        *("at_place", "contact_id", "id", "is_led", "is_snoozed"),
        *("planned", "points", "skills", "value"),
    )

    def __init__(
        self, pk: int, value: Followed, skills: frozenset[int], contact_id: int, *, is_led: bool
    ) -> None:
        self.id, self.value, self.skills, self.contact_id = pk, value, skills, contact_id
        self.is_led, self.is_snoozed = is_led, False
        self.points = 0
        # Its place among those that wait: the queue and the key of the order.
        self.at_place: tuple[int, Place] | None = None
        # The moments that are planned for it; others in the heap are out of date.
        self.planned: dict[Due, datetime] = {}
