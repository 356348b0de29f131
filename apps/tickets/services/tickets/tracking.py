"""The tracking cycle of a ticket: waiting, attended, finished (rules/tickets §11).

Outgoing webhooks are notified when a cycle begins and when it ends.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet, Value
from django.db.models.functions import Coalesce

from apps.common.bulk import insert_row
from apps.tickets.models import Ticket, TicketStatus, TrackingCycle
from apps.tickets.queries.passes import first_answer
from apps.tickets.services.announcing import ticket_closed, tickets_opened
from apps.tickets.services.tickets.days import forget_days, forget_days_of, may_be_kept


def track(ticket: Ticket, *, old_status: str, at: datetime, reason: str = "") -> None:
    """Update the ticket's cycle for its new status; call it in the same transaction.

    `reason` is that of a resolution, of the company's list. A ticket that returns to waiting starts
    its wait again. A reopened ticket begins a new cycle.
    """
    if ticket.status == TicketStatus.CLOSED:
        _unfinished(ticket).update(
            finished_at=at,
            connection_id=ticket.connection_id,
            queue_id=ticket.queue_id,
            first_answer_at=first_answer(),
            closing_reason=reason,
        )
        forget_days(ticket.company_id, [ticket.queued_at])
        ticket_closed(ticket, at=at, reason=reason)
        return
    returns = ticket.status == TicketStatus.PENDING and old_status == TicketStatus.OPEN
    values: dict[str, Any] = {"connection_id": ticket.connection_id, "user_id": ticket.user_id}
    if returns:
        _forget_first(ticket)
        values |= {"queued_at": at, "started_at": None}
    elif ticket.status == TicketStatus.OPEN:
        values["started_at"] = Coalesce("started_at", Value(at))
    if _unfinished(ticket).update(**values):
        if returns:
            _begin_wait(ticket, at)
        return
    _begin_wait(ticket, at)
    insert_row(
        TrackingCycle(
            company_id=ticket.company_id,
            ticket=ticket,
            contact_id=ticket.contact_id,
            connection_id=ticket.connection_id,
            user_id=ticket.user_id,
            opened_at=at,
            queued_at=at,
            started_at=at if ticket.status == TicketStatus.OPEN else None,
        )
    )
    tickets_opened([ticket])


def _forget_first(ticket: Ticket) -> None:
    """A cycle that begins anew may have been the contact's first; then another one is now."""
    if may_be_kept(ticket.queued_at):
        since = TrackingCycle.objects.filter(
            contact=ticket.contact_id, queued_at__gte=ticket.queued_at
        )
        forget_days_of(ticket.company_id, since)


def _begin_wait(ticket: Ticket, at: datetime) -> None:
    if ticket.queued_at != at or ticket.unanswered_campaign:
        ticket.queued_at, ticket.unanswered_campaign = at, False
        Ticket.objects.filter(pk=ticket.pk).update(queued_at=at, unanswered_campaign=False)


def track_opened(tickets: Sequence[Ticket], *, at: datetime) -> None:
    """Begin the cycles of tickets that a message made or reopened; see `track`.

    The caller stores `at` as their `queued_at`, and that they are no `unanswered_campaign`.
    """
    unfinished = set(
        TrackingCycle.objects.filter(ticket__in=tickets, finished_at=None).values_list(
            "ticket_id", flat=True
        )
    )
    begun = [ticket for ticket in tickets if ticket.pk not in unfinished]
    TrackingCycle.objects.bulk_create(
        TrackingCycle(
            company_id=ticket.company_id,
            ticket=ticket,
            contact_id=ticket.contact_id,
            connection_id=ticket.connection_id,
            opened_at=at,
            queued_at=at,
        )
        for ticket in begun
    )
    tickets_opened(begun)


def latest_cycle(ticket: Ticket) -> TrackingCycle | None:
    """Return the ticket's last cycle, finished or not."""
    return TrackingCycle.objects.filter(ticket=ticket).order_by("-id").first()


def _unfinished(ticket: Ticket) -> "QuerySet[TrackingCycle]":
    return TrackingCycle.objects.filter(ticket=ticket, finished_at=None)
