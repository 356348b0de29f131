"""Transitions of a ticket: accept, return, resolve, reopen, transfer, delete.

See rules/tickets §1. `transitions` decides what a change means; this module checks permissions,
writes, tracks and emits. Messages to the contact are outbox rows of the same transaction and are
sent after the commit.
"""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery, TextField, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.accounts.models import User
from apps.audit.services import record
from apps.automation.models import Prompt, QueueIntegration
from apps.common.bulk import insert_row, update_rows
from apps.common.compiled_queries import CompiledQuery
from apps.common.errors import DomainError, InvalidInput, NotFound
from apps.common.registry import Hook
from apps.companies.models import CompanySetting
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets import events
from apps.tickets.bot_states import BOT_FIELDS
from apps.tickets.models import (
    Message,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketOwner,
    TicketStatus,
    TrackingCycle,
)
from apps.tickets.owners import OWNER_FIELDS, known_owner
from apps.tickets.queries.access import visible_to
from apps.tickets.rooms import ticket_audiences
from apps.tickets.serializers import ticket_row
from apps.tickets.services.outbox import greet_accepted, tell_transferred
from apps.tickets.services.rights import (
    check_allowed,
    check_leads,
    check_may_act,
    locked_ticket,
    works_in,
)
from apps.tickets.services.tickets import ratings
from apps.tickets.services.tickets.bot_hooks import bot_ends, bot_turned_off, left_waiting
from apps.tickets.services.tickets.closing import CLOSING_SETTINGS, check_closing
from apps.tickets.services.tickets.days import forget_days_of
from apps.tickets.services.tickets.following import tell_of_change
from apps.tickets.services.tickets.removals import forget_media
from apps.tickets.services.tickets.snoozing import SNOOZE_FIELDS, end_snooze
from apps.tickets.services.tickets.tracking import track
from apps.tickets.services.tickets.transitions import (
    Move,
    TicketChange,
    TicketState,
    decide,
    permissions_for,
)
from apps.tickets.services.window import latest_inbound_at

LIVE = (TicketStatus.OPEN, TicketStatus.PENDING)
# Called with a locked ticket before a user takes it from waiting by hand; it raises a refusal.
taken_by_hand: Hook[[User, Ticket]] = Hook()
_MOVED = (
    *("status", "user", "connection", "last_inbound_at"),
    *("is_handed_over", "handed_over_by", "updated_at", "closed_at"),
    *BOT_FIELDS,
    *OWNER_FIELDS,
    *SNOOZE_FIELDS,
)
_NAMED = ("queue", "connection")


def _settings() -> list[Coalesce]:
    """Return what the company asks for at closing, as columns: no query of its own reads them."""
    stored = CompanySetting.objects.filter(company=OuterRef("company")).values("value")
    return [
        Coalesce(Subquery(stored.filter(key=key)[:1]), Value(""), output_field=TextField())
        for key in CLOSING_SETTINGS
    ]


_NAMES = CompiledQuery(
    lambda ticket_id: (
        Ticket.objects.filter(pk=ticket_id)
        .order_by()
        .values_list(
            *(f"{each}__name" for each in _NAMED), "queue__asks_transfer_note", *_settings()
        )
    )
)


class OtherOpenTicket(DomainError):
    """The contact has another live ticket on the connection; the response has it in `ticket`."""

    status = 409
    code = "ERR_OTHER_OPEN_TICKET"
    message = "Já existe um atendimento em andamento com este contato nesta conexão."


class TransferNoteMissing(DomainError):
    """The queue wants a note with each transfer to it, or inside it."""

    code = "ERR_TRANSFER_NOTE_REQUIRED"
    message = "Esta fila pede um recado na transferência. Escreva o que a próxima pessoa precisa."


class UserNotFound(NotFound):
    code = "ERR_NO_USER_FOUND"
    message = "Usuário não encontrado."


class QueueNotFound(NotFound):
    message = "Fila não encontrada."


class ConnectionNotFound(NotFound):
    code = "ERR_NO_WAPP_FOUND"
    message = "Conexão não encontrada."


