"""Whether the bot leads a ticket that begins a cycle: `chatbot` on the wire.

Said at the beginning from what is read anyway, so that a message to a ticket without bot costs no
look for one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef

from apps.connections.models import Connection, ConnectionQueue
from apps.queues.models import Queue, QueueOption
from apps.tickets.bot_states import BotState
from apps.tickets.models import Ticket

# What the bot changes of a ticket; who stores the ticket anyway stores these with it.
BOT_FIELDS = ("queue", "chatbot", "bot_state", "use_integration", "integration", "prompt")
# Annotates a connection's link to a queue, as `queue_has_options`.
HAS_OPTIONS = Exists(QueueOption.objects.filter(queue=OuterRef("queue_id")))


def begins_with_bot(connection: Connection, links: Sequence[Any]) -> bool:
    """Tell whether a new ticket is led by the bot: an integration, a prompt, a menu or options.

    `links` are all of the connection's (`ConnectionQueue`) with their queues, annotated with
    `queue_has_options`.
    """
    if _is_automatic(connection) or len(links) > 1:
        return True
    return any(_is_automatic(link.queue) or link.queue_has_options for link in links)


def begin_anew(tickets: Sequence[Ticket]) -> None:
    """Let the bot begin anew with tickets that live again, in memory: `BOT_FIELDS` are changed."""
    queue_ids = {ticket.queue_id for ticket in tickets if ticket.queue_id is not None}
    with_options = set(
        QueueOption.objects.filter(queue__in=queue_ids).values_list("queue_id", flat=True)
    )
    without_queue = {ticket.connection_id for ticket in tickets if ticket.queue_id is None}
    links = ConnectionQueue.objects.filter(connection__in=without_queue)
    queue_counts = Counter(links.values_list("connection_id", flat=True))
    for ticket in tickets:
        ticket.bot_state = BotState.of(ticket.bot_state).for_new_cycle().as_json()
        ticket.use_integration = False
        ticket.integration = ticket.prompt = None
        connection, queue = ticket.connection, ticket.queue
        if ticket.is_group or connection is None:
            ticket.chatbot = False
        elif _is_automatic(connection):
            ticket.chatbot = True
        elif queue is None:
            ticket.chatbot = queue_counts[connection.pk] > 0
        else:
            ticket.chatbot = _is_automatic(queue) or queue.pk in with_options


def _is_automatic(place: Connection | Queue) -> bool:
    """Tell whether an integration or a prompt answers in a place."""
    return place.integration_id is not None or place.prompt_id is not None
