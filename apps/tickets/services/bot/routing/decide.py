"""The decision: what the bot does with one message, or with a ticket led into a queue."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from apps.tickets.services.bot.routing.actions import (
    Action,
    Decision,
    EndBot,
    Listen,
    MoveToQueue,
    Say,
    SetTag,
    StartIntegration,
    StartPrompt,
)
from apps.tickets.services.bot.routing.answers import (
    BACK,
    MAIN,
    OPTION_ID,
    QUEUE_ID,
    asks_for_menu,
    chosen,
    command_of,
    find,
    id_of,
    is_same,
    only,
)
from apps.tickets.services.bot.routing.hours import closed_period
from apps.tickets.services.bot.routing.inputs import (
    CompanyView,
    ConnectionView,
    MessageView,
    OptionView,
    QueueView,
    Schedules,
    TicketView,
)
from apps.tickets.services.bot.routing.menus import menu_of
from apps.tickets.services.bot.routing.states import NO_MENU, OPTIONS, QUEUES, Id

BETWEEN_PERIODS = "; "
# What a leaf without words says before the queue that it leads to does.
LEAF_MESSAGE = "Certo! Um momento, por favor."
AUDIO = "audio"
AUDIO_ALERT = "No momento não conseguimos ouvir áudios por aqui. Por favor, escreva a sua mensagem."
AUDIO_ALERT_INTERVAL = timedelta(hours=1)
# Whoever came into a queue in one of these ways is waiting for a person.
HANDED_OVER_BY = frozenset({"keyword", "integration", "prompt"})

# The way back, a queue or an option.
Meant = str | QueueView | OptionView


def decide(
    message: MessageView,
    ticket: TicketView,
    connection: ConnectionView,
    company: CompanyView,
    now: datetime,
    *,
    waits: bool = False,
) -> Decision:
    """Return what a contact's message leads to (rules/bot §1).

    Working hours, then the keyword, integration or prompt, the menu of queues, the options. Groups
    and tickets that someone holds are left alone. While the company is closed no menu is sent and
    nothing starts, but keyword and answers still lead to the queue. Out-of-hours message, audio
    alert and keyword concern the waiting ticket, also when the bot has ended. With `waits` menus
    are left to `judge`, when the contact is quiet.
    """
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    decider.answer(message, waits=waits)
    return decider.decision


def judge(
    messages: Sequence[MessageView],
    ticket: TicketView,
    connection: ConnectionView,
    company: CompanyView,
    now: datetime,
) -> Decision:
    """Return what messages lead to that a contact wrote in one breath, read together.

    One valid choice among them counts; else all of them are one wrong answer.
    """
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    decider.judge(messages)
    return decider.decision


def enter(
    queue_id: Id,
    ticket: TicketView,
    connection: ConnectionView,
    company: CompanyView,
    now: datetime,
    *,
    by: str,
) -> Decision:
    """Return what follows when an unheld ticket is led into a queue, by a timer or a hand-over.

    The queue's hours, then its integration or prompt, else its options, else its greeting; by
    keyword, integration or prompt the bot ends and the greeting is all, given once.
    """
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    queue = decider.queue_of(queue_id)
    if queue is not None:
        decider.arrive(queue, by)
    return decider.decision


def leave(
    reason: str,
    ticket: TicketView,
    connection: ConnectionView,
    company: CompanyView,
    now: datetime,
    *,
    error: str = "",
    queue_id: Id | None = None,
    is_told: bool = False,
) -> Decision:
    """Return what follows when the bot ends on an unheld ticket (rules/bot §9).

    `queue_id` is the own queue of what led it, `is_told` says that the contact heard already who
    goes on.
    """
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    decider.leave(reason, error=error, queue_id=queue_id, is_told=is_told)
    return decider.decision


def place(
    ticket: TicketView, connection: ConnectionView, company: CompanyView, now: datetime, *, by: str
) -> Decision:
    """Return what gives an unheld ticket a queue where it is seen, while the bot goes on."""
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    decider.place(by)
    return decider.decision


def leads(ticket: TicketView, connection: ConnectionView, company: CompanyView) -> bool:
    """Tell whether the bot has still something to do before a person: `chatbot` on the wire."""
    if ticket.is_group or ticket.has_user or ticket.state.ended:
        return False
    if ticket.state.menu or connection.integration_id or connection.prompt_id:
        return True
    if ticket.queue_id is None or ticket.state.placed:
        return len(connection.queues) > 1
    queue = _queue_of(ticket.queue_id, connection, company)
    return queue is not None and bool(queue.options or queue.integration_id or queue.prompt_id)


def _queue_of(
    queue_id: Id | None, connection: ConnectionView, company: CompanyView
) -> QueueView | None:
    if queue_id is None:
        return None
    found = company.queues.get(queue_id)
    return found or next((queue for queue in connection.queues if queue.id == queue_id), None)


class _Decider:
    """One decision in the making: what is to be done so far, and where the ticket is by then.

    A message makes at most one choice and the ticket comes into at most two queues: the one it is
    in anyway, and the chosen one. So queues that lead to each other never go round.
    """

    def __init__(
        self, ticket: TicketView, connection: ConnectionView, company: CompanyView, now: datetime
    ) -> None:
        self._state = ticket.state
        self._queue_id = ticket.queue_id
        self._connection = connection
        self._company = company
        self._now = now
        self._actions: list[Action] = []

    @property
    def decision(self) -> Decision:
        """Return what came of it."""
        return Decision(tuple(self._actions), self._state)

    def queue_of(self, queue_id: Id | None) -> QueueView | None:
        """Return a queue that still exists."""
        return _queue_of(queue_id, self._connection, self._company)

    def answer(self, message: MessageView, *, waits: bool) -> None:
        """Do what a message of the contact asks for."""
        self._take_only_queue()
        queue = self._queue_now
        is_closed = self._tell_closed(queue)
        self._alert_audio(message)
        if self._is_keyword(message):
            self._follow_keyword()
        elif waits and self._is_for_menu(message, queue, is_closed):
            self._actions.append(Listen())
        else:
            self.judge([message])

    def judge(self, messages: Sequence[MessageView]) -> None:
        """Answer by menus, or let what answers in their place begin."""
        queue = self._queue_now
        is_closed = self._tell_closed(queue)
        if is_closed:
            self._answer_closed(messages)
        elif self._state.ended:
            if self._asks_for_menu(messages):
                self._return_to_menu(queue)
        elif (automation := self._automation_of(queue)) is not None:
            self._actions.append(automation)
            self._leave_menu()
        else:
            self._answer_menu(messages, queue)

    @property
    def _queue_now(self) -> QueueView | None:
        """Return the queue that answers: whoever is choosing, or has still to, is in none."""
        is_free = self._is_choosing or self._state.placed
        return None if is_free else self.queue_of(self._queue_id)

    def _is_for_menu(self, message: MessageView, queue: QueueView | None, is_closed: bool) -> bool:
        if is_closed:
            return self._is_choosing
        if self._state.ended:
            return self._asks_for_menu([message])
        return self._automation_of(queue) is None

    def arrive(self, queue: QueueView, by: str) -> None:
        """Bring the ticket into a queue and do what is done there."""
        moved = self._move(queue, by)
        if by in HANDED_OVER_BY:
            self._end("handed_over")
        if self._tell_closed(queue):
            return
        if self._state.ended:
            # The contact who was in it all the time needs no second welcome.
            if moved or by == "keyword":
                self._greet_or_fall_back(queue)
        elif (automation := self._automation_of(queue)) is not None:
            self._actions.append(automation)
            self._leave_menu()
        elif queue.options:
            self._ask_options(queue)
        elif self._state.menu_offered or by == "timer":
            self._say(queue.greeting, "greeting")
        else:
            # Whoever named the queue before any menu has heard nothing yet.
            self._greet_or_fall_back(queue)

    def leave(
        self, reason: str, *, error: str = "", queue_id: Id | None = None, is_told: bool = False
    ) -> None:
        """End the bot: who was led to no queue gets one, and is told that somebody comes."""
        if self._state.ended:
            return
        self._end(reason, error)
        queue = self._fall_back("fallback", queue_id)
        is_closed = self._tell_closed(queue)
        if not is_told:
            self._say_fallback(queue, is_closed)

    def place(self, by: str) -> QueueView | None:
        """Give a queue to a ticket without one; returns it, and None where there was one."""
        if self.queue_of(self._queue_id) is not None:
            return None
        queue = self._fall_back(by)
        if queue is not None:
            self._state = replace(self._state, placed=True)
        return queue

    def _fall_back(self, by: str, queue_id: Id | None = None) -> QueueView | None:
        """Give a queue to a ticket without one; returns the queue that it is in by then."""
        if (queue := self.queue_of(self._queue_id)) is not None:
            return queue
        first = self._connection.queues[0] if self._connection.queues else None
        fallback = self.queue_of(self._connection.fallback_queue_id)
        queue = self.queue_of(queue_id) or fallback or first
        if queue is not None:
            self._move(queue, by)
        return queue

    def _say_fallback(self, queue: QueueView | None, is_closed: bool) -> None:
        """Say once in a cycle that somebody comes; while closed the out-of-hours text stands."""
        if self._state.fallback_told or (is_closed and self._hours_of(queue)[2].strip()):
            return
        self._state = replace(self._state, fallback_told=True)
        self._say(self._connection.fallback_message, "fallback")

    def _greet_or_fall_back(self, queue: QueueView) -> None:
        if queue.greeting.strip():
            self._say(queue.greeting, "greeting")
        else:
            self._say_fallback(queue, is_closed=False)

    def _take_only_queue(self) -> None:
        """Give the connection's one queue to a ticket without: its own was deleted, or is new."""
        if self._queue_id is None and len(self._connection.queues) == 1:
            self._move(self._connection.queues[0], "single")

    # Hours and automatic texts

    def _tell_closed(self, queue: QueueView | None) -> bool:
        """Tell whether it is closed now, to the contact once in each closed period."""
        whose, schedules, message = self._hours_of(queue)
        began = closed_period(schedules, self._now.astimezone(self._company.zone))
        if not began:
            return False
        period = f"{whose} {began}"
        told = self._state.closed_period.split(BETWEEN_PERIODS)
        if period not in told:
            # Each queue's last one is kept: a ticket may come back to where it was told.
            others = [each for each in told if each and not each.startswith(f"{whose} ")]
            told_now = BETWEEN_PERIODS.join([*others, period])
            self._state = replace(self._state, closed_period=told_now)
            self._say(message, "out_of_hours")
        return True

    def _hours_of(self, queue: QueueView | None) -> tuple[str, Schedules, str]:
        """Return whose hours hold, these, and what is said outside them; no rows: always open."""
        kind = self._company.schedule_type
        if kind == "company":
            return "company", self._company.schedules, self._connection.out_of_hours_message
        if kind == "queue" and queue is not None:
            return f"queue {queue.id}", queue.schedules, queue.out_of_hours_message
        return "", (), ""

    def _alert_audio(self, message: MessageView) -> None:
        if message.media_type != AUDIO or not self._company.alert_audio:
            return
        last = self._state.audio_alert_at
        if last is None or self._now - last >= AUDIO_ALERT_INTERVAL:
            self._state = replace(self._state, audio_alert_at=self._now)
            self._say(AUDIO_ALERT, "audio_alert")

    # The keyword

    def _is_keyword(self, message: MessageView) -> bool:
        is_set = self.queue_of(self._connection.keyword_queue_id) is not None
        return is_set and is_same(message.answer_text, self._connection.keyword)

    def _follow_keyword(self) -> None:
        queue = self.queue_of(self._connection.keyword_queue_id)
        if queue is None or (self._state.keyword_used and self._queue_id == queue.id):
            return
        self._state = replace(self._state, keyword_used=True)
        self.arrive(queue, "keyword")

    # Integration and prompt

    def _automation_of(self, queue: QueueView | None) -> StartIntegration | StartPrompt | None:
        """Return what answers in the queue's or the connection's place.

        Integrations are the queue's, else the connection's; prompts the other way round
        (rules/automation §1).
        """
        integration_id = (queue and queue.integration_id) or self._connection.integration_id
        prompt_id = self._connection.prompt_id or (queue and queue.prompt_id)
        if integration_id:
            return StartIntegration(integration_id)
        return StartPrompt(prompt_id) if prompt_id else None

    # Menus

    def _answer_menu(self, messages: Sequence[MessageView], queue: QueueView | None) -> None:
        if self._is_choosing:
            self._answer_queues(messages)
        elif queue is not None:
            self._answer_options(messages, queue)
        elif (self._queue_id is None or self._state.placed) and self._has_main_menu():
            # Who knows the menu by heart needn't wait for it, once there was a first word.
            known = only(chosen(each, self._connection.queues, QUEUE_ID) for each in messages[1:])
            if known is not None:
                self._choose_queue(known)
            else:
                self._ask_queues()
        else:
            self._leave_menu()

    def _answer_queues(self, messages: Sequence[MessageView]) -> None:
        queue = only(chosen(each, self._connection.queues, QUEUE_ID) for each in messages)
        if queue is not None:
            self._choose_queue(queue)
        elif self._may_repeat(messages):
            self._ask_queues()

    def _asks_for_menu(self, messages: Sequence[MessageView]) -> bool:
        return self._state.menu_offered and any(asks_for_menu(each) for each in messages)

    def _return_to_menu(self, queue: QueueView | None) -> None:
        """Begin again with a contact whom the bot has left, where there is a menu."""
        has_queues = self._has_main_menu() and self._automation_of(None) is None
        if has_queues or (queue is not None and queue.options):
            self._state = replace(self._state, ended=False)
            self._leave_menu()
        if has_queues:
            self._ask_queues()
        elif queue is not None and queue.options:
            self._ask_options(queue)

    def _choose_queue(self, queue: QueueView) -> None:
        self._leave_menu()
        self.arrive(queue, "menu")

    def _answer_options(self, messages: Sequence[MessageView], queue: QueueView) -> None:
        if not queue.options:
            self._leave_menu()
            return
        if self._state.menu != OPTIONS:
            self._ask_options(queue)
            return
        option_id = self._state.option_id
        path = find(queue.options, option_id) if option_id is not None else ()
        if option_id is not None and not (path and path[-1].children):
            # It is gone, or leads nowhere any more: what was answered is no answer to what is
            # shown now.
            self._show(queue, path[-2] if len(path) > 1 else None)
            return
        node = path[-1] if path else None
        meanings: list[Meant | None] = [self._meaning(each, queue, node) for each in messages]
        meant = only(meanings)
        if isinstance(meant, str):
            self._go_back(meant, queue, path)
        elif isinstance(meant, QueueView):
            self._choose_queue(meant)
        elif isinstance(meant, OptionView):
            self._choose_option(meant, queue)
        elif self._may_repeat(messages):
            self._show(queue, node, repeated=True)

    def _meaning(
        self, message: MessageView, queue: QueueView, node: OptionView | None
    ) -> Meant | None:
        """Return the way back, the queue or the option that a message asks for."""
        command = command_of(message)
        if command and (node is not None or self._has_main_menu()):
            return command
        pressed = id_of(message.choice_id, QUEUE_ID)
        if pressed and (other := self._queue_pressed(pressed)) is not None:
            return other
        option = self._option_meant(message, queue, node)
        return MAIN if option is None and asks_for_menu(message) else option

    def _queue_pressed(self, pressed: str) -> QueueView | None:
        """Return the queue of an older menu's button: it means what it says at any time."""
        if not self._has_main_menu():
            return None
        return next((queue for queue in self._connection.queues if str(queue.id) == pressed), None)

    def _option_meant(
        self, message: MessageView, queue: QueueView, node: OptionView | None
    ) -> OptionView | None:
        shown = node.children if node else queue.options
        wanted = id_of(message.choice_id, OPTION_ID)
        if wanted and (older := _by_id(queue.options, wanted)):
            return older
        return chosen(message, shown, OPTION_ID)

    def _go_back(self, command: str, queue: QueueView, path: Sequence[OptionView]) -> None:
        if command == BACK and path:
            self._show(queue, path[-2] if len(path) > 1 else None)
        elif self._has_main_menu():
            self._leave_menu()
            self._ask_queues()
        else:
            self._show(queue, None)

    def _choose_option(self, option: OptionView, queue: QueueView) -> None:
        if option.tag_id is not None:
            self._actions.append(SetTag(option.tag_id))
        if option.children:
            self._show(queue, option)
            return
        self._leave_menu()
        target = self.queue_of(option.redirection_queue_id)
        if target is None:
            self._say(option.message, "answer")
            self.leave("leaf", is_told=bool(option.message.strip()))
        else:
            self._say(option.message.strip() or LEAF_MESSAGE, "answer")
            self.arrive(target, "option")

    @property
    def _is_choosing(self) -> bool:
        return self._state.menu == QUEUES and self._has_main_menu()

    def _has_main_menu(self) -> bool:
        return len(self._connection.queues) > 1

    def _may_repeat(self, messages: Sequence[MessageView]) -> bool:
        """Tell whether a wrong answer has the menu sent again; past its limit the bot ends."""
        if not any(each.is_wrong for each in messages):
            return False
        state, connection = self._state, self._connection
        silent = timedelta(minutes=connection.interval_minutes)
        if state.menu_at is not None and self._now - state.menu_at < silent:
            return False
        if connection.max_menus and state.menus_sent >= connection.max_menus:
            self.leave("limit")
            return False
        return True

    def _ask_queues(self) -> None:
        repeated = self._state.menu == QUEUES
        self._actions.append(
            menu_of(
                self._connection.greeting,
                self._connection.queues,
                connection=self._connection,
                company=self._company,
            )
        )
        self._note_menu(QUEUES, None, repeated=repeated)

    def _ask_options(self, queue: QueueView) -> None:
        self._show(queue, None)

    def _show(self, queue: QueueView, node: OptionView | None, *, repeated: bool = False) -> None:
        """Send the menu below a node, or the queue's first one."""
        if node is not None:
            text, entries, back = node.message or node.title, node.children, [BACK, MAIN]
        else:
            text, entries = queue.greeting, queue.options
            back = [MAIN] if self._has_main_menu() else []
        self._actions.append(
            menu_of(text, entries, back=back, connection=self._connection, company=self._company)
        )
        self._note_menu(OPTIONS, node.id if node else None, repeated=repeated)

    def _answer_closed(self, messages: Sequence[MessageView]) -> None:
        """Let an answer to the menu of queues lead there, though nobody is there now."""
        if self._is_choosing:
            queue = only(chosen(each, self._connection.queues, QUEUE_ID) for each in messages)
            if queue is not None:
                self._choose_queue(queue)
                return
        placed = self.place("closed")
        if placed is not None:
            self._say_fallback(placed, is_closed=True)

    # What is noted

    def _say(self, text: str, kind: str) -> None:
        if text.strip():
            self._actions.append(Say(text, kind))

    def _move(self, queue: QueueView, by: str) -> bool:
        self._state = replace(self._state, placed=False)
        if self._queue_id == queue.id:
            return False
        self._queue_id = queue.id
        self._actions.append(MoveToQueue(queue.id, by))
        self._leave_menu()
        return True

    def _end(self, reason: str, error: str = "") -> None:
        self._leave_menu()
        if not self._state.ended:
            self._state = replace(self._state, ended=True)
            self._actions.append(EndBot(reason, error))

    def _note_menu(self, menu: str, option_id: Id | None, *, repeated: bool) -> None:
        sent = self._state.menus_sent + 1 if repeated else 1
        self._state = replace(
            self._state,
            menu=menu,
            option_id=option_id,
            menus_sent=sent,
            menu_at=self._now,
            menu_offered=True,
        )

    def _leave_menu(self) -> None:
        self._state = replace(self._state, menu=NO_MENU, option_id=None, menus_sent=0, menu_at=None)


def _by_id(options: Sequence[OptionView], wanted: str) -> OptionView | None:
    """Return the option with an id, as its choice carries it, wherever it stands."""
    for option in options:
        if str(option.id) == wanted:
            return option
        if (below := _by_id(option.children, wanted)) is not None:
            return below
    return None
