"""The figures of a bot's rehearsal, by the tree that is on and by the one that would be."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.desk.decisions.bot_trials import End, Node, Outcome, Unknown
from apps.desk.decisions.stories import Story
from apps.desk.decisions.tally import Spread, Tally
from apps.tickets.bot_states import Id


@dataclass
class BotSide:
    """What would become of the conversations by one tree."""

    ends: Counter[End] = field(default_factory=Counter)
    unknown: Counter[Unknown] = field(default_factory=Counter)
    queues: Counter[Id | None] = field(default_factory=Counter)
    stopped: Counter[Node] = field(default_factory=Counter)
    unseen: Counter[Node] = field(default_factory=Counter)
    steps: Spread = field(default_factory=Spread)

    def add(self, outcome: Outcome) -> None:
        self.ends[outcome.end] += 1
        self.steps.add(outcome.steps)
        if outcome.unknown is not None:
            self.unknown[outcome.unknown] += 1
        if outcome.end == End.PEOPLE:
            self.queues[outcome.queue_id] += 1
        if outcome.stopped_at is not None:
            self.stopped[outcome.stopped_at] += 1
        if outcome.unseen is not None:
            self.unseen[outcome.unseen] += 1

    def plain(self) -> dict[str, Any]:
        return {
            "began": self.ends.total() - self.ends[End.NOT_BEGUN],
            "people": self.ends[End.PEOPLE],
            "inBot": self.ends[End.BOT],
            "stopped": self.stopped.total(),
            "undecided": {each.value: self.unknown[each] for each in Unknown},
            "steps": self.steps.plain()["median"],
        }


@dataclass
class BotTally:
    """Counts conversations with both of their outcomes; `tally` keeps the samples.

    `paths` are the titles that lead to each node in its queue.
    """

    tally: Tally
    paths: Mapping[Node, str]
    before: BotSide = field(default_factory=BotSide)
    after: BotSide = field(default_factory=BotSide)

    def add(self, story: Story, before: Outcome, after: Outcome) -> None:
        """Count a conversation that began in the span."""
        self.tally.tickets += 1
        if before.end == after.end == End.NOT_BEGUN:
            return
        self.tally.matched += 1
        self.before.add(before)
        self.after.add(after)
        if before != after:
            self.tally.changed += 1
            sides = {"bot": {"before": self._outcome(before), "after": self._outcome(after)}}
            # The latest conversations are those that people remember.
            self.tally.sample(story, story.began_at.timestamp(), sides)

    def plain(self) -> dict[str, Any]:
        sides = (self.before, self.after)
        queues = {pk for side in sides for pk in side.queues}
        nodes = {node for side in sides for node in (*side.stopped, *side.unseen)}
        return {
            "before": self.before.plain(),
            "after": self.after.plain(),
            "queues": [
                {"queueId": pk, "before": self.before.queues[pk], "after": self.after.queues[pk]}
                for pk in sorted(queues, key=lambda pk: (-self.after.queues[pk], str(pk)))
            ],
            "nodes": [
                {
                    **self._place(node),
                    "stoppedBefore": self.before.stopped[node],
                    "stoppedAfter": self.after.stopped[node],
                    "unseen": self.after.unseen[node],
                }
                for node in sorted(nodes, key=str)
            ],
        }

    def _outcome(self, outcome: Outcome) -> dict[str, Any]:
        node = outcome.stopped_at or outcome.unseen
        return {
            "end": outcome.end.value,
            "queueId": outcome.queue_id,
            "steps": outcome.steps,
            "unknown": outcome.unknown.value if outcome.unknown else "",
            "node": self._place(node) if node else None,
        }

    def _place(self, node: Node) -> dict[str, Any]:
        return {"queueId": node.queue_id, "path": self.paths.get(node, "")}
