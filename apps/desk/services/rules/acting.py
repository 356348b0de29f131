"""Does what rules and macros say in one ticket (rules/desk §14).

A rule acts for the company, a macro as its user, with that user's permissions. Every function is
called in a transaction that holds the ticket, and raises a DomainError for what can't be done;
the caller then takes back what came before.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.permissions import Permission
from apps.automation.services.webhook_events import rule_ran
from apps.common.bulk import update_rows
from apps.common.errors import DomainError, InvalidInput
from apps.contacts.models import Tag
from apps.contacts.services import set_field
from apps.contacts.services.tags import TagNotFound
from apps.desk import events
from apps.desk.decisions.assignment import Why
from apps.desk.decisions.rules import Action, Do
from apps.desk.services.following import because
from apps.desk.services.rules.contents import Contents
from apps.queues.models import Queue
from apps.tickets.events import ticket_updated
from apps.tickets.models import (
    MessageSource,
    Ticket,
    TicketActivityKind,
    TicketPriority,
    TicketStatus,
)
from apps.tickets.origins import Origin
from apps.tickets.owners import is_ours
from apps.tickets.services.announcing import conversation_part
from apps.tickets.services.outbox import (
    Content,
    FilledTemplate,
    LedElsewhere,
    NoConnection,
    writable_connection,
    write_message,
)
from apps.tickets.services.rights import check_allowed, check_may_act, works_in
from apps.tickets.services.tickets import notes, ratings
from apps.tickets.services.tickets.assigning import assign_ticket, move_to_queue
from apps.tickets.services.tickets.bot_hooks import left_waiting
from apps.tickets.services.tickets.priorities import change_priority, set_priority
from apps.tickets.services.tickets.removals import move_ticket
from apps.tickets.services.tickets.snoozing import (
    SNOOZE_FIELDS,
    end_snooze,
    put_aside,
    snooze_ticket,
)
from apps.tickets.services.tickets.tagging import add_tag, set_tags, take_tags
from apps.tickets.services.tickets.transitions import TicketChange
from apps.tickets.services.tickets.updates import (
    LIVE,
    QueueNotFound,
    UserNotFound,
    update_ticket,
)
from apps.tickets.services.window import OutsideWindow, is_window_open

# What did it, in the ticket's activity.
BY = "rule"


class NobodyHears(DomainError):
    """No webhook of the company that is on has chosen `rule.ran`."""

    status = 409
    code = "ERR_NO_WEBHOOK_HEARS"
    message = "Nenhum webhook ligado ouve o evento “Regra ou macro”. Escolha-o em um webhook."


class ActionRefused(Exception):
    """An action, by its index, can't be done; `error` says why."""

    def __init__(self, index: int, error: DomainError) -> None:
        super().__init__(error.code)
        self.index, self.error = index, error


@dataclass(frozen=True)
class Actor:
    """Who acts: a rule or a macro by its name; `user` is who runs a macro."""

    name: str
    rule_id: int | None = None
    macro_id: int | None = None
    user: User | None = None


def act(ticket: Ticket, actions: Sequence[Action], actor: Actor, contents: Contents) -> list[int]:
    """Do all actions in a locked ticket; return the ids of the notes that were written.

    Raises ActionRefused, after which the transaction has to be taken back.
    """
    written: list[int] = []
    for index, action in enumerate(actions):
        try:
            if actor.user is not None:
                # What a person does is done to another copy of the ticket.
                ticket.refresh_from_db()
                note_id = _as_user(ticket, action, actor.user, actor, partial(contents.of, index))
                if note_id is not None:
                    written.append(note_id)
            elif action.do in _OF_COMPANY:
                _OF_COMPANY[action.do](ticket, action, actor)
            else:
                _send(ticket, contents.of(index), actor)
        except DomainError as error:
            raise ActionRefused(index, error) from error
    return written


def _send(ticket: Ticket, contents: Sequence[Content], actor: Actor) -> None:
    """Write to the contact as the bot does, or say why not."""
    connection = ticket.connection
    if connection is None:
        raise NoConnection
    for content in contents:
        is_template = isinstance(content, FilledTemplate)
        if not is_template and not is_ours(ticket):
            raise LedElsewhere
        if not is_template and not is_window_open(ticket, connection):
            raise OutsideWindow
        write_message(
            content,
            ticket=ticket,
            user=None,
            source=MessageSource.BOT,
            origin=Origin.RULE.of(actor.rule_id),
        )


def _tag(ticket: Ticket, action: Action, _actor: Actor) -> None:
    tag_id = action.id or 0
    if not Tag.objects.for_company(ticket.company_id).filter(pk=tag_id).exists():
        raise TagNotFound
    if set_tags([(ticket.pk, tag_id)]):
        ticket_updated(ticket)


def _untag(ticket: Ticket, action: Action, _actor: Actor) -> None:
    if take_tags([(ticket.pk, action.id or 0)]):
        ticket_updated(ticket)


def _prioritize(ticket: Ticket, action: Action, _actor: Actor) -> None:
    if ticket.priority != action.priority:
        change_priority(ticket, TicketPriority(action.priority), by=BY)


def _set_field(ticket: Ticket, action: Action, _actor: Actor) -> None:
    set_field(contact=ticket.contact, name=action.name, value=action.text)


