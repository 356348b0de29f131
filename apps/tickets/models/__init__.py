"""Tickets, their messages and what became of both."""

from apps.tickets.models.deliveries import Delivery, DeliveryState
from apps.tickets.models.messages import Ack, MediaType, Message, MessageReaction, MessageSource
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
    "DeliveryState",
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
