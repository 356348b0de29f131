"""Leads tickets into queues and ends the bot: for people, timers and integrations."""

from collections.abc import Callable
from functools import partial

from django.db.models import Max, Q
from django.utils import timezone

from apps.common.reasons import NO_REASON, Reason
from apps.queues.models import Queue
from apps.tickets.bot_states import FORM, BotState, Id
from apps.tickets.models import MessageSource, Ticket, TicketStatus
from apps.tickets.owners import is_ours
from apps.tickets.services.bot.context import (
    BotContext,
    load_context,
    own_queue_id,
    rules_of,
    ticket_view,
)
from apps.tickets.services.bot.executor import Executor, save, without_texts
from apps.tickets.services.bot.routing import (
    Decision,
    ask_apart,
    enter,
    give_back,
    leave,
    place,
)
from apps.tickets.services.window import is_window_open

# After these reasons the ticket waits for any person. The other reasons come from what people do.
LEFT_TO_PEOPLE = frozenset({"handed_over", "failed", "finished", "silent"})


def enter_queue(ticket: Ticket, queue: Queue, *, by: str) -> None:
    """Lead an unheld, locked ticket into a queue, and emit the events.

    The first that applies answers: the queue's hours, its integration or prompt, its options, its
    greeting. `by` is timer, integration, prompt or keyword. With all but the timer the bot ends and
    the queue's greeting announces a person. Groups and held tickets are left unchanged.
    """
    _carry_out(ticket, partial(enter, queue.pk, by=by))


def end_bot(
    ticket: Ticket,
    reason: str,
    *,
    error: str = "",
    cause: Reason = NO_REASON,
    is_told: bool = False,
) -> None:
    """End bot and integration of a locked ticket for this cycle.

    Sessions are deleted and waiting turns are finished; a caller that is taking a turn records that
    turn first. `reason` is handed_over, failed, finished, silent, phone or empty. If the bot was
    still leading, the reason becomes an activity with `error`, a sentence in Portuguese, and
    `cause`, its language-independent form. An empty reason writes no activity, because accepting
    and closing have activities of their own, and the caller stores BOT_FIELDS with the rest. If no
    person has the ticket yet, it gets a queue and the contact gets the connection's fallback
    message, unless `is_told` (rules/bot §9).
    """
    was_leading = ticket.chatbot or ticket.use_integration
    state = BotState.of(ticket.bot_state)
    if not (reason or was_leading or ticket.prompt_id) and state == state.taken_over():
        return  # It ended when a person took the ticket.
    is_waiting = ticket.status == TicketStatus.PENDING and ticket.user_id is None
    if reason in LEFT_TO_PEOPLE and was_leading and is_waiting and not ticket.is_group:
        own = own_queue_id(ticket.integration, ticket.prompt)
        left = partial(leave, reason, error=error, cause=cause, queue_id=own, is_told=is_told)
        _carry_out(ticket, left)
        return
    executor = Executor(BotContext({}, {}, {}), {})
    executor.end(ticket, reason, error=error, cause=cause)
    result = executor.store()
    if reason:
        save(result)


def give_back_ticket(ticket: Ticket) -> None:
    """Handle a locked ticket that people return to waiting and whose bot has ended (rules/bot §9).

    A ticket without a queue gets the fallback queue. A contact who has had no answer in this cycle,
    because a person accepted before the bot could answer, gets the fallback message.
    """
    if ticket.is_group or ticket.connection_id is None:
        return
    is_answered = not _waits_for_a_word(ticket)
    if ticket.queue_id is None or not is_answered:
        _carry_out(ticket, partial(give_back, is_answered=is_answered))


def ask_one_by_one(ticket: Ticket, first: Id) -> None:
    """Ask the questions of a form that could not be sent one by one, while the locked ticket's bot
    awaits its answer; `first` is the option at which the form began (rules/bot §12).
    """
    state, connection = BotState.of(ticket.bot_state), ticket.connection
    if (state.menu, state.option_id) != (FORM, first) or connection is None:
        return
    if ticket.chatbot and is_ours(ticket) and is_window_open(ticket, connection):
        _carry_out(ticket, ask_apart)


def show_waiting(ticket: Ticket) -> None:
    """Give a queue to a locked ticket whose contact is silent; its menu or flow stays active."""
    _carry_out(ticket, partial(place, by="timer", keeps_menu=True))


def _waits_for_a_word(ticket: Ticket) -> bool:
    """Tell whether the contact wrote in this cycle and has had no answer."""
    said = ticket.messages.order_by("pk")
    ended_at = ticket.cycles.aggregate(at=Max("finished_at"))["at"]
    if ended_at is not None:
        said = said.filter(created_at__gt=ended_at)
    heard = said.filter(from_me=False).exclude(source=MessageSource.OTHER)
    first = heard.values_list("pk", flat=True).first()
    if first is None:
        return False
    # The completion message of the previous cycle is not an answer.
    answers = said.filter(Q(pk__gt=first) | ~Q(source=MessageSource.BOT), from_me=True)
    return not answers.exists()


def _carry_out(ticket: Ticket, decided: Callable[..., Decision]) -> None:
    """Decide on a locked ticket, carry the decision out and store it."""
    rules = rules_of({ticket.company_id})
    context = load_context([ticket], rules)
    executor = Executor(context, rules)
    decision = decided(
        ticket=ticket_view(ticket),
        connection=context.connection_of(ticket),
        company=context.company_of(ticket),
        now=timezone.now(),
    )
    connection = ticket.connection
    if connection is None or not is_ours(ticket) or not is_window_open(ticket, connection):
        # Free text is not allowed outside the messaging window, nor in a conversation that is not
        # ours, so only the move remains.
        decision = without_texts(decision, BotState.of(ticket.bot_state))
    executor.execute(ticket, decision, message=None, payload={})
    save(executor.store())
