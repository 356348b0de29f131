"""Who leads a conversation: we, another responder of the number, or nobody (rules/tickets §14).

It compares what was told and when, and changes tickets in memory only.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.tickets.models import MediaType, Message, MessageSource, Ticket, TicketOwner

# Meta routes a conversation anew when nothing has happened in it for so long.
IDLE_AFTER = timedelta(hours=24)
OWNER_FIELDS = ("owner", "owner_at")
# Sources of messages that no person sends. A campaign's and a program's text count as well.
AUTOMATIC = frozenset(
    {
        MessageSource.BOT,
        MessageSource.INTEGRATION,
        MessageSource.AI,
        MessageSource.API,
        MessageSource.CAMPAIGN,
    }
)
LED_ELSEWHERE = (
    "Outro agente conduz esta conversa. A mensagem automática não foi enviada, para não tomar a"
    " conversa dele."
)
# Of the ticket `led`, for a send that has been claimed.
LED_BY_US = "SELECT 1 FROM tickets_ticket AS led WHERE led.id = %(led)s AND led.owner = 'us'"
LED_BY_NOBODY_ELSE = (
    "SELECT 1 FROM tickets_ticket AS led WHERE led.id = %(led)s"
    " AND (led.owner <> 'other' OR led.owner_at <= %(idle)s)"
)


def owner_now(owner: str, owner_at: datetime | None, now: datetime | None = None) -> str:
    """Return who leads now: another responder's conversation is idle after a silent day."""
    if owner != TicketOwner.OTHER or owner_at is None:
        return owner
    is_idle = (now or timezone.now()) - owner_at >= IDLE_AFTER
    return TicketOwner.IDLE if is_idle else owner


def is_ours(ticket: Ticket) -> bool:
    """Tell whether bot, greetings and other automatic texts may write to the contact."""
    return ticket.owner == TicketOwner.US


def is_led_elsewhere(ticket: Ticket) -> bool:
    return owner_now(ticket.owner, ticket.owner_at) == TicketOwner.OTHER


# Of tickets that were another responder's last, also if it has been silent for a day.
LAST_LED_ELSEWHERE = Q(owner=TicketOwner.OTHER)


def led_elsewhere(now: datetime) -> Q:
    """Return the condition of tickets that another responder leads."""
    return Q(owner=TicketOwner.OTHER, owner_at__gt=now - IDLE_AFTER)


def may_leave(message: Message, owner: str) -> bool:
    """Tell whether a message may be sent to a conversation that `owner` leads now.

    Templates take no conversation over. What a person planned takes none from another responder.
    """
    if owner == TicketOwner.US or message.media_type == MediaType.TEMPLATE:
        return True
    if message.source == MessageSource.SCHEDULE:
        return owner == TicketOwner.IDLE
    return message.source not in AUTOMATIC


def known_owner(*, company_id: int, contact_id: int, connection_id: int) -> dict[str, Any]:
    """Return the `OWNER_FIELDS` of a conversation, from all its tickets."""
    tickets = Ticket.objects.for_company(company_id).filter(
        contact_id=contact_id, connection_id=connection_id, owner_at__isnull=False
    )
    latest = tickets.order_by("-owner_at", "-pk").values(*OWNER_FIELDS).first()
    return dict(latest or owner_like(None))


def owner_like(ticket: Ticket | None) -> dict[str, Any]:
    """Return the `OWNER_FIELDS` for another ticket of the same conversation."""
    if ticket is None:
        return {"owner": TicketOwner.US, "owner_at": None}
    return {"owner": ticket.owner, "owner_at": ticket.owner_at}


def second(at: datetime) -> datetime:
    """Return a moment as Meta tells it, in whole seconds and not in the future."""
    return min(at, timezone.now()).replace(microsecond=0)


def move_owner(ticket: Ticket, owner: str, at: datetime) -> bool:
    """Note in memory who has led since `at`; return whether anything changed.

    What is older than the last known change counts no more.
    """
    at = second(at)
    known = _known_at(ticket)
    if (known is not None and at < known) or (owner, at) == (ticket.owner, ticket.owner_at):
        return False
    ticket.owner, ticket.owner_at = owner, at
    return True


def follow_message(ticket: Ticket, at: datetime, *, is_copy: bool, from_me: bool) -> bool:
    """Note what a received message says of the owner; call it before the ticket takes it in.

    A copy says that another leads, an own message that we do. Times are whole seconds: within the
    same second only a handover gives us the conversation.
    """
    if is_copy:
        return move_owner(ticket, TicketOwner.OTHER, at)
    if is_ours(ticket) and ticket.owner_at is None:
        return False
    known = _known_at(ticket)
    if not from_me and not is_ours(ticket) and known is not None and second(at) <= known:
        return False
    return move_owner(ticket, TicketOwner.US, at)


def _known_at(ticket: Ticket) -> datetime | None:
    """Return when the owner was last known; without any change, the contact's last message."""
    known = ticket.owner_at or ticket.last_inbound_at
    return known.replace(microsecond=0) if known else None