def update_ticket(*, user: User, ticket_id: int, change: TicketChange) -> Ticket:
    """Apply a change, compared with the stored row; returns the ticket.

    Raises TicketNotFound, TicketNotReadable, NoPermission for what the user's role does not allow,
    TicketAlreadyTaken, TicketNotOpen, OtherOpenTicket, and NotFound or InvalidInput for the user,
    queue or connection of the change.
    """
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket_id)
        check_may_act(user, ticket)
        before = TicketState.of(ticket)
        audiences = ticket_audiences(ticket)
        move = decide(before, change, user.pk)
        check_allowed(user, permissions_for(before, move, user.pk))
        if move.kind in {
            TicketActivityKind.RESOLVED,
            TicketActivityKind.RETURNED,
            TicketActivityKind.TRANSFERRED,
        } and (before.status == TicketStatus.OPEN and before.user_id is not None):
            check_leads(user, ticket)
        bot = _bot_of(ticket, change)
        if move.kind is None:
            return _write_bot(ticket, bot)
        if before.status == TicketStatus.PENDING and move.state.status == TicketStatus.OPEN:
            taken_by_hand(user, ticket)
        names, asks_note, closing = _check_names(user, ticket, before, move.state)
        if move.kind == TicketActivityKind.RESOLVED:
            check_closing(ticket=ticket, reason=change.closing_reason, **closing)
        elif change.closing_reason:
            sentence = "Só quem resolve o atendimento informa o motivo."
            raise InvalidInput(sentence, fields={"closingReason": [sentence]}, rule="unused")
        if asks_note and not change.note.strip() and _hands_over(user, before, move):
            sentence = TransferNoteMissing.message
            raise TransferNoteMissing(fields={"note": [sentence]}, rule="required")
        _check_no_other_live(user, ticket, before, move.state)
        told = {**names, "note": change.note} if change.note else names
        if change.closing_reason:
            told = {**told, "closingReason": change.closing_reason}
        activity = _apply(ticket=ticket, user=user, before=before, move=move, told=told)
        events.ticket_updated(
            ticket, old_status=before.status, audiences_before=audiences, activity=activity
        )
        tell_of_change(ticket, activity)
        if move.kind == TicketActivityKind.ACCEPTED:
            greet_accepted(ticket=ticket, user=user)
        elif move.kind == TicketActivityKind.TRANSFERRED:
            _tell_contact(ticket, before, activity)
        elif move.kind == TicketActivityKind.RESOLVED:
            was_held = before.status == TicketStatus.OPEN and before.user_id is not None
            ratings.tell_resolved(ticket=ticket, was_held=was_held)
        is_returned = move.kind == TicketActivityKind.RETURNED
        if is_returned or (ticket.status == TicketStatus.PENDING and ticket.queue_id is None):
            left_waiting(ticket)
        return ticket


def delete_ticket(*, user: User, ticket_id: int, ip_address: str | None = None) -> None:
    """Delete a ticket with its messages, with an audit row; raises TicketNotFound."""
    with transaction.atomic():
        ticket = locked_ticket(user=user, ticket_id=ticket_id)
        contact = ticket.contact
        record(
            action="ticket.deleted",
            actor=user,
            company_id=user.company_id,
            target=ticket,
            detail={"contact": contact.name, "number": contact.number, "status": ticket.status},
            ip_address=ip_address,
        )
        events.ticket_deleted(ticket)
        forget_media(Message.objects.filter(ticket=ticket))
        # Of all: another cycle of the contact may be the first now.
        forget_days_of(user.company_id, TrackingCycle.objects.filter(contact=contact))
        ticket.delete()


def live_ticket_of(*, company_id: int, contact_id: int, connection_id: int) -> Ticket | None:
    """Return the contact's open or pending ticket on a connection."""
    return (
        Ticket.objects.for_company(company_id)
        .filter(contact_id=contact_id, connection_id=connection_id, status__in=LIVE)
        .first()
    )


