"""The bot's answers to messages: at once, or after the contact has stopped writing."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.utils import timezone

from apps.connections.capabilities import capabilities_of_kind
from apps.connections.providers.inbound import InboundMessage
from apps.tickets.models import MediaType, Message, Ticket, TicketStatus
from apps.tickets.owners import is_ours
from apps.tickets.queries.inbox import WINDOW
from apps.tickets.services.bot.context import Rules, load_context, rules_of
from apps.tickets.services.bot.executor import ExecutionResult, Executor, Heard, save
from apps.tickets.services.bot.routing import MessageView
from apps.tickets.services.bot.routing.answers import asks_for_menu

# A person does not read and answer faster than this. The phone app's automatic greetings do.
FASTEST_PERSON = timedelta(seconds=5)


def answer(received: Sequence[tuple[InboundMessage, Message]]) -> ExecutionResult:
    """Let the bot answer newly stored messages, in order.

    Their tickets are locked, and the objects in memory hold the values that will be stored. A
    ticket whose contact wrote so long ago that free text is no longer allowed is left to people. If
    our side answered on the phone itself, a person has taken over and the bot says nothing.
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
    # All messages of a ticket are decided together, because one may start what a later one
    # continues.
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
    """Return the messages that the bot considers: from the contact, not deleted, not reserved, and
    not calls.
    """
    return [
        each
        for each in messages
        if not (
            each.from_me
            or each.is_deleted
            or each.is_reserved
            or each.media_type == MediaType.CALL_LOG
        )
    ]


def judge_heard(heard: Sequence[Heard]) -> None:
    """Answer contacts who have stopped writing, store the result and emit its events."""
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
    """Return the entries that the bot answers, and the tickets for which it is too late to answer.

    Calls, deleted and reserved messages do not count.
    """
    heard = [each for each in map(_as_said, heard) if each.messages]
    waiting = [each for each in heard if _is_for_bot(each.ticket, each.messages[-1])]
    return waiting, [each.ticket for each in heard if _is_late(each.messages[-1])]


def _as_said(heard: Heard) -> Heard:
    """Return the entry with only the messages that the bot considers."""
    kept = said(heard.messages)
    last = kept[-1].pk if kept else 0
    # The payload belongs to the last message. If that message was deleted, it must not be passed
    # on.
    is_taken_back = any(each.is_deleted for each in heard.messages if each.pk > last)
    return Heard(heard.ticket, kept, {} if is_taken_back else heard.payload)


def _is_for_bot(ticket: Ticket, message: Message) -> bool:
    """Tell whether the bot may answer: no group, no holder, ours, and the window is open."""
    return _is_to_bot(ticket, message) and not _is_past_window(ticket)


def _is_late(message: Message) -> bool:
    """Tell whether the bot leads the ticket but the messaging window for an answer has closed."""
    ticket = message.ticket
    return ticket.chatbot and _is_to_bot(ticket, message) and _is_past_window(ticket)


def _is_to_bot(ticket: Ticket, message: Message) -> bool:
    if not said([message]) or ticket.is_group or ticket.user_id is not None:
        return False
    if not is_ours(ticket):
        return False
    return ticket.status != TicketStatus.CLOSED and ticket.connection is not None


def _is_past_window(ticket: Ticket) -> bool:
    connection, latest = ticket.connection, ticket.last_inbound_at
    if connection is None or not capabilities_of_kind(connection.provider).session_window:
        return False
    return latest is None or timezone.now() - latest >= WINDOW


def _takes_over(ticket: Ticket, message: Message) -> bool:
    """Tell whether our side wrote on the phone itself to a contact whom the bot leads."""
    if not message.from_me or ticket.is_group or ticket.status != TicketStatus.PENDING:
        return False
    if not (ticket.chatbot or ticket.use_integration):
        return False
    asked_at = ticket.last_inbound_at
    wrote_at = message.sent_at or timezone.now()
    return asked_at is None or wrote_at - asked_at >= FASTEST_PERSON


def _has_work(ticket: Ticket, message: Message, rules: Rules) -> bool:
    """Tell, from memory alone, whether the bot may have something to do.

    `chatbot` is set while the bot leads. Working hours, the keyword, the audio alert and an open
    menu also concern tickets that the bot does not lead.
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
