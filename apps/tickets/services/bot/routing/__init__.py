"""The bot's decisions: pure functions, without database or Django.

`decide` answers one message of a contact, `judge` several together. `enter` leads a ticket into a
queue, `leave` ends the bot, `take_over` handles an answer of our side on the phone, `give_back` a
ticket that a person returns, `ask_apart` a form that could not be sent, and `place` gives a queue
to a ticket that nobody would see. All take
plain views and the time, and return the actions that a service carries out in order, with the
ticket's new state (rules/bot §1).
"""

from apps.common.hours import closed_period, is_open
from apps.tickets.services.bot.routing.actions import (
    Action,
    Ask,
    AskedField,
    AskForm,
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
from apps.tickets.services.bot.routing.answers import asks_for_menu
from apps.tickets.services.bot.routing.decide import (
    answered,
    ask_apart,
    decide,
    enter,
    front_of,
    give_back,
    judge,
    leads,
    leave,
    named_by,
    place,
    take_over,
)
from apps.tickets.services.bot.routing.inputs import (
    CompanyView,
    ConnectionView,
    FileView,
    FormAnswer,
    MessageView,
    OptionView,
    QueueView,
    TicketView,
)
from apps.tickets.services.bot.routing.menus import Front, entries_of

__all__ = [
    "Action",
    "Ask",
    "AskForm",
    "AskedField",
    "Choice",
    "CompanyView",
    "ConnectionView",
    "Decision",
    "EndBot",
    "FileView",
    "FormAnswer",
    "Front",
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
    "answered",
    "ask_apart",
    "asks_for_menu",
    "closed_period",
    "decide",
    "enter",
    "entries_of",
    "front_of",
    "give_back",
    "is_open",
    "judge",
    "leads",
    "leave",
    "named_by",
    "place",
    "take_over",
]
