"""What the bot does when people move a ticket: hooks, for its package lies above this one.

Each is called with a locked ticket, in the transaction that moves it.
"""

from apps.common.registry import Hook
from apps.tickets.models import Ticket

# A person has the ticket, or it is closed: the bot ends for this cycle, and nothing is told.
bot_ends: Hook[[Ticket]] = Hook()
# A person turned the bot off: the ticket is left to people, which is told.
bot_turned_off: Hook[[Ticket]] = Hook()
# People leave the ticket waiting, perhaps without a queue or an answer.
left_waiting: Hook[[Ticket]] = Hook()
# The ticket waits without a queue, and its contact does not write.
waits_without_queue: Hook[[Ticket]] = Hook()
