"""Reading a conversation: the unread count and the mark of a hand-over (rules/tickets §7)."""

from django.db import transaction

from apps.accounts.models import User, UserQueue
from apps.common.wakeups import wake
from apps.tickets import events
from apps.tickets.models import (
    Delivery,
    DeliveryKind,
    Message,
    MessageSource,
    Ticket,
    TicketStatus,
)
from apps.tickets.queries.access import reads_whole_company

MOST_UNREAD = 1000


def read_ticket(*, ticket: Ticket, user: User) -> None:
    """Reset the unread count if the reader holds the ticket, and the mark if it came to them.

    Other readers change nothing. The provider gets a read receipt; `updated_at` stays.
    """
    _open_handed_over(ticket, user)
    if ticket.user_id != user.pk or not ticket.unread_count:
        return
    with transaction.atomic():
        unread = Ticket.objects.filter(pk=ticket.pk, user=user, unread_count__gt=0)
        if unread.update(unread_count=0):
            mark_messages_read(ticket, ticket.unread_count)
            ticket.unread_count = 0
            events.unread_reset(ticket)


def _open_handed_over(ticket: Ticket, user: User) -> None:
    if not ticket.is_handed_over or ticket.handed_over_by_id == user.pk:
        return
    if ticket.status == TicketStatus.PENDING:
        is_receiver = _serves(user, ticket.queue_id)
    else:
        is_receiver = ticket.user_id == user.pk
    # The condition names the receiver: it may have been handed on meanwhile.
    there = Ticket.objects.filter(
        pk=ticket.pk, is_handed_over=True, user=ticket.user_id, queue=ticket.queue_id
    )
    if is_receiver:
        with transaction.atomic():
            if there.update(is_handed_over=False, handed_over_by=None):
                ticket.is_handed_over, ticket.handed_over_by = False, None
                events.handover_opened(ticket)


def _serves(user: User, queue_id: int | None) -> bool:
    """Tell whether tickets that wait in the queue wait for the user; without a queue, for admins.

    An admin who only looks at another queue's ticket leaves its mark.
    """
    if queue_id is None:
        return reads_whole_company(user)
    return UserQueue.objects.filter(user=user, queue=queue_id).exists()


def mark_messages_read(ticket: Ticket, unread_count: int) -> None:
    """Mark the newest received messages as read, and queue the receipt for the provider."""
    received = Message.objects.filter(ticket=ticket, from_me=False).order_by("-id")
    received = received.exclude(source=MessageSource.OTHER)
    newest = list(received[: min(unread_count, MOST_UNREAD)])
    Message.objects.filter(pk__in=[message.pk for message in newest]).update(is_read=True)
    last = next((message for message in newest if message.external_id), None)
    if last is None or last.connection_id is None:
        return
    Delivery.objects.create(
        company_id=ticket.company_id,
        connection_id=last.connection_id,
        contact_id=last.contact_id,
        message=last,
        kind=DeliveryKind.MARK_READ,
    )
    wake("tickets.deliver")
