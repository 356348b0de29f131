"""Hand-over from an integration or a model to a person."""

from apps.accounts.models import User
from apps.automation.clients.base import HandOver
from apps.queues.models import Queue
from apps.tickets.bot_states import BotState
from apps.tickets.models import BotTurn, Ticket, TicketStatus
from apps.tickets.owners import is_ours
from apps.tickets.services.bot.leading import end_bot, enter_queue
from apps.tickets.services.rights import works_in
from apps.tickets.services.tickets.assigning import assign_ticket

ENDS = frozenset({"finished", "failed"})


def is_led_by(ticket: Ticket, turn: BotTurn) -> bool:
    """Tell whether the turn's integration or prompt still leads the ticket, and we do."""
    if ticket.status != TicketStatus.PENDING or ticket.user_id is not None:
        return False
    if not is_ours(ticket):
        return False
    if BotState.of(ticket.bot_state).ended:
        return False
    if turn.prompt_id is not None:
        return ticket.prompt_id == turn.prompt_id
    return turn.integration_id is not None and ticket.integration_id == turn.integration_id


def hand_over(ticket: Ticket, turn: BotTurn, order: HandOver, *, has_answered: bool) -> None:
    """Leave a locked ticket to people, in the queue and with the user that the order names.

    Ids of another company, and a user who does not work in the queue, are ignored: the ticket then
    stays in its queue, or gets the fallback queue. `has_answered`: the turn sent replies of its own
    to the contact.
    """
    queue = _queue(turn, order)
    if queue is not None and queue.pk != ticket.queue_id:
        enter_queue(ticket, queue, by=turn.kind)
    end_bot(
        ticket,
        order.reason if order.reason in ENDS else "handed_over",
        is_told=queue is not None and has_answered,
    )
    user = _user(ticket, order)
    if user is not None:
        assign_ticket(ticket, user)


def _queue(turn: BotTurn, order: HandOver) -> Queue | None:
    queue_id = order.queue_id
    if queue_id is None and turn.prompt is not None:
        queue_id = turn.prompt.queue_id
    if queue_id is None or order.reason == "failed":
        return None
    return Queue.objects.for_company(turn.company_id).filter(pk=queue_id).first()


def _user(ticket: Ticket, order: HandOver) -> User | None:
    if order.user_id is None:
        return None
    users = User.objects.for_company(ticket.company_id)
    user: User | None = users.filter(pk=order.user_id, is_active=True).first()
    return user if user is not None and works_in(user, ticket.queue_id) else None
