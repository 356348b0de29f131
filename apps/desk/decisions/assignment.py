"""Who gets what waits, what weighs on whom, and when what was given goes on (rules/desk §3 to §6).

A decision gives each person at most one ticket. The caller carries it out and decides again while
`again` is set, so every ticket is given by what the ones before it have changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

# How soon people outside their hours are looked at again while something waits for them.
HOURS_STEP = timedelta(minutes=1)
# Greater than the number of any ticket that was given.
LATEST = 2**63


class Mode(StrEnum):
    MANUAL = "manual"
    ROUND_ROBIN = "round_robin"
    LEAST_BUSY = "least_busy"


class Order(StrEnum):
    LONGEST_WAITING = "longest_waiting"
    OLDEST = "oldest"


class Sticky(StrEnum):
    OFF = "off"
    SAME_QUEUE = "same_queue"
    ANY = "any"


class ReturnTo(StrEnum):
    """Where an unanswered ticket goes.

    `next`: it waits for another person. `queue`: it waits for somebody who takes it by hand.
    `supervisors`: the same, and the supervisors are told.
    """

    NEXT = "next"
    QUEUE = "queue"
    SUPERVISORS = "supervisors"


class OfflineAction(StrEnum):
    KEEP = "keep"
    RETURN = "return"


class Presence(StrEnum):
    ONLINE = "online"
    PAUSED = "paused"
    OFFLINE = "offline"


class Channel(StrEnum):
    WHATSAPP = "whatsapp"
    CALL = "call"


class Why(StrEnum):
    """Why a ticket changed hands, for the log."""

    # By the distribution: whose turn it was, who had the least, who served the contact before.
    TURN = "turn"
    LEAST_BUSY = "least_busy"
    STICKY = "sticky"
    # Away from somebody: the contact was not answered in time; the person has left.
    UNANSWERED = "unanswered"
    OFFLINE = "offline"
    # By a step of its deadlines, or by a rule.
    SLA = "sla"
    RULE = "rule"
    # By people: on the page 'Equipe agora', and everywhere else.
    SUPERVISOR = "supervisor"
    BY_HAND = "by_hand"


GIVEN = frozenset({Why.TURN, Why.LEAST_BUSY, Why.STICKY})


@dataclass(frozen=True)
class Policy:
    """The rules of a queue (rules/desk §2)."""

    mode: Mode = Mode.MANUAL
    order: Order = Order.LONGEST_WAITING
    sticky: Sticky = Sticky.OFF
    sticky_days: int = 30
    sticky_wait: timedelta = timedelta(0)
    # None: what is not answered stays.
    return_after: timedelta | None = None
    return_to: ReturnTo = ReturnTo.NEXT
    max_returns: int = 3
    offline_action: OfflineAction = OfflineAction.KEEP
    grace: timedelta = timedelta(minutes=5)
    fair_limit: int = 100
    fair_window: timedelta = timedelta(minutes=60)
    release_after: timedelta = timedelta(minutes=10)
    # Whether people may also take by hand what the queue gives.
    manual_accept: bool = True


NO_POLICY = Policy()


@dataclass(frozen=True)
class Waiting:
    """A ticket that waits for a person.

    `priority`: the lowest number goes first, 3 is normal (rules/tickets §17). `prefers` is the
    person for whom it waits until `prefers_until`, before others may have it.
    `returned_by` are those from whom it came back. `skills` are the tags that it asks for.
    """

    id: int
    queue_id: int
    since: datetime
    opened_at: datetime
    priority: int = 3
    channel: Channel = Channel.WHATSAPP
    skills: frozenset[int] = frozenset()
    prefers: int | None = None
    prefers_until: datetime | None = None
    returned_by: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Turn:
    """A person's turn in a queue.

    `last` grows with each ticket that the queue gives: the number of this person's latest one, 0
    for none. `limit_at` is when the person got the ticket with which the limit would now be reached
    again: the `fair_limit`-th last.
    """

    last: int = 0
    limit_at: datetime | None = None


NO_TURN = Turn()
WEIGHTS: Mapping[str, int] = {Channel.WHATSAPP: 1, Channel.CALL: 3}


@dataclass(frozen=True)
class Person:
    """Somebody who works in queues; `capacity` 0 is without bound.

    `is_connected`: a browser of the person is open now.
    """

    id: int
    queues: frozenset[int]
    presence: Presence = Presence.ONLINE
    is_connected: bool = True
    is_within_hours: bool = True
    capacity: int = 0
    load: int = 0
    weights: Mapping[str, int] = field(default_factory=lambda: WEIGHTS)
    skills: frozenset[int] = frozenset()
    turns: Mapping[int, Turn] = field(default_factory=dict)

    def turn_in(self, queue_id: int) -> Turn:
        return self.turns.get(queue_id, NO_TURN)

    def has_room_for(self, channel: Channel) -> bool:
        return not self.capacity or self.load + self.weights[channel] <= self.capacity


@dataclass(frozen=True)
class Snapshot:
    """What a decision goes by; the policies by queue."""

    now: datetime
    policies: Mapping[int, Policy]
    waiting: Sequence[Waiting]
    people: Sequence[Person]


@dataclass(frozen=True)
class Given:
    ticket_id: int
    user_id: int
    why: Why


@dataclass(frozen=True)
class Decision:
    """Who gets what, in order.

    `again`: more can be given at once, by what these change. `again_at`: when time alone may give
    somebody a ticket that still waits; None: only an event can.
    """

    given: tuple[Given, ...] = ()
    again: bool = False
    again_at: datetime | None = None


def decide(snapshot: Snapshot) -> Decision:
    """Return who gets the tickets that wait."""
    return _Decider(snapshot).decide()


class _Decider:
    def __init__(self, snapshot: Snapshot) -> None:
        self._now = snapshot.now
        self._policies = snapshot.policies
        self._waiting = snapshot.waiting
        self._people = {each.id: each for each in snapshot.people}
        # Whoever gets something now comes after everybody else.
        self._last = LATEST
        self._given: dict[int, Given] = {}
        self._moments: list[datetime] = []

    def decide(self) -> Decision:
        again = False
        for ticket in self._in_order():
            found = self._choose(ticket)
            if found is None:
                continue
            person, why = found
            if person.id in self._given:
                again = True
                break
            self._give(ticket, person, why)
        again_at = min(self._moments, default=None)
        return Decision(tuple(self._given.values()), again, None if again else again_at)

    def _in_order(self) -> list[Waiting]:
        def place(ticket: Waiting) -> tuple[int, datetime, int]:
            is_oldest = self._policies[ticket.queue_id].order == Order.OLDEST
            return ticket.priority, ticket.opened_at if is_oldest else ticket.since, ticket.id

        automatic = [
            each
            for each in self._waiting
            if self._policies.get(each.queue_id, NO_POLICY).mode != Mode.MANUAL
        ]
        return sorted(automatic, key=place)

    def _choose(self, ticket: Waiting) -> tuple[Person, Why] | None:
        policy = self._policies[ticket.queue_id]
        free = list(self._free_for(ticket, policy))
        if ticket.prefers is not None:
            for person in free:
                if person.id == ticket.prefers:
                    return person, Why.STICKY
            if self._may_come(ticket):
                return None
        # To somebody from whom it came back only if nobody else is free.
        others = [each for each in free if each.id not in ticket.returned_by]
        candidates = others or free
        if not candidates:
            return None
        if policy.mode == Mode.LEAST_BUSY:
            least = min(candidates, key=lambda each: (each.load, *self._place(each, ticket)))
            return least, Why.LEAST_BUSY
        return min(candidates, key=lambda each: self._place(each, ticket)), Why.TURN

    def _place(self, person: Person, ticket: Waiting) -> tuple[int, int]:
        return person.turn_in(ticket.queue_id).last, person.id

    def _may_come(self, ticket: Waiting) -> bool:
        """Tell whether the ticket still waits for the person whom it prefers."""
        person = self._people.get(ticket.prefers or 0)
        until = ticket.prefers_until
        is_member = person is None or ticket.queue_id in person.queues
        if until is None or until <= self._now or not is_member:
            return False
        self._moments.append(until)
        return True

    def _free_for(self, ticket: Waiting, policy: Policy) -> Iterator[Person]:
        for person in self._people.values():
            if (
                ticket.queue_id not in person.queues
                or person.presence != Presence.ONLINE
                or not person.is_connected
                or not ticket.skills <= person.skills
                or not person.has_room_for(ticket.channel)
            ):
                continue
            if not person.is_within_hours:
                self._moments.append(self._now + HOURS_STEP)
                continue
            limit_at = person.turn_in(ticket.queue_id).limit_at
            if limit_at is not None and limit_at + policy.fair_window > self._now:
                self._moments.append(limit_at + policy.fair_window)
                continue
            yield person

    def _give(self, ticket: Waiting, person: Person, why: Why) -> None:
        self._given[person.id] = Given(ticket.id, person.id, why)
        self._last += 1
        turn = replace(person.turn_in(ticket.queue_id), last=self._last)
        self._people[person.id] = replace(
            person,
            load=person.load + person.weights[ticket.channel],
            turns={**person.turns, ticket.queue_id: turn},
        )


@dataclass(frozen=True)
class Held:
    """A ticket that a person holds.

    `unanswered_since` is when the contact's oldest message without an answer of a person came, None
    if there is none. `our_word_at` is when our side wrote last, None if the contact wrote last.
    """

    given_at: datetime
    unanswered_since: datetime | None = None
    our_word_at: datetime | None = None
    returns: int = 0
    # Another responder of the number leads the conversation, or it is snoozed.
    is_apart: bool = False


def points(held: Held, weight: int, policy: Policy, now: datetime) -> int:
    """Return what a held ticket adds to its holder's load now."""
    releases_at = release_moment(held, policy)
    is_released = releases_at is not None and releases_at <= now
    return 0 if held.is_apart or is_released else weight


