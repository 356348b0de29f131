"""The public decision functions, and the order of the bot's steps."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from apps.common.reasons import NO_REASON, Reason
from apps.tickets.bot_states import QUEUES, BotState, Id
from apps.tickets.origins import Origin
from apps.tickets.services.bot.routing.actions import Decision, Listen, StopFlow
from apps.tickets.services.bot.routing.answers import QUEUE_ID, chosen, is_same, only
from apps.tickets.services.bot.routing.asking import AUDIO, Asking
from apps.tickets.services.bot.routing.inputs import (
    CompanyView,
    ConnectionView,
    MessageView,
    OptionView,
    QueueView,
    TicketView,
)
from apps.tickets.services.bot.routing.leaving import queue_of
from apps.tickets.services.bot.routing.menus import Front

AUDIO_ALERT = "No momento não conseguimos ouvir áudios por aqui. Por favor, escreva a sua mensagem."
AUDIO_ALERT_INTERVAL = timedelta(hours=1)
# For what does not depend on the time.
NEVER = datetime.min


def decide(
    message: MessageView,
    ticket: TicketView,
    connection: ConnectionView,
    company: CompanyView,
    now: datetime,
    *,
    waits: bool = False,
) -> Decision:
    """Return the actions for a contact's message (rules/bot §1).

    The order is: working hours, keyword, integration or prompt, menu of queues, options. Groups and
    held tickets are left unchanged. While the company is closed no menu is sent and nothing starts,
    but the keyword and answers still lead to the queue. Out-of-hours message, audio alert and
    keyword apply to every waiting ticket, also after the bot has ended. With `waits`, menus are
    left to `judge`, which runs when the contact is quiet.
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
    """Return the actions for messages that a contact wrote before going quiet, read together.

    One valid choice among them counts. Otherwise they are one wrong answer together.
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
    """Return the actions when a timer or a hand-over leads an unheld ticket into a queue.

    The first that applies answers: the queue's hours, its integration or prompt, its options, its
    greeting. After keyword, integration or prompt the bot ends and only the greeting is sent, once.
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
    cause: Reason = NO_REASON,
    queue_id: Id | None = None,
    is_told: bool = False,
) -> Decision:
    """Return the actions when the bot ends on an unheld ticket (rules/bot §9).

    `queue_id` is the queue that the integration or prompt names. `is_told`: the contact has already
    been told who answers next.
    """
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    decider.leave(reason, error=error, cause=cause, queue_id=queue_id, is_told=is_told)
    return decider.decision


def place(
    ticket: TicketView,
    connection: ConnectionView,
    company: CompanyView,
    now: datetime,
    *,
    by: str,
    keeps_menu: bool = False,
) -> Decision:
    """Return the actions that give an unheld ticket a queue where people see it; the bot continues.

    `keeps_menu`: the menu that was sent still awaits its answer.
    """
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    decider.place(by, keeps_menu=keeps_menu)
    return decider.decision


def take_over(
    ticket: TicketView, connection: ConnectionView, company: CompanyView, now: datetime
) -> Decision:
    """Return the actions when our side answers an unheld ticket on the phone itself.

    The ticket gets a queue where people see it. The bot says nothing more.
    """
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    decider.take_over()
    return decider.decision


def give_back(
    ticket: TicketView,
    connection: ConnectionView,
    company: CompanyView,
    now: datetime,
    *,
    is_answered: bool,
) -> Decision:
    """Return the actions when a person returns a ticket whose bot the accept has ended.

    `is_answered`: our side has written in this cycle. If a person accepted before the bot could
    answer, the contact gets the fallback message.
    """
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    was_bots = leads(replace(ticket, state=BotState()), connection, company)
    decider.give_back(is_answered=is_answered or not was_bots)
    return decider.decision


def ask_apart(
    ticket: TicketView, connection: ConnectionView, company: CompanyView, now: datetime
) -> Decision:
    """Return the actions when the form that a ticket's state is about did not reach the contact."""
    if ticket.is_group or ticket.has_user:
        return Decision((), ticket.state)
    decider = _Decider(ticket, connection, company, now)
    decider.ask_apart()
    return decider.decision


def front_of(ticket: TicketView, connection: ConnectionView, company: CompanyView) -> Front:
    """Return what awaits an answer of the contact now; nothing does on a held ticket."""
    if ticket.is_group or ticket.has_user:
        return Front()
    return _Decider(ticket, connection, company, NEVER).front


def named_by(
    message: MessageView, ticket: TicketView, connection: ConnectionView, company: CompanyView
) -> QueueView | OptionView | None:
    """Return the entry that a message names in the menu that awaits an answer; None if it names
    none, or a menu command.
    """
    return _Decider(ticket, connection, company, NEVER).named(message)


def leads(ticket: TicketView, connection: ConnectionView, company: CompanyView) -> bool:
    """Tell whether the bot has something to do before a person; this is `chatbot` on the wire."""
    if ticket.is_group or ticket.has_user or ticket.state.ended:
        return False
    if ticket.state.menu or connection.integration_id or connection.prompt_id:
        return True
    if ticket.queue_id is None or ticket.state.placed:
        return len(connection.queues) > 1
    queue = queue_of(ticket.queue_id, connection, company)
    return queue is not None and bool(queue.options or queue.integration_id or queue.prompt_id)


