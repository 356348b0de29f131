"""A desk in memory for tests: the product's own, with short words for what happens."""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from apps.desk.decisions.assignment import (
    GIVEN,
    Channel,
    Mode,
    Person,
    Policy,
    Presence,
    Why,
    points,
)
from apps.desk.decisions.cases import Case
from apps.desk.decisions.cases import Line as Told
from apps.desk.decisions.desk import Desk as VirtualDesk
from apps.desk.decisions.following import Followed, Word

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
CONTACT, PERSON, BOT = Word(), Word(is_ours=True, is_by_person=True), Word(is_ours=True)


@dataclass(frozen=True)
class Line:
    """A ticket that the distribution gave."""

    ticket_id: int
    queue_id: int
    user_id: int
    why: Why
    at: datetime


class Desk(VirtualDesk):
    def __init__(self, policies: dict[int, Policy], people: dict[int, Person]) -> None:
        self.log: list[Line] = []
        # All changes of hands.
        self.lines: list[Told] = []
        self._last = 0
        super().__init__(policies, people.values(), NOON, told=self._note)

    def _note(self, line: Told) -> None:
        self.lines.append(line)
        if line.to_user is not None and line.why in GIVEN:
            given = Line(line.ticket_id, line.queue_id, line.to_user, line.why, line.at)
            self.log.append(given)

    @property
    def tickets(self) -> dict[int, Case]:
        return self.cases

    def arrive(
        self, queue_id: int, *, skills: frozenset[int] = frozenset(), **more: object
    ) -> Case:
        self._last += 1
        value = Followed(
            self.now,
            self.now,
            queue_id=queue_id,
            unanswered_since=self.now,
            **more,  # type: ignore[arg-type]
        )
        return self.open(self._last, value, skills=skills)

    def load(self, person_id: int) -> int:
        """Return what weighs on a person, counted anew."""
        weights = self.people[person_id].weights
        return sum(
            points(
                each.value.held,
                weights[each.value.channel],
                self.policies[each.value.queue_id or 0],
                self.now,
            )
            for each in self.cases.values()
            if each.value.user_id == person_id
        )

    def tick(self) -> list[Line]:
        """Do what is due now; return what was given."""
        before = len(self.log)
        self.settle()
        return self.log[before:]

    def go(self, minutes: float) -> list[Line]:
        self.now += timedelta(minutes=minutes)
        return self.tick()

    def choose(self, person_id: int, presence: Presence) -> None:
        self.be(person_id, presence)

    def answer(self, ticket: Case) -> None:
        self.hear(ticket, PERSON)


def counts(lines: list[Line]) -> Counter[int]:
    return Counter(line.user_id for line in lines)


def desk_of(people: int, policy: Policy, *, queues: int = 1, **more: object) -> Desk:
    """Return a desk whose people work in all queues, each with this policy."""
    numbers = frozenset(range(1, queues + 1))
    made = {n: Person(n, numbers, **more) for n in range(1, people + 1)}  # type: ignore[arg-type]
    return Desk(dict.fromkeys(numbers, policy), made)


AUTOMATIC = Policy(mode=Mode.ROUND_ROBIN)
__all__ = ["AUTOMATIC", "BOT", "CONTACT", "NOON", "PERSON", "Channel", "Desk", "Line"]