def release_moment(held: Held, policy: Policy) -> datetime | None:
    """Return from when on the ticket weighs nothing, for it waits for the contact."""
    return None if held.our_word_at is None else held.our_word_at + policy.release_after


def return_moment(held: Held, policy: Policy) -> datetime | None:
    """Return when the ticket leaves its holder, who does not answer; None: it stays."""
    if policy.return_after is None or held.unanswered_since is None or held.is_apart:
        return None
    return max(held.given_at, held.unanswered_since) + policy.return_after


@dataclass(frozen=True)
class Verdict:
    """What becomes of an unanswered ticket: it goes `to` a place, or is looked at again `at`."""

    to: ReturnTo | None = None
    at: datetime | None = None


def judge_return(held: Held, policy: Policy, presence: Presence, now: datetime) -> Verdict:
    """Return what becomes of a held ticket whose contact waits.

    What is kept for people who have left waits for them, and is looked at again.
    """
    moment = return_moment(held, policy)
    if moment is None:
        return Verdict()
    if moment > now:
        return Verdict(at=moment)
    if presence == Presence.OFFLINE and policy.offline_action == OfflineAction.KEEP:
        return Verdict(at=now + (policy.return_after or HOURS_STEP))
    if held.returns >= policy.max_returns:
        return Verdict(to=ReturnTo.SUPERVISORS)
    return Verdict(to=policy.return_to)


def leave_moment(policy: Policy, held: Held, gone_at: datetime) -> datetime | None:
    """Return when an open ticket of somebody who has left returns; None: it stays."""
    if policy.offline_action != OfflineAction.RETURN or held.is_apart:
        return None
    return max(held.given_at, gone_at) + policy.grace


def reservation(
    policy: Policy, *, since: datetime, is_reopened: bool, is_away: bool
) -> datetime | None:
    """Return until when a ticket waits for the person who last served its contact.

    None: it does not know that person at all. A ticket that the contact's message reopens while
    that person is away waits at least for the grace, where tickets of people who leave are kept.
    """
    keeps = is_reopened and is_away and policy.offline_action == OfflineAction.KEEP
    if policy.sticky == Sticky.OFF and not keeps:
        return None
    wait = policy.sticky_wait if policy.sticky != Sticky.OFF else timedelta(0)
    return since + (max(wait, policy.grace) if keeps else wait)
