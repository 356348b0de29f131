"""Attendance of past days, stored as the product stores it: for rehearsals."""

from datetime import datetime, timedelta

from apps.accounts.models import User
from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import (
    Ticket,
    TicketActivity,
    TicketActivityKind,
    TicketStatus,
    TrackingCycle,
)
from tests.factories import make_contact, make_message

MINUTE = timedelta(minutes=1)


def make_past(
    queue: Queue,
    connection: Connection,
    user: User,
    *,
    at: datetime,
    taken: float | None = 30,
    answered: float | None = 33,
    closed: float | None = 60,
    body: str = "Oi, tudo bem?",
) -> Ticket:
    """Store a ticket that somebody took, answered and closed, so many minutes after it began."""
    end = None if closed is None else at + closed * MINUTE
    contact = make_contact(queue.company)
    ticket = Ticket.objects.create(
        company=queue.company,
        connection=connection,
        contact=contact,
        queue=queue,
        user=user if taken is not None else None,
        status=TicketStatus.CLOSED if end else TicketStatus.PENDING,
        created_at=at,
        updated_at=end or at,
        queued_at=at,
        closed_at=end,
    )
    TrackingCycle.objects.create(
        company=queue.company,
        ticket=ticket,
        contact=contact,
        connection=connection,
        queue=queue if end else None,
        user=ticket.user,
        queued_at=at,
        started_at=None if taken is None else at + taken * MINUTE,
        finished_at=end,
    )
    make_message(ticket, body=body, created_at=at)
    if taken is not None:
        TicketActivity.objects.create(
            ticket=ticket,
            kind=TicketActivityKind.ACCEPTED,
            actor=user,
            detail={"actor": user.name, "user": user.name, "queue": queue.name},
            created_at=at + taken * MINUTE,
        )
    if answered is not None:
        make_message(
            ticket, from_me=True, source="agent", user=user, created_at=at + answered * MINUTE
        )
    if end is not None:
        TicketActivity.objects.create(
            ticket=ticket, kind=TicketActivityKind.RESOLVED, actor=user, created_at=end
        )
    return ticket
