"""Tries a bot's tree on what contacts wrote, conversation by conversation (rules/desk §16).

The bot's own decisions answer, on a virtual clock, by the tree that is on and by the one that would
be. What a contact wrote was an answer to the menu that it had; in another menu it counts as what it
named. Where the contact never had what the other tree asks, nothing tells the answer: that
conversation is undecided from there on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

from apps.desk.decisions.stories import HANDS, Deed, Story
from apps.tickets.bot_states import Id
from apps.tickets.services.bot.routing import (
    Ask,
    CompanyView,
    ConnectionView,
    Decision,
    EndBot,
    Front,
    Listen,
    MessageView,
    MoveToQueue,
    StartIntegration,
    StartPrompt,
    TicketView,
    answered,
    asks_for_menu,
    decide,
    enter,
    entries_of,
    front_of,
    judge,
    leads,
    named_by,
)

# From here on people have it, or somebody else.
_ENDS = HANDS | {Deed.ANSWERED, Deed.CLOSED, Deed.LED}


class End(StrEnum):
    """Where a conversation stands at last."""

    NOT_BEGUN = "not_begun"
    PEOPLE = "people"
    BOT = "bot"
    UNDECIDED = "undecided"


class Unknown(StrEnum):
    """Why what follows can't be decided.

    A flow or a model answers; the contact never had this menu or question; another responder of
    the number leads.
    """

    INTEGRATION = "integration"
    PROMPT = "prompt"
    UNSEEN = "unseen"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Node:
    """A menu or a question: of no queue it is the menu of queues, without an option a queue's first
    one.
    """

    queue_id: Id | None = None
    option_id: Id | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of a conversation with the bot.

    `steps` are the contact's turns until people had it. `stopped_at` is the menu or the question to
    which its last answer was none; `unseen` the one that it never had.
    """

    end: End
    queue_id: Id | None = None
    steps: int | None = None
    stopped_at: Node | None = None
    unknown: Unknown | None = None
    unseen: Node | None = None


@dataclass(frozen=True)
class Number:
    """What of a connection decides beside its view: how long the bot waits until a contact is quiet
    (none: it does not), and after which time a ticket without a queue goes where.
    """

    quiet: timedelta | None = None
    transfer_after: timedelta | None = None
    transfer_queue_id: int | None = None


@dataclass(frozen=True)
class Tree:
    """The bot of a company: its connections by their ids, and its queues."""

    connections: Mapping[int, ConnectionView]
    company: CompanyView


@dataclass(frozen=True)
class Told:
    """What a contact wrote in a cycle, and the queue in which the cycle began."""

    messages: Sequence[tuple[datetime, MessageView]] = ()
    queue_id: int | None = None
    has_number: bool = False