def other_open_ticket(user: User, other: Ticket) -> OtherOpenTicket:
    """Return the error with the other ticket's row, in which `user` and `queue` are never null.

    A user who may not read that ticket sees its holder and queue, but not its last message.
    """
    row: dict[str, Any] = ticket_row(other)
    row["user"] = row["user"] or {}
    row["queue"] = row["queue"] or {}
    if not visible_to(user).filter(pk=other.pk).exists():
        row["lastMessage"] = ""
    return OtherOpenTicket(extra={"ticket": row})


def _check_names(
    user: User, ticket: Ticket, before: TicketState, after: TicketState
) -> tuple[dict[str, str | None], bool, dict[str, str]]:
    """Check the user, queue and connection of the new state.

    Returns their names, whether the queue asks for a note, and what the company asks for at
    closing. The ticket keeps a new queue and connection for what is written to its contact.
    """
    [(*stored, asks_note, reasons, fields)] = _NAMES.rows(ticket_id=ticket.pk)
    names = dict(zip(_NAMED, stored, strict=True))
    if after.queue_id != before.queue_id:
        ticket.queue = _one(Queue, user, after.queue_id, QueueNotFound, "queueId")
        names["queue"] = ticket.queue.name if ticket.queue else None
        asks_note = ticket.queue is not None and ticket.queue.asks_transfer_note
    if after.connection_id != before.connection_id:
        connection = _one(Connection, user, after.connection_id, ConnectionNotFound, "whatsappId")
        ticket.connection = connection
        names["connection"] = connection.name if connection else None
    takes_over = after.user_id != before.user_id or after.queue_id != before.queue_id
    holder: User | None
    if after.user_id is not None and after.user_id == user.pk:
        # That they may act in the ticket's present queue was checked.
        holder, takes_over = user, after.queue_id != before.queue_id
    else:
        holder = _one(User, user, after.user_id, UserNotFound, "userId")
    if holder is not None and after.status == TicketStatus.OPEN and takes_over:
        _check_may_hold(holder, after.queue_id)
    named = {
        "user": holder.name if holder and after.status == TicketStatus.OPEN else None,
        **names,
    }
    return named, bool(asks_note), {"reasons_text": reasons, "fields_text": fields}


def _hands_over(user: User, before: TicketState, move: Move) -> bool:
    """Tell whether a transfer gives the ticket to somebody else."""
    is_other = _receiver(move.state) != _receiver(before) and move.state.user_id != user.pk
    return move.kind == TicketActivityKind.TRANSFERRED and is_other


def _one(model: Any, user: User, pk: int | None, error: type[NotFound], field: str) -> Any:
    if pk is None:
        return None
    found = model.objects.for_company(user.company_id).filter(pk=pk).first()
    if found is None:
        raise error(fields={field: [error.message]})
    return found


def _check_may_hold(holder: User, queue_id: int | None) -> None:
    if not holder.is_active:
        raise InvalidInput(
            "Este usuário está desativado.", fields={"userId": ["Desativado."]}, rule="disabled"
        )
    if not works_in(holder, queue_id):
        sentence = "Este usuário não atende na fila escolhida."
        raise InvalidInput(sentence, fields={"userId": [sentence]}, rule="not_in_queue")


def _check_no_other_live(
    user: User, ticket: Ticket, before: TicketState, after: TicketState
) -> None:
    if after.connection_id is None or not _becomes_live(before, after):
        return
    other = live_ticket_of(
        company_id=ticket.company_id,
        contact_id=ticket.contact_id,
        connection_id=after.connection_id,
    )
    if other is not None and other.pk != ticket.pk:
        raise other_open_ticket(user, other)


def _becomes_live(before: TicketState, after: TicketState) -> bool:
    """Tell whether the ticket is live on a connection where it was not."""
    begins = before.status == TicketStatus.CLOSED or before.connection_id != after.connection_id
    return begins and after.status in LIVE


