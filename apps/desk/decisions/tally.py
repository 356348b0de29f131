"""The figures of a rehearsal: what happened beside what would have (rules/desk §16).

Their size does not grow with the number of tickets, but for a few bytes of each.
"""

from array import array
from bisect import insort
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from heapq import heappush, heapreplace
from math import ceil
from typing import Any

from apps.desk.decisions.stories import Outcome, Story

SAMPLES = 50
# Differences of less than this are no difference: moments are stored a little after they are.
TELLS = 1.0
# Of a queue: so many tell what is usual.
ENOUGH = 1000
# In the order of samples: who waited for ever waited longer than anybody.
FOR_EVER = 1e12


class Spread:
    """Times in seconds, of which the middle and the ninth of ten are wanted."""

    def __init__(self) -> None:
        self._values: array[float] = array("d")

    def add(self, seconds: float | None) -> None:
        if seconds is not None:
            self._values.append(seconds)

    def plain(self) -> dict[str, float | int | None]:
        """Return their number, and in seconds their median and 90th percentile."""
        ordered = sorted(self._values)
        return {
            "count": len(ordered),
            "median": _rank(ordered, 0.5),
            "p90": _rank(ordered, 0.9),
        }


def _rank(ordered: list[float], share: float) -> float | None:
    """Return the smallest value that this share of the values does not exceed."""
    return ordered[max(ceil(len(ordered) * share) - 1, 0)] if ordered else None


@dataclass
class Side:
    """What happened, or what would have."""

    held: int = 0
    answered: int = 0
    returned: int = 0
    for_supervisors: int = 0
    waits: Spread = field(default_factory=Spread)
    answers: Spread = field(default_factory=Spread)
    people: Counter[int] = field(default_factory=Counter)
    # By kind of clock: met and missed ones.
    met: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        self.held += outcome.held_at is not None
        self.answered += outcome.answered_at is not None
        self.returned += outcome.returns
        self.for_supervisors += outcome.is_for_supervisors
        self.waits.add(outcome.seconds_to(outcome.held_at))
        self.answers.add(outcome.seconds_to(outcome.answered_at))
        if outcome.user_id is not None:
            self.people[outcome.user_id] += 1

    def plain(self) -> dict[str, Any]:
        return {
            "held": self.held,
            "answered": self.answered,
            "returned": self.returned,
            "forSupervisors": self.for_supervisors,
            "waits": self.waits.plain(),
            "answers": self.answers.plain(),
            "met": sum(self.met.values()),
            "missed": sum(self.missed.values()),
        }


class Tally:
    """Counts tickets with both of their outcomes, and keeps those that differ most."""

    def __init__(self) -> None:
        self.tickets = 0
        self.matched = 0
        self.runs = self.refused = self.runs_before = 0
        self.changed = 0
        self.before, self.after = Side(), Side()
        # How often each step, or each action of the rule, would have been done.
        self.deeds: Counter[int] = Counter()
        self._samples: list[tuple[float, int, dict[str, Any]]] = []

    def add(self, story: Story, before: Outcome, after: Outcome) -> None:
        """Count a ticket that the change is about."""
        self.matched += 1
        self.before.add(before)
        self.after.add(after)
        difference = _difference(before, after)
        if difference or before.user_id != after.user_id or before.returns != after.returns:
            self.changed += 1
            sides = {"before": _plain(before), "after": _plain(after)}
            self.sample(story, difference, sides)

    def sample(self, story: Story, weight: float, more: dict[str, Any]) -> None:
        """Keep a ticket among the samples, if it weighs more than one of these."""
        # The cycle's id makes the order the same each time.
        entry = (weight, -story.id, {"ticketId": story.ticket_id, **more})
        if len(self._samples) < SAMPLES:
            heappush(self._samples, entry)
        elif entry[:2] > self._samples[0][:2]:
            heapreplace(self._samples, entry)

    def plain(self) -> dict[str, Any]:
        ids = sorted({*self.before.people, *self.after.people})
        people = [
            {"userId": pk, "before": self.before.people[pk], "after": self.after.people[pk]}
            for pk in ids
        ]
        kinds = sorted({*self.before.met, *self.before.missed, *self.after.met, *self.after.missed})
        return {
            "tickets": self.tickets,
            "matched": self.matched,
            "changed": self.changed,
            "runs": {"before": self.runs_before, "after": self.runs, "refused": self.refused},
            # The log does not tell where a ticket went that came back.
            "before": {**self.before.plain(), "forSupervisors": None},
            "after": self.after.plain(),
            "people": sorted(people, key=lambda each: (-each["after"], -each["before"])),
            "kinds": [
                {
                    "kind": kind,
                    "metBefore": self.before.met[kind],
                    "missedBefore": self.before.missed[kind],
                    "metAfter": self.after.met[kind],
                    "missedAfter": self.after.missed[kind],
                }
                for kind in kinds
            ],
            "deeds": [{"id": pk, "count": count} for pk, count in sorted(self.deeds.items())],
            "samples": [each for *_, each in sorted(self._samples, reverse=True, key=_order)],
        }


def _order(entry: tuple[float, int, dict[str, Any]]) -> tuple[float, int]:
    return entry[:2]


def _difference(before: Outcome, after: Outcome) -> float:
    """Return by how many seconds two waits differ, 0 if it can't be told."""
    waits = [
        FOR_EVER if seconds is None else seconds
        for seconds in (
            before.seconds_to(before.held_at),
            after.seconds_to(after.held_at),
            before.seconds_to(before.answered_at),
            after.seconds_to(after.answered_at),
        )
    ]
    difference = max(abs(waits[0] - waits[1]), abs(waits[2] - waits[3]))
    return difference if difference >= TELLS else 0.0


def _plain(outcome: Outcome) -> dict[str, Any]:
    return {
        "userId": outcome.user_id,
        "waitSeconds": outcome.seconds_to(outcome.held_at),
        "answerSeconds": outcome.seconds_to(outcome.answered_at),
        "returns": outcome.returns,
    }


class Usual:
    """How long people of each queue take to answer what they hold, and to close it.

    In seconds; the first ENOUGH of a queue tell.
    """

    def __init__(self) -> None:
        self._answers: defaultdict[int | None, list[float]] = defaultdict(list)
        self._closings: defaultdict[int | None, list[float]] = defaultdict(list)

    def note(self, queue_id: int | None, real: Outcome) -> None:
        for found, end in ((self._answers, real.answered_at), (self._closings, real.closed_at)):
            times = found[queue_id]
            if real.held_at is not None and end is not None and len(times) < ENOUGH:
                insort(times, max((end - real.held_at).total_seconds(), 0.0))

    def answer_seconds(self, queue_id: int | None) -> float | None:
        return _rank(self._answers[queue_id], 0.5)

    def closing_seconds(self, queue_id: int | None) -> float | None:
        return _rank(self._closings[queue_id], 0.5)
