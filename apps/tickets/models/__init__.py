"""Tickets, their messages and what became of both."""

from apps.tickets.models.api_sends import ApiSend
from apps.tickets.models.day_sums import DaySums
from apps.tickets.models.deliveries import (
    Delivery,
    DeliveryKind,
    DeliveryTurn,
    MediaFetch,
)
from apps.tickets.models.drafts import TicketDraft, TicketFollow
from apps.tickets.models.early_references import EarlyReference
from apps.tickets.models.history import HistoryRoom
from apps.tickets.models.mentions import NoteMention
from apps.tickets.models.messages import (
    BY_PEOPLE,
    RESERVED,
    UTILITY,
    Ack,
    MediaState,
    MediaType,
    Message,
    MessageReaction,
    MessageSource,
)
from apps.tickets.models.pauses import BotPause
from apps.tickets.models.polls import Poll, PollVote
from apps.tickets.models.rating_requests import RatingRequest
from apps.tickets.models.snoozes import Snooze
from apps.tickets.models.tickets import (
    Rating,
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketOwner,
    TicketPriority,
    TicketStatus,
    TicketTag,
    TrackingCycle,
    Woken,
    protocol_of,
)
from apps.tickets.models.turns import BotTurn, TurnKind

__all__ = [
    "BY_PEOPLE",
    "RESERVED",
    "UTILITY",
    "Ack",
    "ApiSend",
    "BotPause",
    "BotTurn",
    "DaySums",
    "Delivery",
    "DeliveryKind",
    "DeliveryTurn",
    "EarlyReference",
    "HistoryRoom",
    "MediaFetch",
    "MediaState",
    "MediaType",
    "Message",
    "MessageReaction",
    "MessageSource",
    "NoteMention",
    "Poll",
    "PollVote",
    "Rating",
    "RatingRequest",
    "Snooze",
    "Ticket",
    "TicketActivity",
    "TicketActivityKind",
    "TicketDraft",
    "TicketFollow",
    "TicketOwner",
    "TicketPriority",
    "TicketStatus",
    "TicketTag",
    "TrackingCycle",
    "TurnKind",
    "Woken",
    "protocol_of",
]