class _Talk:
    """A conversation by one tree."""

    def __init__(self, tree: Tree, story: Story, told: Told, number: Number) -> None:
        self._connection = tree.connections.get(story.connection_id or 0) or ConnectionView()
        self._company = tree.company
        self._number = number
        queue_id: Id | None = told.queue_id
        if queue_id is None and len(self._connection.queues) == 1:
            queue_id = self._connection.queues[0].id
        self.ticket = TicketView(queue_id=queue_id, has_number=told.has_number)
        self.is_led = self.has_begun = leads(self.ticket, self._connection, self._company)
        self.unknown: Unknown | None = None
        self.is_over = False
        self._unseen: Node | None = None
        self._turns = 0
        self._steps: int | None = None
        self._stopped_at: Node | None = None
        self._shown: Ask | None = None
        self._heard: list[MessageView] = []
        self._quiet_at: datetime | None = None
        after = number.transfer_after
        self._transfer_at = story.began_at + after if after else None

    @property
    def front(self) -> Front:
        return front_of(self.ticket, self._connection, self._company)

    def pressed(self, message: MessageView) -> MessageView:
        """Return a message with the choice of which it is the title: a pressed button is stored as
        its words.
        """
        choices = self._shown.choices if self._shown else ()
        pressed = next((each.id for each in choices if each.title == message.text.strip()), "")
        return replace(message, choice_id=pressed) if pressed else message

    def meant_in(self, front: Front, message: MessageView) -> MessageView:
        """Return a message as it would answer another menu: by what it names in this one."""
        entry = named_by(message, self.ticket, self._connection, self._company)
        if entry is None:
            return message
        [(choice_id, title)] = entries_of([entry])
        is_there = any(each == choice_id for each, _ in front.entries)
        return replace(message, choice_id=choice_id if is_there else "", text=title)

    def hear(self, message: MessageView, at: datetime) -> None:
        """Answer a message, or wait until the contact is quiet."""
        if self.unknown or self.is_over or self._is_idle(message):
            return
        quiet = self._number.quiet
        if message.choice_id or message.form is not None:
            # A complete answer: nothing is waited for.
            self._heard, self._quiet_at, quiet = [], None, None
        elif self._heard:
            self._heard.append(message)
        decided = partial(decide, message, waits=quiet is not None)
        decision = self._decide(decided, [message], at)
        if quiet is not None and Listen() in decision.actions:
            self._heard = self._heard or [message]
            self._quiet_at = at + quiet

    def pass_to(self, at: datetime) -> None:
        """Have come what is due until a moment."""
        while not (self.unknown or self.is_over):
            due = [each for each in (self._quiet_at, self._transfer_at) if each and each <= at]
            if not due:
                return
            now = min(due)
            if now == self._quiet_at:
                heard, self._heard, self._quiet_at = self._heard, [], None
                self._decide(partial(judge, heard), heard, now)
            else:
                self._transfer_at = None
                self._transfer(now)

    def lose(self, unknown: Unknown) -> None:
        """Nothing that follows can be decided; who had no answer to a menu has stopped there."""
        self.is_over = True
        is_unseen = unknown == Unknown.UNSEEN
        if not (is_unseen and self._stopped_at):
            self.unknown = self.unknown or unknown
            self._unseen = _node(self.front) if is_unseen else None

    def outcome(self, *, is_held: bool) -> Outcome:
        """Return what became of it; `is_held`: a person took it from the bot."""
        if not self.has_begun:
            return Outcome(End.NOT_BEGUN)
        if self.unknown:
            return Outcome(End.UNDECIDED, unknown=self.unknown, unseen=self._unseen)
        if self.is_led and (self.is_over or not is_held):
            return Outcome(End.BOT, stopped_at=self._stopped_at)
        steps = self._turns if self.is_led else self._steps
        return Outcome(End.PEOPLE, self.ticket.queue_id, steps, self._stopped_at)

    def _is_idle(self, message: MessageView) -> bool:
        """Tell whether the bot does not lead, and a message does not move it either."""
        state = self.ticket.state
        return not (
            self.is_led
            or self.ticket.queue_id is None
            or (state.menu_offered and asks_for_menu(message))
            or state.left_menu
            or self._connection.keyword
        )

    def _transfer(self, at: datetime) -> None:
        queue_id = self._number.transfer_queue_id
        if self.ticket.queue_id is None and queue_id is not None:
            decided = partial(enter, queue_id, by="timer")
            decision = decided(self.ticket, self._connection, self._company, at)
            self._take(decision, replace(self.ticket, state=decision.state))

    def _decide(
        self, decided: Callable[..., Decision], messages: Sequence[MessageView], at: datetime
    ) -> Decision:
        before, front, was_led = self.ticket, self.front, self.is_led
        decision, state = answered(
            decided, before, self._connection, self._company, at, is_led=was_led
        )
        is_over = Listen() not in decision.actions
        self._turns += was_led and is_over
        self._take(decision, replace(before, state=state))
        if not is_over:
            return decision
        if self._is_wrong(decision, front, before, messages):
            self._stopped_at = _node(front)
        elif decision.actions:
            self._stopped_at = None
        return decision

    def _take(self, decision: Decision, after: TicketView) -> None:
        """Take a decision in, as the executor does."""
        was_led = self.is_led
        for action in decision.actions:
            if isinstance(action, MoveToQueue):
                after = replace(after, queue_id=action.queue_id)
            elif isinstance(action, Ask):
                self._shown = action
            elif isinstance(action, StartIntegration):
                self.unknown = Unknown.INTEGRATION
            elif isinstance(action, StartPrompt):
                self.unknown = Unknown.PROMPT
        self.ticket = after
        decided = replace(after, state=decision.state)
        self.is_led = leads(decided, self._connection, self._company)
        if was_led != self.is_led:
            self._steps = None if self.is_led else self._turns

    def _is_wrong(
        self,
        decision: Decision,
        front: Front,
        before: TicketView,
        messages: Sequence[MessageView],
    ) -> bool:
        """Tell whether messages answered nothing of what was asked."""
        if not _asks(front) or not any(each.is_wrong for each in messages):
            return False
        if any(isinstance(each, EndBot) and each.reason == "limit" for each in decision.actions):
            return True
        is_again = self.ticket.state.menus_sent > before.state.menus_sent
        return (is_again or not decision.actions) and self.front == front


def _asks(front: Front) -> bool:
    return bool(front.entries or front.asks)


def _node(front: Front) -> Node | None:
    return Node(front.queue_id, front.option_id) if _asks(front) else None


def _is_like(one: Front, other: Front) -> bool:
    """Tell whether two menus have the same entries, or two questions are the same."""
    if one.asks or other.asks:
        return (one.asks, one.option_id) == (other.asks, other.option_id)
    return one.entries == other.entries


@dataclass
class BotTrial:
    """Tries one tree beside another; `numbers` are by connection."""

    before: Tree
    after: Tree
    numbers: Mapping[int, Number] = field(default_factory=dict)

    def try_on(self, story: Story, told: Told, until: datetime) -> tuple[Outcome, Outcome]:
        """Return what becomes of a conversation by the one tree and by the other."""
        number = self.numbers.get(story.connection_id or 0, Number())
        was, would = (_Talk(tree, story, told, number) for tree in (self.before, self.after))
        end, deed = next(
            ((each.at, each.deed) for each in story.happenings if each.deed in _ENDS),
            (until, None),
        )
        heard = [(at, message) for at, message in told.messages if at < end]
        if not heard:
            return Outcome(End.NOT_BEGUN), Outcome(End.NOT_BEGUN)
        for at, message in heard:
            was.pass_to(at)
            would.pass_to(at)
            self._hear(was, would, message, at)
        was.pass_to(end)
        would.pass_to(end)
        if deed == Deed.LED:
            was.lose(Unknown.ELSEWHERE)
            would.lose(Unknown.ELSEWHERE)
        elif would.is_led and (was.unknown or not was.is_led):
            # Others had it, so the contact has not been asked what the bot would ask.
            would.lose(Unknown.UNSEEN)
        is_held = deed is not None and deed != Deed.CLOSED
        return was.outcome(is_held=is_held), would.outcome(is_held=is_held)

    def _hear(self, was: _Talk, would: _Talk, message: MessageView, at: datetime) -> None:
        said = was.pressed(message)
        asked, asks = was.front, would.front
        if _is_like(asked, asks):
            would.hear(said, at)
        elif asked.entries and asks.entries:
            would.hear(was.meant_in(asks, said), at)
        elif would.is_led:
            would.lose(Unknown.UNSEEN)
        # Else people have it, and the contact would not have written what answers the other's menu.
        was.hear(said, at)
