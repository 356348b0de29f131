"""What the bot does with a message: pure functions, without database or Django.

`decide` answers a message of a contact, `judge` several read together, `enter` a ticket that is
led into a queue, `leave` one whose bot ends, `take_over` one that our side answers on the phone,
`give_back` one that a person returns, `place` one that nobody would see. They take plain views of
what there is and the time, and return actions for a service to carry out in order, together with
the state to keep on the ticket (rules/bot §1).
"""

from apps.tickets.services.bot.routing.actions import (
    Action,
    Ask,
    Choice,
    Decision,
    EndBot,
    Listen,
    MoveToQueue,
    SaveValue,
    Say,
    SetTag,
    StartIntegration,
    StartPrompt,
    StopFlow,
)
from apps.tickets.services.bot.routing.decide import (
    decide,
    enter,
    give_back,
    judge,
    leads,
    leave,
    place,
    restored,
    take_over,
    unled,
)
from apps.tickets.services.bot.routing.hours import closed_period, is_open
from apps.tickets.services.bot.routing.inputs import (
    CompanyView,
    ConnectionView,
    FileView,
    MessageView,
    OptionView,
    QueueView,
    TicketView,
)

__all__ = [
    "Action",
    "Ask",
    "Choice",
    "CompanyView",
    "ConnectionView",
    "Decision",
    "EndBot",
    "FileView",
    "Listen",
    "MessageView",
    "MoveToQueue",
    "OptionView",
    "QueueView",
    "SaveValue",
    "Say",
    "SetTag",
    "StartIntegration",
    "StartPrompt",
    "StopFlow",
    "TicketView",
    "closed_period",
    "decide",
    "enter",
    "give_back",
    "is_open",
    "judge",
    "leads",
    "leave",
    "place",
    "restored",
    "take_over",
    "unled",
]
