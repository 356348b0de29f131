"""Ends the bot, and holds what all decisions share: closed hours, the fallback, the state."""

from dataclasses import replace
from datetime import datetime

from apps.common.hours import Schedules, closed_period
from apps.common.reasons import NO_REASON, Reason
from apps.tickets.bot_states import NO_MENU, OPTIONS, VALUE, Id
from apps.tickets.origins import Origin
from apps.tickets.services.bot.routing.actions import Action, Decision, EndBot, MoveToQueue, Say
from apps.tickets.services.bot.routing.inputs import (
    CompanyView,
    ConnectionView,
    FileView,
    QueueView,
    TicketView,
)

BETWEEN_PERIODS = "; "


def queue_of(
    queue_id: Id | None, connection: ConnectionView, company: CompanyView
) -> QueueView | None:
    """Return a queue if it still exists: one of the company's, else one of the connection's."""
    if queue_id is None:
        return None
    found = company.queues.get(queue_id)
    return found or next((queue for queue in connection.queues if queue.id == queue_id), None)


class Leaving:
    """A decision in progress: the actions so far, and the ticket's queue and state after them.

    This base class handles closed hours and the fallback for contacts led to no queue.
    """

    def __init__(
        self, ticket: TicketView, connection: ConnectionView, company: CompanyView, now: datetime
    ) -> None:
        self._state = ticket.state
        self._has_number = ticket.has_number
        self._queue_id = ticket.queue_id
        self._connection = connection
        self._company = company
        self._now = now
        self._actions: list[Action] = []

    @property
    def decision(self) -> Decision:
        return Decision(tuple(self._actions), self._state)

    def queue_of(self, queue_id: Id | None) -> QueueView | None:
        """Return the queue if it still exists."""
        return queue_of(queue_id, self._connection, self._company)

    def leave(
        self,
        reason: str,
        *,
        error: str = "",
        cause: Reason = NO_REASON,
        queue_id: Id | None = None,
        is_told: bool = False,
    ) -> None:
        """End the bot; the ticket gets the fallback queue, and the contact the fallback message."""
        if self._state.ended:
            return
        self._end(reason, error, cause)
        queue = self._fall_back("fallback", queue_id)
        is_closed = self._tell_closed(queue)
        if not is_told:
            self._say_fallback(queue, is_closed)

    def take_over(self) -> None:
        """End the bot because our side answered. The ticket gets a queue; nothing is sent."""
        self._actions.append(EndBot("phone"))
        self._fall_back("fallback")
        self._state = self._state.taken_over()

    def give_back(self, *, is_answered: bool) -> None:
        """Give a returned ticket a queue, and an unanswered contact the fallback message."""
        queue = self._fall_back("fallback")
        if not is_answered:
            self._say_fallback(queue, self._tell_closed(queue))

    def place(self, by: str, *, keeps_menu: bool = False) -> QueueView | None:
        """Give a queue to a ticket without one and return it; None if the ticket had one."""
        if self.queue_of(self._queue_id) is not None:
            return None
        before = self._state
        queue = self._fall_back(by)
        if queue is not None:
            after = before if keeps_menu else self._state
            self._state = replace(after, placed=True)
        return queue

    def _fall_back(self, by: str, queue_id: Id | None = None) -> QueueView | None:
        """Give a queue to a ticket without one; returns the ticket's queue."""
        if (queue := self.queue_of(self._queue_id)) is not None:
            return queue
        first = self._connection.queues[0] if self._connection.queues else None
        fallback = self.queue_of(self._connection.fallback_queue_id)
        queue = self.queue_of(queue_id) or fallback or first
        if queue is not None:
            self._move(queue, by)
        return queue

    def _say_fallback(self, queue: QueueView | None, is_closed: bool) -> None:
        """Send the fallback message once in a cycle, unless an out-of-hours message replaces it."""
        if self._state.fallback_told or (is_closed and self._hours_of(queue)[2].strip()):
            return
        self._state = replace(self._state, fallback_told=True)
        self._say(self._connection.fallback_message, "fallback", Origin.FALLBACK)

    def _tell_closed(self, queue: QueueView | None) -> bool:
        """Tell whether it is closed now; the contact is told once in each closed period."""
        whose, schedules, message = self._hours_of(queue)
        began = closed_period(
            schedules, self._now.astimezone(self._company.zone), self._company.days_off
        )
        if not began:
            return False
        period = f"{whose} {began}"
        told = self._state.closed_period.split(BETWEEN_PERIODS)
        if period not in told:
            # The last period of each queue is kept, because a ticket may return to an earlier
            # queue.
            others = [each for each in told if each and not each.startswith(f"{whose} ")]
            told_now = BETWEEN_PERIODS.join([*others, period])
            self._state = replace(self._state, closed_period=told_now)
            queue_id = queue.id if queue is not None and whose != "company" else None
            self._say(message, "out_of_hours", Origin.OUT_OF_HOURS.of(queue_id))
        return True

    def _hours_of(self, queue: QueueView | None) -> tuple[str, Schedules, str]:
        """Return whose hours apply, the hours (none: always open) and the out-of-hours message."""
        kind = self._company.schedule_type
        if kind == "company":
            return "company", self._company.schedules, self._connection.out_of_hours_message
        if kind == "queue" and queue is not None:
            return f"queue {queue.id}", queue.schedules, queue.out_of_hours_message
        return "", (), ""

    def _say(self, text: str, kind: str, origin: str, file: FileView | None = None) -> None:
        if text.strip() or file is not None:
            self._actions.append(Say(text, kind, file, origin))

    def _move(self, queue: QueueView, by: str) -> bool:
        self._state = replace(self._state, placed=False)
        if self._queue_id == queue.id:
            return False
        self._queue_id = queue.id
        self._actions.append(MoveToQueue(queue.id, by))
        self._leave_menu()
        return True

    def _end(self, reason: str, error: str = "", cause: Reason = NO_REASON) -> None:
        self._leave_menu()
        if not self._state.ended:
            self._state = replace(self._state, ended=True)
            self._actions.append(EndBot(reason, error, cause))

    def _note_menu(self, menu: str, option_id: Id | None, *, repeated: bool) -> None:
        sent = self._state.menus_sent + 1 if repeated else 1
        self._state = replace(
            self._state,
            menu=menu,
            option_id=option_id,
            menus_sent=sent,
            menu_at=self._now,
            answered=self._state.answered if menu == VALUE else "",
            writing_asked=False,
            menu_offered=True,
        )

    def _put_off_menu(self, option_id: Id) -> None:
        """Remember the menu below an option, which the contact gets in open hours."""
        answered = self._state.answered
        self._leave_menu()
        self._state = replace(self._state, menu=OPTIONS, option_id=option_id, answered=answered)

    def _leave_menu(self) -> None:
        self._state = replace(
            self._state,
            menu=NO_MENU,
            left_menu=NO_MENU,
            option_id=None,
            menus_sent=0,
            menu_at=None,
            writing_asked=False,
            answered="",
        )
