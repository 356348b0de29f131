"""Hooks for what the bot does when people move a ticket; the bot's package is above this one.

Each is called with a locked ticket, in the transaction that moves it.
"""

from apps.common.registry import Hook
from apps.tickets.models import Ticket

# A person has taken or closed the ticket. The bot ends for this cycle, without an activity. The
# caller then stores BOT_FIELDS.
bot_ends: Hook[[Ticket]] = Hook()
# A person turned the bot off. The ticket is left to people, with an activity.
bot_turned_off: Hook[[Ticket]] = Hook()
# A person left the ticket waiting, perhaps without a queue or an answer.
left_waiting: Hook[[Ticket]] = Hook()
# The ticket waits without a queue, and nothing makes its contact write.
waits_without_queue: Hook[[Ticket]] = Hook()
