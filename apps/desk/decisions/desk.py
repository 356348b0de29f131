"""A desk in memory, on a clock of its own: carries out what is decided (rules/desk §3 to §6, §16).

Services do the same with rows, locks and ticks. Every judgement is a function of `assignment` and
`following`; here are only the books: who waits, who holds what, and what is due when. People's
browsers are open while they are online, and their hours change by events, so nobody outside them
is looked at again by the minute.
"""

from bisect import bisect_left, insort
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from heapq import heappop, heappush

from apps.desk.decisions.assignment import (
    NO_POLICY,
    Given,
    OfflineAction,
    Order,
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
    release_moment,
    reservation,
    return_moment,
)
from apps.desk.decisions.cases import Case, Due, Line, Place, Served
from apps.desk.decisions.following import (
    Cause,
    Followed,
    Seen,
    Word,
    heard,
    taken_in,
)

# Of each queue, as services read them: more are given by the decisions that follow.
MOST_AT_ONCE = 20
# It gives for ever if it gives so often at one moment without an end.
MOST_ROUNDS = 100_000
# What a ticket was, in place of a holder or a queue.
_SAME = -1


class Desk:
    """Tickets, people and the rules of queues, at a moment.

    `told` hears each change of hands; `served` tells who served a contact last, by the rules of a
    queue. After a change, or a step of the clock, `settle` does what is due, and gives what can be.
    """

    def __init__(
        self,
        policies: Mapping[int, Policy],
        people: Iterable[Person],
        now: datetime,
        told: Callable[[Line], None] = lambda _: None,
        served: Callable[[Case, Policy], Served | None] = lambda *_: None,
    ) -> None:
        self.policies = dict(policies)
        self.people = {each.id: each for each in people}
        self.now = now
        self.cases: dict[int, Case] = {}
        # Whom the supervisors were told of.
        self.alerts: set[int] = set()
        self._told, self._served = told, served
        self._waiting: defaultdict[int, list[Place]] = defaultdict(list)
        self._held: defaultdict[int, set[int]] = defaultdict(set)
        self._members: defaultdict[int, set[int]] = defaultdict(set)
        for each in self.people.values():
            for queue_id in each.queues:
                self._members[queue_id].add(each.id)
        self._given_at: dict[tuple[int, int], deque[datetime]] = {}
        self._number = 0
        self._gone_at: dict[int, datetime] = {}
        self._heap: list[tuple[datetime, int, Due, int]] = []
        self._count = 0
        self._to_give: set[int] = set()
        self._gives_at: dict[int, datetime] = {}

    # What happens.

    def open(
        self,
        pk: int,
        value: Followed,
        *,
        skills: frozenset[int] = frozenset(),
        contact_id: int = 0,
        is_led: bool = False,
    ) -> Case:
        """Take in a ticket that was not live; `value` is neither held nor ready yet."""
        case = self.cases[pk] = Case(pk, value, skills, contact_id, is_led=is_led)
        self._see(case, Cause())
        return case

    def hear(self, case: Case, word: Word) -> None:
        after = heard(case.value, word, self.now)
        if after is not case.value:
            self._become(case, after)

    def hand_over(self, case: Case, user_id: int, why: Why = Why.BY_HAND) -> None:
        """Have somebody hold a ticket; people lead it from then on."""
        case.is_led = False
        self._see(case, Cause(why), user_id=user_id)

    def put_back(self, case: Case, why: Why = Why.BY_HAND, *, to: ReturnTo | None = None) -> None:
        """Have a ticket wait that somebody held."""
        self._see(case, Cause(why, to), user_id=None)

    def move(self, case: Case, queue_id: int | None, why: Why = Why.BY_HAND) -> None:
        """Have a ticket wait in another queue."""
        self._see(case, Cause(why), user_id=None, queue_id=queue_id)

    def lead(self, case: Case, *, is_led: bool) -> None:
        """Take in that bot, integration or prompt leads the ticket, or does not any more."""
        case.is_led = is_led
        self._see(case, Cause())

    def prioritize(self, case: Case, priority: int) -> None:
        self._see(case, Cause(), priority=priority)

    def snooze(self, case: Case) -> None:
        case.is_snoozed = True
        self._see(case, Cause())

    def wake(self, case: Case) -> None:
        """End a snooze: the ticket is back with its holder or, if that person is away, waits."""
        case.is_snoozed = False
        holder = self.people.get(case.value.user_id or 0)
        is_away = holder is not None and holder.presence == Presence.OFFLINE
        self._see(case, Cause(Why.OFFLINE) if is_away else Cause(), gone=is_away)

    def resolve(self, case: Case) -> None:
        """Take in that a ticket is closed."""
        del self.cases[case.id]
        case.planned.clear()
        self._leave_place(case)
        holder = case.value.user_id
        if holder is not None:
            self._held[holder].discard(case.id)
            self._weigh(case, 0, holder)

    def be(self, user_id: int, presence: Presence) -> None:
        """Take in how a person is present from now on."""
        was = self.people[user_id].presence
        if was == presence:
            return
        self.people[user_id] = replace(self.people[user_id], presence=presence)
        if presence == Presence.OFFLINE:
            self._gone_at[user_id] = self.now
            self._plan_leave(user_id)
        elif presence == Presence.ONLINE:
            self._give_for(user_id)

    def change_person(self, person: Person) -> None:
        """Take in other hours, queues, skills or another capacity; load and turns stay."""
        was = self.people[person.id]
        for queue_id in was.queues:
            self._members[queue_id].discard(person.id)
        for queue_id in person.queues:
            self._members[queue_id].add(person.id)
        self.people[person.id] = replace(person, load=was.load, turns=was.turns)
        self._give_for(person.id)

    # The clock.

    @property
    def due_at(self) -> datetime | None:
        """Return when something is due next; it may turn out to be nothing."""
        return self._heap[0][0] if self._heap else None

    def settle(self) -> None:
        """Do what is due by now, and give as long as something can be given."""
        for _ in range(MOST_ROUNDS):
            while self._heap and self._heap[0][0] <= self.now:
                moment, _, due, subject = heappop(self._heap)
                self._do(due, subject, moment)
            if not self._to_give:
                return
            wanted, self._to_give = self._to_give, set()
            self._give(wanted)
        raise RuntimeError("It gives for ever.")

    def _do(self, due: Due, subject: int, moment: datetime) -> None:
        if due == Due.GIVE:
            self._to_give.add(subject)
            self._gives_at.pop(subject, None)
        elif due == Due.LEAVE:
            self._return_left(subject)
        else:
            case = self.cases.get(subject)
            if case is None or case.planned.get(due) != moment:
                return
            del case.planned[due]
            if due == Due.RELEASE:
                self._become(case, case.value)
            else:
                self._return_unanswered(case)

    def _return_unanswered(self, case: Case) -> None:
        person = self.people.get(case.value.user_id or 0)
        presence = person.presence if person else Presence.OFFLINE
        verdict = judge_return(case.value.held, self._policy(case), presence, self.now)
        if verdict.at is not None:
            self._plan(verdict.at, Due.RETURN, case.id)
            case.planned[Due.RETURN] = verdict.at
        if verdict.to is None:
            return
        if verdict.to == ReturnTo.SUPERVISORS:
            self.alerts.add(case.id)
        self.put_back(case, Why.UNANSWERED, to=verdict.to)

    def _return_left(self, user_id: int) -> None:
        gone_at = self._gone_at.get(user_id)
        person = self.people.get(user_id)
        if gone_at is None or person is None or person.presence != Presence.OFFLINE:
            return
        for pk in sorted(self._held[user_id]):
            case = self.cases[pk]
            moment = leave_moment(self._policy(case), case.value.held, gone_at)
            if moment is not None and moment <= self.now:
                self.put_back(case, Why.OFFLINE)

    def _plan_leave(self, user_id: int) -> None:
        for policy in set(self.policies.values()):
            if policy.offline_action == OfflineAction.RETURN:
                self._plan(self.now + policy.grace, Due.LEAVE, user_id)

    def _plan(self, at: datetime, due: Due, subject: int) -> None:
        self._count += 1
        heappush(self._heap, (at, self._count, due, subject))

    # Giving.

    def snapshot(self, queue_ids: Iterable[int] | None = None, start: int = 0) -> Snapshot:
        """Return what a decision about these queues goes by, all of them by default.

        `start` is how many of each queue are passed over.
        """
        wanted = sorted(self._waiting if queue_ids is None else queue_ids)
        waiting = [
            self._as_waiting(self.cases[place[2]])
            for queue_id in wanted
            for place in self._waiting[queue_id][start : start + MOST_AT_ONCE]
        ]
        queues = {each.queue_id for each in waiting}
        return Snapshot(self.now, self.policies, waiting, self._who_may_take(queues))

    def _as_waiting(self, case: Case) -> Waiting:
        value = case.value
        return Waiting(
            id=case.id,
            queue_id=value.queue_id or 0,
            since=value.since,
            opened_at=value.opened_at,
            priority=value.priority,
            channel=value.channel,
            skills=case.skills,
            prefers=value.prefers,
            prefers_until=value.prefers_until,
            returned_by=frozenset(value.returned_by),
        )

    def _who_may_take(self, queue_ids: Iterable[int]) -> list[Person]:
        """Return who could be given something: the others change no decision."""
        ids = sorted({who for queue_id in queue_ids for who in self._members[queue_id]})
        people = (self.people[pk] for pk in ids)
        return [
            each
            for each in people
            if each.presence == Presence.ONLINE
            and each.is_connected
            and each.is_within_hours
            and (not each.capacity or each.load < each.capacity)
        ]

    def _give(self, queue_ids: set[int]) -> None:
        start = 0
        for _ in range(MOST_ROUNDS):
            snapshot = self.snapshot(queue_ids, start)
            if not snapshot.waiting or not snapshot.people:
                return
            decision = decide(snapshot)
            for given in decision.given:
                self._carry_out(given)
            for queue_id in queue_ids if decision.again_at else ():
                self._plan_to_give(queue_id, decision.again_at or self.now)
            if not decision.given:
                # Nobody can take these, and what is given later only makes people busier.
                start += MOST_AT_ONCE
        raise RuntimeError("It gives for ever.")

    def _plan_to_give(self, queue_id: int, at: datetime) -> None:
        planned = self._gives_at.get(queue_id)
        if planned is None or planned > at:
            self._gives_at[queue_id] = at
            self._plan(at, Due.GIVE, queue_id)

    def _carry_out(self, given: Given) -> None:
        case, user_id = self.cases[given.ticket_id], given.user_id
        queue_id = case.value.queue_id or 0
        self._number += 1
        limit = self.policies[queue_id].fair_limit
        moments = self._given_at.setdefault((queue_id, user_id), deque(maxlen=limit))
        moments.append(self.now)
        turn = Turn(self._number, moments[0] if len(moments) == limit else None)
        person = self.people[user_id]
        self.people[user_id] = replace(person, turns={**person.turns, queue_id: turn})
        self.hand_over(case, user_id, given.why)

    def _give_for(self, user_id: int) -> None:
        for queue_id in self.people[user_id].queues:
            if self._waiting.get(queue_id):
                self._to_give.add(queue_id)

    # The books.

    def _policy(self, case: Case) -> Policy:
        return self.policies.get(case.value.queue_id or 0, NO_POLICY)

    def _see(
        self,
        case: Case,
        cause: Cause,
        *,
        user_id: int | None = _SAME,
        queue_id: int | None = _SAME,
        priority: int | None = None,
        gone: bool = False,
    ) -> None:
        """Take in what a ticket has become; `gone`: its holder does not have it any more."""
        was = case.value
        holder = None if gone else was.user_id if user_id == _SAME else user_id
        begins_to_wait = holder is None and (was.user_id is not None or queue_id != _SAME)
        seen = Seen(
            queued_at=self.now if begins_to_wait else was.since,
            queue_id=was.queue_id if queue_id == _SAME else queue_id,
            user_id=holder,
            is_pending=holder is None,
            priority=was.priority if priority is None else priority,
            is_led=case.is_led,
            is_apart=case.is_snoozed,
        )
        policy = self.policies.get(seen.queue_id or 0, NO_POLICY)
        value = taken_in(was, seen, cause, policy, self.now)
        was_ready_in = was.queue_id if was.is_ready else None
        if value.is_ready and was_ready_in != value.queue_id and not value.returned_by:
            value = self._preferring(case, value, policy)
        self._become(case, value)
        if was.user_id != holder:
            line = Line(
                case.id, seen.queue_id or 0, was.user_id, holder, cause.why, self.now, cause.to
            )
            self._told(line)

    def _preferring(self, case: Case, value: Followed, policy: Policy) -> Followed:
        """Note who served the contact last, where the queue asks for that person."""
        served = self._served(case, policy)
        person = self.people.get(served.user_id) if served else None
        if served is None or person is None or value.queue_id not in person.queues:
            return value
        until = reservation(
            policy,
            since=self.now,
            is_reopened=served.is_reopened,
            is_away=person.presence == Presence.OFFLINE,
        )
        return value if until is None else replace(value, prefers=person.id, prefers_until=until)

    def _become(self, case: Case, value: Followed) -> None:
        was, case.value = case.value, value
        self._keep_place(case)
        if was.user_id != value.user_id:
            if was.user_id is not None:
                self._held[was.user_id].discard(case.id)
                self._weigh(case, 0, was.user_id)
            if value.user_id is not None:
                self._held[value.user_id].add(case.id)
        if value.user_id is None:
            case.planned.clear()
            return
        person, policy, held = self.people.get(value.user_id), self._policy(case), value.held
        if person is not None:
            weight = person.weights[value.channel]
            self._weigh(case, points(held, weight, policy, self.now), value.user_id)
        gone_at = self._gone_at.get(value.user_id, self.now)
        if person is not None and person.presence == Presence.OFFLINE:
            leaves_at = leave_moment(policy, held, gone_at)
            if leaves_at is not None and was.given_at != value.given_at:
                self._plan(leaves_at, Due.LEAVE, value.user_id)
        release_at = release_moment(held, policy) if case.points else None
        for due, at in (
            (Due.RETURN, return_moment(held, policy)),
            (Due.RELEASE, release_at),
        ):
            if at is None:
                case.planned.pop(due, None)
            elif case.planned.get(due) != at:
                case.planned[due] = at
                self._plan(at, due, case.id)

    def _keep_place(self, case: Case) -> None:
        value = case.value
        if not value.is_ready or value.queue_id is None:
            self._leave_place(case)
            return
        is_oldest = self._policy(case).order == Order.OLDEST
        place = (value.priority, value.opened_at if is_oldest else value.since, case.id)
        if case.at_place == (value.queue_id, place):
            return
        self._leave_place(case)
        case.at_place = (value.queue_id, place)
        insort(self._waiting[value.queue_id], place)
        self._to_give.add(value.queue_id)

    def _leave_place(self, case: Case) -> None:
        if case.at_place is None:
            return
        queue_id, place = case.at_place
        waiting = self._waiting[queue_id]
        del waiting[bisect_left(waiting, place)]
        case.at_place = None

    def _weigh(self, case: Case, weight: int, user_id: int) -> None:
        change, case.points = weight - case.points, weight
        person = self.people.get(user_id)
        if person is None or not change:
            return
        self.people[user_id] = replace(person, load=person.load + change)
        if change < 0 and person.capacity:
            self._give_for(user_id)