def _move(ticket: Ticket, action: Action, _actor: Actor) -> None:
    queue = Queue.objects.for_company(ticket.company_id).filter(pk=action.id or 0).first()
    if queue is None:
        raise QueueNotFound
    if ticket.queue_id != queue.pk:
        stop_snooze(ticket)
        with because(Why.RULE):
            move_to_queue(ticket, queue, by=BY)


def _assign(ticket: Ticket, action: Action, _actor: Actor) -> None:
    """Give a ticket to a person, or without one back to its queue."""
    if action.id is None:
        if ticket.status == TicketStatus.OPEN:
            stop_snooze(ticket)
            with because(Why.RULE):
                move_ticket(ticket, TicketStatus.PENDING, TicketActivityKind.RETURNED)
                left_waiting(ticket)
        return
    user = User.objects.for_company(ticket.company_id).filter(pk=action.id).first()
    if user is None:
        raise UserNotFound
    if ticket.status == TicketStatus.OPEN and ticket.user_id == user.pk:
        return
    if not user.is_active or not works_in(user, ticket.queue_id):
        sentence = f"{user.name} não atende na fila desta conversa."
        raise InvalidInput(sentence, fields={"userId": [sentence]}, rule="not_in_queue")
    stop_snooze(ticket)
    with because(Why.RULE):
        assign_ticket(ticket, user, by=BY)


def stop_snooze(ticket: Ticket) -> None:
    if ticket.snoozed_at is not None:
        end_snooze(ticket)
        update_rows([ticket], SNOOZE_FIELDS)


def _put_aside(ticket: Ticket, action: Action, _actor: Actor) -> None:
    put_aside(ticket, _until(action), by=BY)


def _write_note(ticket: Ticket, action: Action, actor: Actor) -> None:
    notes.add_note(ticket, action.text, by=BY, name=actor.name)


def _resolve(ticket: Ticket, _action: Action, _actor: Actor) -> None:
    if ticket.status not in LIVE:
        return
    was_held = ticket.status == TicketStatus.OPEN and ticket.user_id is not None
    stop_snooze(ticket)
    move_ticket(ticket, TicketStatus.CLOSED, TicketActivityKind.RESOLVED)
    ratings.tell_resolved(ticket=ticket, was_held=was_held)


def _tell(ticket: Ticket, action: Action, actor: Actor) -> None:
    events.rule_tells(ticket, name=actor.name, text=action.text, tells=action.tells)


def _call_webhooks(ticket: Ticket, action: Action, actor: Actor) -> None:
    told = {
        **conversation_part(ticket),
        "rule": {
            "id": actor.rule_id or actor.macro_id,
            "kind": "rule" if actor.user is None else "macro",
            "name": actor.name,
            "text": action.text,
        },
    }
    if not rule_ran(ticket.contact, told):
        raise NobodyHears


_OF_COMPANY: Mapping[Do, Callable[[Ticket, Action, Actor], None]] = {
    Do.ADD_TAG: _tag,
    Do.REMOVE_TAG: _untag,
    Do.PRIORITY: _prioritize,
    Do.CONTACT_FIELD: _set_field,
    Do.QUEUE: _move,
    Do.PERSON: _assign,
    Do.SNOOZE: _put_aside,
    Do.NOTE: _write_note,
    Do.TELL: _tell,
    Do.RESOLVE: _resolve,
    Do.WEBHOOK: _call_webhooks,
}


def _until(action: Action) -> datetime | None:
    return timezone.now() + timedelta(minutes=action.minutes) if action.minutes else None


def _as_user(
    ticket: Ticket,
    action: Action,
    user: User,
    actor: Actor,
    contents: Callable[[], Sequence[Content]],
) -> int | None:
    """Do an action as the user would by hand, with the refusals of that; return a note's id."""
    match action.do:
        case Do.ADD_TAG:
            add_tag(user=user, ticket_id=ticket.pk, tag_id=action.id or 0)
        case Do.PRIORITY:
            priority = TicketPriority(action.priority)
            set_priority(user=user, ticket_id=ticket.pk, priority=priority)
        case Do.QUEUE:
            _change(ticket, user, queue_id=action.id, status=TicketStatus.PENDING)
        case Do.PERSON if action.id is None:
            _change(ticket, user, status=TicketStatus.PENDING)
        case Do.PERSON:
            _change(ticket, user, user_id=action.id, status=TicketStatus.OPEN)
        case Do.SNOOZE:
            snooze_ticket(user=user, ticket_id=ticket.pk, until=_until(action))
        case Do.NOTE:
            return notes.write_note(user=user, ticket_id=ticket.pk, text=action.text).pk
        case Do.RESOLVE:
            _change(ticket, user, status=TicketStatus.CLOSED, closing_reason=action.text)
        case Do.SEND_TEXT | Do.SEND_QUICK | Do.SEND_TEMPLATE:
            _send_as(ticket, contents(), user, is_template=action.do == Do.SEND_TEMPLATE)
        case _:
            check_may_act(user, ticket)
            if action.do == Do.CONTACT_FIELD:
                check_allowed(user, [Permission.EDIT_CONTACTS])
            _OF_COMPANY[action.do](ticket, action, actor)
    return None


def _change(ticket: Ticket, user: User, **wanted: object) -> None:
    update_ticket(user=user, ticket_id=ticket.pk, change=TicketChange.of(wanted))


def _send_as(ticket: Ticket, contents: Sequence[Content], user: User, *, is_template: bool) -> None:
    writable_connection(ticket, user, at_any_hour=is_template)
    for content in contents:
        write_message(content, ticket=ticket, user=user, source=MessageSource.AGENT)
