"""Tickets, their messages and what became of both."""

from apps.tickets.models.deliveries import (
    Delivery,
    DeliveryKind,
    DeliveryState,
    FetchState,
    MediaFetch,
)
from apps.tickets.models.messages import (
    Ack,
    MediaState,
    MediaType,
    Message,
    MessageReaction,
    MessageSource,
)
from apps.tickets.models.tickets import (
    Ticket,
    TicketEvent,
    TicketEventKind,
    TicketStatus,
    TicketTag,
    TrackingCycle,
)

__all__ = [
    "Ack",
    "Delivery",
    "DeliveryKind",
    "DeliveryState",
    "FetchState",
    "MediaFetch",
    "MediaState",
    "MediaType",
    "Message",
    "MessageReaction",
    "MessageSource",
    "Ticket",
    "TicketEvent",
    "TicketEventKind",
    "TicketStatus",
    "TicketTag",
    "TrackingCycle",
]