def unled(ticket: TicketView) -> TicketView:
    """Return the view of a ticket that the bot does not lead: its bot has ended.

    The bot does not begin in the middle of a cycle. It only announces closed hours, follows the
    keyword and returns to the menu on request.
    """
    return replace(ticket, state=replace(ticket.state, ended=True))


def answered(
    decided: Callable[..., Decision],
    ticket: TicketView,
    connection: ConnectionView,
    company: CompanyView,
    now: datetime,
    *,
    is_led: bool,
) -> tuple[Decision, BotState]:
    """Return the decision on a contact's messages, and the ticket's state after it.

    `decided` is `decide` or `judge` of these messages. `is_led`: the bot leads the ticket; see
    `unled` and `restored` for one that it does not. Whether it leads from then on is told by
    `leads` of the decision's own state.
    """
    seen = ticket if is_led else unled(ticket)
    decision = decided(ticket=seen, connection=connection, company=company, now=now)
    return decision, (decision if is_led else restored(decision, ticket.state)).state


def restored(decision: Decision, before: BotState) -> Decision:
    """Return a decision on an `unled` ticket with the ticket's real `ended` flag.

    If the flag is not set, a timer may still lead the ticket into a queue where the bot begins.
    After the keyword the bot stays ended.
    """
    is_called = decision.state.keyword_used != before.keyword_used
    if is_called or not decision.state.ended:
        return decision
    return replace(decision, state=replace(decision.state, ended=before.ended))


class _Decider(Asking):
    """The complete decision: hours, keyword, integration or prompt, and menus, in this order."""

    def answer(self, message: MessageView, *, waits: bool) -> None:
        """Decide on one message of the contact."""
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
        """Answer by menus, or let an integration or prompt answer."""
        queue = self._queue_now
        is_closed = self._tell_closed(queue)
        if is_closed:
            self._answer_closed(messages, queue)
        elif self._state.ended:
            if self._answers_left_menu(messages, queue):
                self._go_on_at_left_menu(messages, queue)
            elif self._asks_for_menu(messages) and self._may_ask():
                self._return_to_menu(queue)
        elif (automation := self._automation_of(queue)) is not None:
            if self._asks_for_menu(messages) and self._leads_by_main_menu() and self._may_ask():
                self._actions.append(StopFlow())
                self._return_to_menu(queue)
            else:
                self._actions.append(automation)
                self._leave_menu()
        elif self._is_stray(messages, queue):
            return
        elif self._is_asking and queue is not None:
            self._answer_question(messages, queue)
        else:
            self._answer_menu(messages, queue)

    def _answer_closed(self, messages: Sequence[MessageView], queue: QueueView | None) -> None:
        """While closed, follow a choice of queue.

        Otherwise take a value, and give the ticket a queue.
        """
        if self._is_asking and queue is not None:
            self._answer_question(messages, queue, is_closed=True)
        elif self._is_choosing:
            queue = only(chosen(each, self._connection.queues, QUEUE_ID) for each in messages)
            if queue is not None:
                self._choose_queue(queue)
                return
        elif self._state.left_menu == QUEUES and self._answers_left_menu(messages, queue):
            self._go_on_at_left_menu(messages, queue)
            return
        placed = self.place("closed")
        if placed is not None:
            self._say_fallback(placed, is_closed=True)

    @property
    def _queue_now(self) -> QueueView | None:
        """Return the queue that answers; None while the contact may still choose one."""
        is_free = self._is_choosing or self._state.placed
        return None if is_free else self.queue_of(self._queue_id)

    def _is_for_menu(self, message: MessageView, queue: QueueView | None, is_closed: bool) -> bool:
        if is_closed:
            return self._is_choosing or self._is_asking
        if self._state.ended:
            return self._asks_for_menu([message]) or self._answers_left_menu([message], queue)
        return self._automation_of(queue) is None

    def _take_only_queue(self) -> None:
        """Give the connection's only queue to a ticket without one."""
        if self._queue_id is None and len(self._connection.queues) == 1:
            self._move(self._connection.queues[0], "single")

    def _alert_audio(self, message: MessageView) -> None:
        if message.media_type != AUDIO or not self._company.alert_audio:
            return
        last = self._state.audio_alert_at
        if last is None or self._now - last >= AUDIO_ALERT_INTERVAL:
            self._state = replace(self._state, audio_alert_at=self._now)
            self._say(AUDIO_ALERT, "audio_alert", Origin.AUDIO_ALERT)

    def _is_keyword(self, message: MessageView) -> bool:
        is_set = self.queue_of(self._connection.keyword_queue_id) is not None
        return is_set and is_same(message.answer_text, self._connection.keyword)

    def _follow_keyword(self) -> None:
        queue = self.queue_of(self._connection.keyword_queue_id)
        if queue is None or (self._state.keyword_used and self._queue_id == queue.id):
            return
        self._state = replace(self._state, keyword_used=True)
        self.arrive(queue, "keyword")
