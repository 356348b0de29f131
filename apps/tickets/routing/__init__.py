"""What the bot does with a message: pure functions, without database or Django.

`decide` answers a message of a contact, `enter` a ticket that is led into a queue. Both take plain
views of what there is and the time, and return actions for a service to carry out in order,
together with the state to keep on the ticket (specification 4 §3).
"""

from apps.tickets.routing.actions import (
    Action,
    Ask,
    Choice,
    Decision,
    EndBot,
    MoveToQueue,
    Say,
    StartIntegration,
    StartPrompt,
)
from apps.tickets.routing.decide import decide, enter, leads
from apps.tickets.routing.hours import closed_period, is_open
from apps.tickets.routing.scene import (
    CompanyView,
    Inbound,
    LineView,
    OptionView,
    QueueView,
    TicketView,
)
from apps.tickets.routing.states import BotState

__all__ = [
    "Action",
    "Ask",
    "BotState",
    "Choice",
    "CompanyView",
    "Decision",
    "EndBot",
    "Inbound",
    "LineView",
    "MoveToQueue",
    "OptionView",
    "QueueView",
    "Say",
    "StartIntegration",
    "StartPrompt",
    "TicketView",
    "closed_period",
    "decide",
    "enter",
    "is_open",
    "leads",
]
