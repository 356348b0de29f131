"""Does what is due on the way of a ticket's clocks (rules/desk §10).

A step happens once for a clock: its row of `SlaFiring` is written in the transaction that does it,
which also deletes the tick. So a killed worker neither repeats nor skips one.
"""

import logging
from datetime import datetime

from django.db import transaction

from apps.common.bulk import insert_row
from apps.desk import events
from apps.desk.decisions.assignment import Why
from apps.desk.decisions.sla import Clock
from apps.desk.models import SlaAction, SlaFiring, SlaStep
from apps.desk.services.following import because
from apps.desk.services.known import SLA, known
from apps.desk.services.sla.following import Follower
from apps.tickets.events import ticket_updated
from apps.tickets.models import Ticket, TicketActivityKind, TicketPriority, TicketStatus
from apps.tickets.services.rights import works_in
from apps.tickets.services.tickets.assigning import assign_ticket, move_to_queue
from apps.tickets.services.tickets.bot_hooks import left_waiting
from apps.tickets.services.tickets.priorities import change_priority
from apps.tickets.services.tickets.removals import move_ticket
from apps.tickets.services.tickets.tagging import set_tags

logger = logging.getLogger(__name__)

# What did it, in the ticket's activity.
BY = "sla"
# Of one ticket in one transaction; the rest is due at once.
MOST_STEPS = 50


# Why a step is skipped.
NOTHING_TO_DO, CANNOT_HOLD = "nothing_to_do", "person_cannot_hold"


class StepSkipped(Exception):
    """A step can't be done with this ticket, or would change nothing; `why` is one of the above."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def run_due_steps(ticket: Ticket) -> None:
    """Judge a locked ticket's clocks, and do the steps that are due by now."""
    if not known.is_on(ticket.company_id, SLA):
        return
    for _ in range(MOST_STEPS):
        follower = Follower([ticket])
        follower.run()
        due = [
            (moment, clock, step)
            for moment, clock, step in follower.ahead_of(ticket)
            if step is not None and moment <= follower.now
        ]
        if not due:
            break
        _, clock, step = due[0]
        _fire(ticket, clock, step.id, follower.now)
    Follower([ticket], plans=True).run()


def _fire(ticket: Ticket, clock: Clock, step_id: int, now: datetime) -> None:
    """Do a step in a savepoint, and note that it was done, or why not."""
    step = SlaStep.objects.select_related("tag", "queue", "user").get(pk=step_id)
    firing = SlaFiring(clock_id=clock.id or 0, step=step, action=step.action, at=now)
    # First: what the step changes is told to the clocks, too.
    insert_row(firing)
    try:
        with transaction.atomic():
            _do(ticket, clock, step)
    except StepSkipped as skipped:
        logger.info("Step %s of ticket %s was skipped: %s", step_id, ticket.pk, skipped.why)
        SlaFiring.objects.filter(pk=firing.pk).update(refusal=skipped.why)


def _do(ticket: Ticket, clock: Clock, step: SlaStep) -> None:
    if step.action == SlaAction.TELL:
        events.deadline_near(ticket, clock, step.tells)
    elif step.action == SlaAction.TAG and step.tag_id is not None:
        if not set_tags([(ticket.pk, step.tag_id)]):
            raise StepSkipped(NOTHING_TO_DO)
        ticket_updated(ticket)
    elif step.action == SlaAction.PRIORITY and step.priority is not None:
        # Raised only: the lowest number is the most urgent.
        if ticket.priority <= step.priority:
            raise StepSkipped(NOTHING_TO_DO)
        change_priority(ticket, TicketPriority(step.priority), by=BY)
    elif step.action == SlaAction.QUEUE and step.queue is not None:
        if ticket.queue_id == step.queue_id:
            raise StepSkipped(NOTHING_TO_DO)
        with because(Why.SLA):
            move_to_queue(ticket, step.queue, by=BY)
    elif step.action == SlaAction.ASSIGN:
        _assign(ticket, step)


def _assign(ticket: Ticket, step: SlaStep) -> None:
    """Give a ticket to the step's person, or without one back to its queue."""
    with because(Why.SLA):
        if step.user is not None:
            if ticket.user_id == step.user_id:
                raise StepSkipped(NOTHING_TO_DO)
            if not step.user.is_active or not works_in(step.user, ticket.queue_id):
                raise StepSkipped(CANNOT_HOLD)
            assign_ticket(ticket, step.user, by=BY)
            return
        if ticket.status != TicketStatus.OPEN or ticket.user_id is None:
            raise StepSkipped(NOTHING_TO_DO)
        move_ticket(ticket, TicketStatus.PENDING, TicketActivityKind.RETURNED)
        left_waiting(ticket)
