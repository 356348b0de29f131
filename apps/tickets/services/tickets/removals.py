"""What becomes of tickets when a user, a queue, a connection or a contact goes.

See rules/tickets §13. Lower apps call these through their hooks, in the transaction of the
departure.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.automation.models import Prompt, QueueIntegration
from apps.common.media import delete_media, is_shared
from apps.common.reasons import Reason, ReasonCode
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets import events
from apps.tickets.models import (
    Ack,
    Delivery,
    DeliveryKind,
    Message,
    MessageReaction,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketStatus,
)
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services.bot.leading import end_bot, give_back_ticket
from apps.tickets.services.messages.statuses import outcomes_recorded
from apps.tickets.services.tickets.tracking import track

LIVE = (TicketStatus.OPEN, TicketStatus.PENDING)


def return_tickets_of(user: User) -> None:
    """Give the open tickets of a leaving user back to their queues."""
    for ticket in _locked(user=user, status=TicketStatus.OPEN):
        _move(ticket, TicketStatus.PENDING, TicketActivityKind.RETURNED)
        give_back_ticket(ticket)


def free_tickets_of(queue: Queue) -> None:
    """Leave the tickets of a deleted queue without one; live ones are told to their readers."""
    live = [(ticket, ticket_audiences(ticket)) for ticket in _locked(queue=queue, status__in=LIVE)]
    Ticket.objects.filter(queue=queue).update(queue=None)
    for ticket, audiences in live:
        ticket.queue = None
        events.ticket_updated(ticket, old_status=ticket.status, audiences_before=audiences)


def close_tickets_of(connection: Connection) -> None:
    """Close the live tickets of a deleted connection; its history stays, its unsent texts fail."""
    unsent = Message.objects.select_related("ticket").filter(
        pk__in=Delivery.objects.filter(connection=connection, kind=DeliveryKind.SEND)
        .unfinished()
        .values("message_id"),
        ack=Ack.PENDING,
    )
    for message in unsent:
        message.ack = Ack.ERROR
        message.error_code = "ERR_NO_WAPP_FOUND"
        message.error_reason = "A conexão foi excluída antes do envio."
        message.reason_code = ReasonCode.CONNECTION_DELETED
        message.save(update_fields=["ack", "error_code", "error_reason", "reason_code"])
        outcomes_recorded([message])
        events.message_updated(message)
    for ticket in _locked(connection=connection, status__in=LIVE):
        _move(ticket, TicketStatus.CLOSED, TicketActivityKind.RESOLVED)


def end_bots_of(leader: Prompt | QueueIntegration) -> None:
    """Leave to people the conversations that a deleted prompt or integration leads."""
    is_prompt = isinstance(leader, Prompt)
    name = "prompt" if is_prompt else "integration"
    gone = "O prompt foi excluído." if is_prompt else "A integração foi excluída."
    cause = Reason(ReasonCode.PROMPT_DELETED if is_prompt else ReasonCode.INTEGRATION_DELETED)
    for ticket in _locked(**{name: leader}, user=None, status__in=LIVE):
        end_bot(ticket, "failed", error=gone, cause=cause)


def forget_tickets_of(contact: Contact) -> None:
    """Tell that the tickets of a deleted contact go with it, and remove their files."""
    forget_media(Message.objects.filter(contact=contact))
    for ticket in _locked(contact=contact):
        events.ticket_deleted(ticket)


def merge_tickets(keep: Contact, gone: Contact) -> None:
    """Move conversations to the contact that stays; where both have a live ticket, its own wins."""
    taken = {ticket.connection_id: ticket for ticket in _locked(contact=keep, status__in=LIVE)}
    moved = _locked(contact=gone, status__in=LIVE)
    for ticket in moved:
        if ticket.connection_id in taken:
            _move(ticket, TicketStatus.CLOSED, TicketActivityKind.RESOLVED)
    Ticket.objects.filter(contact=gone).update(contact=keep)
    Message.objects.filter(contact=gone).update(contact=keep)
    Message.objects.filter(participant=gone).update(participant=keep)
    Delivery.objects.filter(contact=gone).update(contact=keep)
    answered = MessageReaction.objects.filter(sender=keep).values("message_id")
    MessageReaction.objects.filter(sender=gone).exclude(message_id__in=answered).update(sender=keep)
    for ticket in moved:
        ticket.contact = keep
        events.ticket_updated(ticket)


def note_number_of(contact: Contact) -> None:
    """Say in the live conversations of a contact that its number is another one."""
    for ticket in _locked(contact=contact, status__in=LIVE):
        ticket.contact = contact
        activity = TicketActivity.objects.create(
            ticket=ticket,
            kind=TicketActivityKind.RENUMBERED,
            detail={"number": contact.number},
        )
        events.ticket_updated(ticket, activity=activity)


def forget_media(messages: "QuerySet[Message]") -> None:
    """Remove the files of messages that are about to be deleted, once they are."""
    paths = list(messages.exclude(media_path="").values_list("media_path", flat=True))
    own = [path for path in paths if not is_shared(path)]
    transaction.on_commit(lambda: _delete_files(own), robust=True)


def _delete_files(paths: Iterable[str]) -> None:
    for path in paths:
        delete_media(path)


def _locked(**conditions: object) -> list[Ticket]:
    tickets = Ticket.objects.filter(**conditions).order_by("pk")
    return list(tickets.select_for_update(no_key=True))


def _move(ticket: Ticket, status: str, kind: str) -> None:
    now = timezone.now()
    old_status, audiences = ticket.status, ticket_audiences(ticket)
    ticket.status = status
    ticket.updated_at = now
    if status == TicketStatus.PENDING:
        ticket.user = None
    else:
        ticket.closed_at = now
    ticket.save(update_fields=["status", "user", "updated_at", "closed_at"])
    if status == TicketStatus.CLOSED:
        end_bot(ticket, "")
    track(ticket, old_status=old_status, at=now)
    activity = TicketActivity.objects.create(
        ticket=ticket,
        kind=kind,
        detail={
            "queue": ticket.queue.name if ticket.queue else None,
            "connection": ticket.connection.name if ticket.connection else None,
        },
        created_at=now,
    )
    events.ticket_updated(
        ticket, old_status=old_status, audiences_before=audiences, activity=activity
    )
