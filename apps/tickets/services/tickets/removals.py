"""Handles tickets when a user, a queue, a connection or a contact is deleted.

See rules/tickets §13. Lower apps call these functions through their hooks, in the transaction of
the deletion.
"""

from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import User
from apps.common.bulk import update_rows
from apps.common.leases import LeaseState
from apps.common.media import delete_media, is_shared
from apps.common.reasons import Reason, ReasonCode
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.queues.models import Queue
from apps.tickets import events
from apps.tickets.bot_states import BOT_FIELDS
from apps.tickets.models import (
    Ack,
    Delivery,
    DeliveryKind,
    MediaFetch,
    MediaState,
    Message,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketStatus,
    TrackingCycle,
)
from apps.tickets.rooms import ticket_audiences
from apps.tickets.services.messages.fetching import FAILED_CODE
from apps.tickets.services.outbox.statuses import give_up, locked_messages
from apps.tickets.services.tickets.bot_hooks import bot_ends, left_waiting
from apps.tickets.services.tickets.days import forget_days_of
from apps.tickets.services.tickets.following import tell_of_change
from apps.tickets.services.tickets.tracking import track

LIVE = (TicketStatus.OPEN, TicketStatus.PENDING)
# States of sends that may already have reached the provider.
BEGUN = (LeaseState.SENDING, LeaseState.UNKNOWN)
CONNECTION_GONE = "ERR_NO_WAPP_FOUND"


def return_tickets_of(user: User) -> None:
    """Return the open tickets of a departing user to their queues."""
    for ticket in locked_tickets(user=user, status=TicketStatus.OPEN):
        move_ticket(ticket, TicketStatus.PENDING, TicketActivityKind.RETURNED)
        left_waiting(ticket)


def free_tickets_of(queue: Queue, afterwards: list[Callable[[], None]]) -> None:
    """Remove the queue from the tickets of a deleted queue; events are emitted for live ones."""
    live = [
        (ticket, ticket_audiences(ticket))
        for ticket in locked_tickets(queue=queue, status__in=LIVE)
    ]
    Ticket.objects.filter(queue=queue).update(queue=None)
    for ticket, audiences in live:
        ticket.queue = None
        events.ticket_updated(ticket, old_status=ticket.status, audiences_before=audiences)


def close_tickets_of(connection: Connection) -> None:
    """Close the live tickets of a deleted connection; the messages stay.

    Messages not sent and files not fetched yet are marked as failed. Messages that are just being
    sent get an error which says that the outcome is unknown.
    """
    # Lock order: tickets before their messages.
    tickets = locked_tickets(connection=connection, status__in=LIVE)
    _fail_sends_of(connection)
    _fail_fetches_of(connection)
    # By holder: where the distribution is on, each change locks the holder's row.
    for ticket in sorted(tickets, key=lambda each: each.user_id or 0):
        move_ticket(ticket, TicketStatus.CLOSED, TicketActivityKind.RESOLVED)


def _fail_sends_of(connection: Connection) -> None:
    sends = Delivery.objects.filter(connection=connection, kind=DeliveryKind.SEND).unfinished()
    # Messages are locked first, and `ack` is checked under the lock. Recording an outcome locks in
    # the same order and may have been faster.
    pending = locked_messages().filter(pk__in=sends.values("message_id"), ack=Ack.PENDING)
    messages = list(pending.order_by("pk"))
    # While the rows are locked, no worker can claim them.
    held = sends.filter(message__in=messages).order_by("pk").select_for_update(no_key=True)
    states = dict(held.values_list("message_id", "state"))
    begun = {pk for pk, state in states.items() if state in BEGUN}
    give_up(
        [message for message in messages if message.pk not in begun],
        error_reason="A conexão foi excluída antes do envio.",
        reason=Reason(ReasonCode.CONNECTION_DELETED),
        error_code=CONNECTION_GONE,
    )
    give_up(
        [message for message in messages if message.pk in begun],
        error_reason=(
            "A conexão foi excluída durante o envio. Não se sabe se a mensagem chegou ao contato."
        ),
        reason=Reason(ReasonCode.CONNECTION_DELETED_SENDING),
        error_code=CONNECTION_GONE,
    )


def _fail_fetches_of(connection: Connection) -> None:
    fetches = MediaFetch.objects.filter(connection=connection).unfinished()
    awaited = locked_messages().filter(
        pk__in=fetches.values("message_id"), media_state=MediaState.FETCHING
    )
    for message in awaited.order_by("pk"):
        message.media_state = MediaState.FAILED
        message.error_code = FAILED_CODE
        message.error_reason = "A conexão foi excluída antes de o arquivo ser baixado."
        message.reason_code = ReasonCode.MEDIA_NOT_FETCHED
        message.save(update_fields=["media_state", "error_code", "error_reason", "reason_code"])
        events.message_updated(message)


def forget_tickets_of(contact: Contact) -> None:
    """Emit the deletion of a deleted contact's tickets, and remove their files."""
    forget_media(Message.objects.filter(contact=contact))
    forget_days_of(contact.company_id, TrackingCycle.objects.filter(contact=contact))
    for ticket in locked_tickets(contact=contact):
        events.ticket_deleted(ticket)


def note_number_of(contact: Contact) -> None:
    """Add an activity to the contact's live tickets: its number has changed."""
    for ticket in locked_tickets(contact=contact, status__in=LIVE):
        ticket.contact = contact
        activity = TicketActivity.objects.create(
            ticket=ticket,
            kind=TicketActivityKind.RENUMBERED,
            detail={"number": contact.number},
        )
        events.ticket_updated(ticket, activity=activity)


def forget_media(messages: "QuerySet[Message]") -> None:
    """Remove the files of messages that are about to be deleted, after the commit."""
    paths = list(messages.exclude(media_path="").values_list("media_path", flat=True))
    own = [path for path in paths if not is_shared(path)]
    transaction.on_commit(lambda: _delete_files(own), robust=True)


def _delete_files(paths: Iterable[str]) -> None:
    for path in paths:
        delete_media(path)


def locked_tickets(**conditions: object) -> list[Ticket]:
    """Return tickets in the order of their ids, locked until commit."""
    tickets = Ticket.objects.filter(**conditions).order_by("pk")
    return list(tickets.select_for_update(no_key=True))


def move_ticket(ticket: Ticket, status: str, kind: str, *, woken: str = "") -> None:
    """Change a locked ticket's status, with its activity and events.

    `woken` says why it wakes, if that is what moves it; any other move ends an earlier waking.
    """
    now = timezone.now()
    old_status, audiences = ticket.status, ticket_audiences(ticket)
    ticket.status = status
    ticket.updated_at = now
    ticket.closed_at = now if status == TicketStatus.CLOSED else None
    if status == TicketStatus.PENDING:
        ticket.user = None
    ticket.is_handed_over = kind == TicketActivityKind.RETURNED
    ticket.handed_over_by = None
    ticket.woken = woken
    changed = ["status", "user", "is_handed_over", "handed_over_by", "updated_at", "closed_at"]
    changed.append("woken")
    if status == TicketStatus.CLOSED:
        bot_ends(ticket)
        changed += BOT_FIELDS
    update_rows([ticket], changed)
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
    tell_of_change(ticket, activity)
