"""Reading a conversation: only the holder resets the unread count (rules/tickets §7)."""

from django.db import transaction

from apps.accounts.models import User
from apps.common.wakeups import wake
from apps.tickets import events
from apps.tickets.models import Delivery, DeliveryKind, Message, Ticket

MOST_UNREAD = 1000


def read_ticket(*, ticket: Ticket, user: User) -> None:
    """Reset the unread count if the reader holds the ticket; another reader changes nothing.

    The provider gets a read receipt; `updated_at` stays.
    """
    if ticket.user_id != user.pk or not ticket.unread_count:
        return
    with transaction.atomic():
        unread = Ticket.objects.filter(pk=ticket.pk, user=user, unread_count__gt=0)
        if unread.update(unread_count=0):
            mark_messages_read(ticket, ticket.unread_count)
            ticket.unread_count = 0
            events.unread_reset(ticket)


def mark_messages_read(ticket: Ticket, unread_count: int) -> None:
    """Mark the newest received messages as read, and queue the receipt for the provider."""
    received = Message.objects.filter(ticket=ticket, from_me=False).order_by("-id")
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
