"""A desk on a virtual clock: what services do with decisions, in memory (rules/desk §3 to §6)."""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from apps.desk.decisions.assignment import (
    Channel,
    Held,
    Mode,
    Person,
    Policy,
    Presence,
    ReturnTo,
    Snapshot,
    Turn,
    Waiting,
    Why,
    decide,
    judge_return,
    leave_moment,
    points,
)

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
MOST_ROUNDS = 2000


@dataclass
class Ticket:
    """A live ticket: `holder` None waits; `aside` waits for a hand, not for the distribution."""

    id: int
    queue_id: int
    since: datetime
    channel: Channel = Channel.WHATSAPP
    skills: frozenset[int] = frozenset()
    priority: int = 3
    prefers: int | None = None
    prefers_until: datetime | None = None
    holder: int | None = None
    returned_by: frozenset[int] = frozenset()
    returns: int = 0
    aside: ReturnTo | None = None
    given_at: datetime = NOON
    unanswered_since: datetime | None = None
    our_word_at: datetime | None = None
    is_snoozed: bool = False

    @property
    def held(self) -> Held:
        return Held(
            self.given_at,
            self.unanswered_since,
            self.our_word_at,
            self.returns,
            is_apart=self.is_snoozed,
        )


@dataclass
class Line:
    """A line of the log."""

    ticket_id: int
    queue_id: int
    user_id: int
    why: Why
    at: datetime


@dataclass
class Desk:
    policies: dict[int, Policy]
    people: dict[int, Person]
    now: datetime = NOON
    tickets: dict[int, Ticket] = field(default_factory=dict)
    log: list[Line] = field(default_factory=list)
    gone_at: dict[int, datetime] = field(default_factory=dict)
    # Whom the supervisors were told of.
    alerts: set[int] = field(default_factory=set)

    def arrive(self, queue_id: int, **more: object) -> Ticket:
        ticket = Ticket(len(self.tickets) + 1, queue_id, self.now, **more)  # type: ignore[arg-type]
        ticket.unanswered_since = self.now
        self.tickets[ticket.id] = ticket
        return ticket

    def load(self, person_id: int) -> int:
        person = self.people[person_id]
        return sum(
            points(each.held, person.weights[each.channel], self.policies[each.queue_id], self.now)
            for each in self.tickets.values()
            if each.holder == person_id
        )

    def person(self, person_id: int) -> Person:
        """Return a person as the snapshot has them."""
        person, turns = self.people[person_id], {}
        for queue_id in person.queues:
            own = [
                (number, line)
                for number, line in enumerate(self.log, 1)
                if (line.queue_id, line.user_id) == (queue_id, person_id)
            ]
            limit = self.policies[queue_id].fair_limit
            reached = own[-limit][1].at if len(own) >= limit else None
            turns[queue_id] = Turn(own[-1][0] if own else 0, reached)
        return replace(person, load=self.load(person_id), turns=turns)

    def snapshot(self) -> Snapshot:
        waiting = [
            Waiting(
                id=each.id,
                queue_id=each.queue_id,
                since=each.since,
                opened_at=each.since,
                priority=each.priority,
                channel=each.channel,
                skills=each.skills,
                prefers=each.prefers,
                prefers_until=each.prefers_until,
                returned_by=each.returned_by,
            )
            for each in self.tickets.values()
            if each.holder is None and each.aside is None and not each.is_snoozed
        ]
        people = [self.person(person_id) for person_id in self.people]
        return Snapshot(self.now, self.policies, waiting, people)

    def tick(self) -> list[Line]:
        """Carry out what is due now, and give until nothing more can be given."""
        self._return_due()
        new: list[Line] = []
        for _ in range(MOST_ROUNDS):
            decision = decide(self.snapshot())
            for given in decision.given:
                ticket = self.tickets[given.ticket_id]
                assert ticket.holder is None
                ticket.holder, ticket.given_at = given.user_id, self.now
                line = Line(ticket.id, ticket.queue_id, given.user_id, given.why, self.now)
                self.log.append(line)
                new.append(line)
            if not decision.again:
                return new
        raise AssertionError("it gives for ever")

    def _return_due(self) -> None:
        for ticket in self.tickets.values():
            if ticket.holder is None or ticket.is_snoozed:
                continue
            policy, holder = self.policies[ticket.queue_id], self.people[ticket.holder]
            gone_at = self.gone_at.get(ticket.holder)
            if holder.presence == Presence.OFFLINE and gone_at is not None:
                leaves_at = leave_moment(policy, gone_at)
                if leaves_at is not None and leaves_at <= self.now:
                    self._give_back(ticket, None)
                    continue
            verdict = judge_return(ticket.held, policy, holder.presence, self.now)
            if verdict.to is not None:
                ticket.returns += 1
                self._give_back(ticket, verdict.to)

    def _give_back(self, ticket: Ticket, to: ReturnTo | None) -> None:
        assert ticket.holder is not None
        ticket.returned_by |= {ticket.holder}
        ticket.holder = None
        ticket.aside = to if to in {ReturnTo.QUEUE, ReturnTo.SUPERVISORS} else None
        if to == ReturnTo.SUPERVISORS:
            self.alerts.add(ticket.id)

    def go(self, minutes: float) -> list[Line]:
        self.now += timedelta(minutes=minutes)
        return self.tick()

    def choose(self, person_id: int, presence: Presence) -> None:
        self.people[person_id] = replace(self.people[person_id], presence=presence)
        if presence == Presence.OFFLINE:
            self.gone_at[person_id] = self.now

    def answer(self, ticket: Ticket) -> None:
        ticket.unanswered_since, ticket.our_word_at = None, self.now

    def hear(self, ticket: Ticket) -> None:
        ticket.unanswered_since = ticket.unanswered_since or self.now
        ticket.our_word_at = None

    def snooze(self, ticket: Ticket) -> None:
        ticket.is_snoozed = True

    def wake(self, ticket: Ticket) -> None:
        """Bring a snoozed ticket back to its holder or, if that person is away, to its queue."""
        ticket.is_snoozed, ticket.given_at = False, self.now
        if ticket.holder and self.people[ticket.holder].presence == Presence.OFFLINE:
            self._give_back(ticket, None)

    def resolve(self, ticket: Ticket) -> None:
        del self.tickets[ticket.id]


def counts(lines: list[Line]) -> Counter[int]:
    return Counter(line.user_id for line in lines)


def desk_of(people: int, policy: Policy, *, queues: int = 1, **more: object) -> Desk:
    """Return a desk whose people work in all queues, each with this policy."""
    numbers = frozenset(range(1, queues + 1))
    made = {n: Person(n, numbers, **more) for n in range(1, people + 1)}  # type: ignore[arg-type]
    return Desk(dict.fromkeys(numbers, policy), made)


AUTOMATIC = Policy(mode=Mode.ROUND_ROBIN)
