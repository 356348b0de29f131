"""Leading a ticket into a queue and ending the bot: for people, timers and integrations."""

from collections.abc import Callable
from functools import partial

from django.db.models import Max, Q
from django.utils import timezone

from apps.common.bulk import update_rows
from apps.common.reasons import NO_REASON, Reason
from apps.queues.models import Queue
from apps.tickets.bot_states import BOT_FIELDS
from apps.tickets.models import MessageSource, Ticket, TicketStatus
from apps.tickets.services.bot.context import (
    BotContext,
    load_context,
    own_queue_id,
    rules_of,
    ticket_view,
)
from apps.tickets.services.bot.executor import Executor, save, without_texts
from apps.tickets.services.bot.routing import Decision, enter, give_back, leave, place
from apps.tickets.services.window import is_window_open

# After these a person goes on whom nobody has chosen yet; the others end the bot by what people do.
LEFT_TO_PEOPLE = frozenset({"handed_over", "failed", "finished", "silent"})


def enter_queue(ticket: Ticket, queue: Queue, *, by: str) -> None:
    """Lead an unheld, locked ticket into a queue, and tell of it.

    The queue's hours, then its integration or prompt, else its options, else its greeting. `by`
    is timer, integration, prompt or keyword; with all but the timer the bot ends and a person goes
    on, who is announced by the queue's greeting. Nothing happens to a group or a held ticket.
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

    Sessions go and turns that wait are taken back; who calls it while taking a turn records that
    one first. `reason` is handed_over, failed, finished, silent or phone, and told as an activity
    when the bot was still leading, with `error`, a sentence in Portuguese, and `cause`, the same
    for every language, beside it; empty, nothing is told: accepting and closing say it all. Where
    no person is there yet, the ticket gets a queue and the contact the connection's fallback,
    unless `is_told` (rules/bot §9).
    """
    was_leading = ticket.chatbot or ticket.use_integration
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
    else:
        update_rows([ticket], BOT_FIELDS)


def give_back_ticket(ticket: Ticket) -> None:
    """See to a locked ticket that people leave waiting, whose bot has ended (rules/bot §9).

    One without a queue gets the connection's fallback. A contact to whom nobody has said a word in
    this cycle, because a person came before the bot could, gets the one of the fallback.
    """
    if ticket.is_group or ticket.connection_id is None:
        return
    is_answered = not _waits_for_a_word(ticket)
    if ticket.queue_id is None or not is_answered:
        _carry_out(ticket, partial(give_back, is_answered=is_answered))


def show_waiting(ticket: Ticket) -> None:
    """Give a queue to a locked ticket whose contact is silent; menu or flow go on waiting."""
    _carry_out(ticket, partial(place, by="timer", keeps_menu=True))


def _waits_for_a_word(ticket: Ticket) -> bool:
    """Tell whether the contact wrote in this cycle, and our side did not."""
    said = ticket.messages.order_by("pk")
    ended_at = ticket.cycles.aggregate(at=Max("finished_at"))["at"]
    if ended_at is not None:
        said = said.filter(created_at__gt=ended_at)
    first = said.filter(from_me=False).values_list("pk", flat=True).first()
    if first is None:
        return False
    # The good-bye of the cycle before is no answer.
    answers = said.filter(Q(pk__gt=first) | ~Q(source=MessageSource.BOT), from_me=True)
    return not answers.exists()


def _carry_out(ticket: Ticket, decided: Callable[..., Decision]) -> None:
    """Carry out on a locked ticket what is decided from its views, the company's and the time."""
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
    if connection is None or not is_window_open(ticket, connection):
        # Nobody hears what is said: only the move remains.
        decision = without_texts(decision)
    executor.execute(ticket, decision, message=None, payload={})
    save(executor.store())
