"""What the bot answers: messages just stored, and what was written in one breath."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.utils import timezone

from apps.connections.capabilities import capabilities_of_kind
from apps.connections.providers.inbound import InboundMessage
from apps.tickets.models import MediaType, Message, Ticket, TicketStatus
from apps.tickets.services.bot.context import Rules, load_context, rules_of
from apps.tickets.services.bot.executor import ExecutionResult, Executor, Heard, save
from apps.tickets.services.bot.routing import MessageView
from apps.tickets.services.bot.routing.answers import asks_for_menu
from apps.tickets.services.window import WINDOW

# Nobody reads and answers faster; the greetings of the telephone's own application do.
FASTEST_PERSON = timedelta(seconds=5)


def answer(received: Sequence[tuple[InboundMessage, Message]]) -> ExecutionResult:
    """Let the bot answer messages just stored, each on what the one before it led to.

    Their tickets are locked, and in memory as they will be stored. What a contact wrote so long
    ago that no free text may answer it is left to people. Where our side answered on the phone
    itself, a person has taken over, and nothing more is said.
    """
    taken_over = [message.ticket for _, message in received if _takes_over(message.ticket, message)]
    if taken_over:
        known = rules_of({ticket.company_id for ticket in taken_over})
        ending = Executor(load_context(taken_over, known), known)
        for ticket in taken_over:
            ending.take_over(ticket)
        return ending.store()
    waiting = [
        (inbound, message) for inbound, message in received if _is_for_bot(message.ticket, message)
    ]
    late = {message.ticket_id: message.ticket for _, message in received if _is_late(message)}
    if not waiting and not late:
        return ExecutionResult()
    companies = {ticket.company_id for ticket in late.values()}
    rules = rules_of(companies | {message.company_id for _, message in waiting})
    concerned = [
        each for each in waiting if _has_work(each[1].ticket, each[1], rules[each[1].company_id])
    ]
    # A ticket's messages are decided together: one may begin what the next one goes on with.
    ids = {message.ticket_id for _, message in concerned}
    work = [each for each in waiting if each[1].ticket_id in ids]
    tickets = late | {message.ticket_id: message.ticket for _, message in work}
    if not tickets:
        return ExecutionResult()
    executor = Executor(load_context(list(tickets.values()), rules), rules)
    for ticket in late.values():
        executor.place_unheard(ticket)
    for inbound, message in work:
        executor.answer(inbound, message)
    return executor.store()


def said(messages: Iterable[Message]) -> list[Message]:
    """Return what of some messages is to the bot: neither calls nor what was taken back."""
    return [
        each
        for each in messages
        if not (each.from_me or each.is_deleted or each.media_type == MediaType.CALL_LOG)
    ]


def judge_heard(heard: Sequence[Heard]) -> None:
    """Answer contacts who are quiet again, and tell of it."""
    waiting, late = sorted_out(heard)
    tickets = [*late, *(each.ticket for each in waiting)]
    if not tickets:
        return
    rules = rules_of({ticket.company_id for ticket in tickets})
    executor = Executor(load_context(tickets, rules), rules)
    for ticket in late:
        executor.place_unheard(ticket)
    for each in waiting:
        executor.judge(each)
    save(executor.store())


def sorted_out(heard: Sequence[Heard]) -> tuple[list[Heard], list[Ticket]]:
    """Return what the bot answers of what was heard, and the tickets for which it is too late.

    A burst counts by what in it is to the bot, whatever else came with it or behind it.
    """
    heard = [each for each in map(_as_said, heard) if each.messages]
    waiting = [each for each in heard if _is_for_bot(each.ticket, each.messages[-1])]
    return waiting, [each.ticket for each in heard if _is_late(each.messages[-1])]


def _as_said(heard: Heard) -> Heard:
    """Return what was heard without what is not to the bot."""
    kept = said(heard.messages)
    last = kept[-1].pk if kept else 0
    # The payload of a message that was taken back is told to nobody.
    is_taken_back = any(each.is_deleted for each in heard.messages if each.pk > last)
    return Heard(heard.ticket, kept, {} if is_taken_back else heard.payload)


def _is_for_bot(ticket: Ticket, message: Message) -> bool:
    """Tell whether the bot may look at a message: of a contact, in time, on an unheld ticket."""
    return _is_to_bot(ticket, message) and not _is_past_window(ticket)


def _is_late(message: Message) -> bool:
    """Tell whether the bot would lead the ticket, had the message not come too late for a word."""
    ticket = message.ticket
    return ticket.chatbot and _is_to_bot(ticket, message) and _is_past_window(ticket)


def _is_to_bot(ticket: Ticket, message: Message) -> bool:
    if not said([message]) or ticket.is_group or ticket.user_id is not None:
        return False
    return ticket.status != TicketStatus.CLOSED and ticket.connection is not None


def _is_past_window(ticket: Ticket) -> bool:
    connection, latest = ticket.connection, ticket.last_inbound_at
    if connection is None or not capabilities_of_kind(connection.provider).session_window:
        return False
    return latest is None or timezone.now() - latest >= WINDOW


def _takes_over(ticket: Ticket, message: Message) -> bool:
    """Tell whether our side wrote, on the phone itself, to a contact whom the bot leads."""
    if not message.from_me or ticket.is_group or ticket.status != TicketStatus.PENDING:
        return False
    if not (ticket.chatbot or ticket.use_integration):
        return False
    asked_at = ticket.last_inbound_at
    wrote_at = message.sent_at or timezone.now()
    return asked_at is None or wrote_at - asked_at >= FASTEST_PERSON


def _has_work(ticket: Ticket, message: Message, rules: Rules) -> bool:
    """Tell whether there may be something to do, from what is in memory.

    `chatbot` says so from the beginning of a cycle to the bot's end; hours, keyword, the audio
    alert and a menu that may still be answered concern other tickets too.
    """
    connection = ticket.connection
    return (
        ticket.chatbot
        or bool(ticket.bot_state.get("menu_offered") and asks_for_menu(MessageView(message.body)))
        or bool(ticket.bot_state.get("left_menu"))
        or rules.schedule_type != "disabled"
        or (rules.alert_audio and message.media_type == MediaType.AUDIO)
        or bool(connection and connection.transfer_keyword and connection.transfer_keyword_queue_id)
    )