def _apply(
    *,
    ticket: Ticket,
    user: User,
    before: TicketState,
    move: Move,
    told: dict[str, str | None],
) -> TicketActivity:
    now = timezone.now()
    after = move.state
    ticket.status = after.status
    ticket.user_id, ticket.queue_id = after.user_id, after.queue_id
    if after.connection_id != before.connection_id:
        ticket.connection_id = after.connection_id
        # The 24-hour window is per connection, and so is who leads.
        ticket.last_inbound_at = None
        ticket.owner, ticket.owner_at = TicketOwner.US, None
        if after.connection_id is not None:
            known = known_owner(
                company_id=ticket.company_id,
                contact_id=ticket.contact_id,
                connection_id=after.connection_id,
            )
            ticket.owner, ticket.owner_at = known["owner"], known["owner_at"]
    if after.connection_id is not None and ticket.last_inbound_at is None:
        ticket.last_inbound_at = latest_inbound_at(
            company_id=ticket.company_id,
            contact_id=ticket.contact_id,
            connection_id=after.connection_id,
        )
    if _receiver(after) != _receiver(before):
        ticket.is_handed_over = after.status != TicketStatus.CLOSED and after.user_id != user.pk
        ticket.handed_over_by = user.person if ticket.is_handed_over else None
    ticket.updated_at = now
    ticket.closed_at = now if after.status == TicketStatus.CLOSED else None
    end_snooze(ticket)
    # A person has moved the ticket, so the bot ends for this cycle.
    bot_ends(ticket)
    if _becomes_live(before, after):
        try:
            with transaction.atomic():
                update_rows([ticket], _MOVED)
        except IntegrityError:
            # A message opened another ticket after the check above.
            _check_no_other_live(user, ticket, before, after)
            raise
    else:
        update_rows([ticket], _MOVED)
    track(ticket, old_status=before.status, at=now, reason=told.get("closingReason") or "")
    activity = TicketActivity(
        ticket=ticket,
        kind=str(move.kind),
        actor=user.person,
        detail={"actor": user.name, **told},
        created_at=now,
    )
    insert_row(activity)
    return activity


def _receiver(state: TicketState) -> tuple[str, int | None]:
    """Return whose ticket it is: its holder's, or its queue's while it waits."""
    return state.status, state.queue_id if state.status == TicketStatus.PENDING else state.user_id


def _bot_of(ticket: Ticket, change: TicketChange) -> dict[str, Any]:
    """Return the requested bot fields; raises NotFound for a foreign prompt or integration."""
    bot = dict(change.bot)
    if bot.get("use_integration") is None:
        bot.pop("use_integration", None)
    for name, model in (("prompt_id", Prompt), ("integration_id", QueueIntegration)):
        pk = bot.get(name)
        if (
            pk is not None
            and not model.objects.filter(company_id=ticket.company_id, pk=pk).exists()
        ):
            wire = "promptId" if name == "prompt_id" else "integrationId"
            raise NotFound(fields={wire: [NotFound.message]})
    return bot


def _write_bot(ticket: Ticket, bot: dict[str, Any]) -> Ticket:
    changed = {name: value for name, value in bot.items() if getattr(ticket, name) != value}
    if changed and ticket.status == TicketStatus.PENDING:
        for name, value in changed.items():
            setattr(ticket, name, value)
        ticket.save(update_fields=list(changed))
        if not (ticket.use_integration or ticket.prompt_id):
            # Turning the bot off applies to the whole cycle. Otherwise the next message would start
            # it again.
            bot_turned_off(ticket)
            if ticket.queue_id is None:
                # If the bot was not leading any more, ending it gave the ticket no queue.
                left_waiting(ticket)
        events.ticket_updated(ticket, is_changed=False)
    return ticket


def _tell_contact(ticket: Ticket, before: TicketState, activity: TicketActivity) -> None:
    new_queue = ticket.queue_id != before.queue_id
    new_user = ticket.user_id is not None and ticket.user_id != before.user_id
    tell_transferred(
        ticket=ticket,
        queue_name=activity.detail["queue"] if new_queue else None,
        user_name=activity.detail["user"] if new_user else None,
    )
