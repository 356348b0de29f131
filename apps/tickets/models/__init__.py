"""Tickets, their messages and what became of both."""

from apps.tickets.models.deliveries import (
    Delivery,
    DeliveryKind,
    DeliveryState,
    FetchState,
    MediaFetch,
)
from apps.tickets.models.external import ApiSend
from apps.tickets.models.messages import (
    Ack,
    MediaState,
    MediaType,
    Message,
    MessageReaction,
    MessageSource,
)
from apps.tickets.models.tickets import (
    Rating,
    Ticket,
    TicketEvent,
    TicketEventKind,
    TicketStatus,
    TicketTag,
    TrackingCycle,
)
from apps.tickets.models.turns import BotTurn, TurnKind, TurnState

__all__ = [
    "Ack",
    "ApiSend",
    "BotTurn",
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
    "Rating",
    "Ticket",
    "TicketEvent",
    "TicketEventKind",
    "TicketStatus",
    "TicketTag",
    "TrackingCycle",
    "TurnKind",
    "TurnState",
]
