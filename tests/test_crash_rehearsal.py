"""A worker killed in the middle of a rehearsal: another one makes the report (rules/desk §16)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.desk.models import Rehearsal, Subject
from apps.desk.services.rehearsals.reports import report_of
from apps.desk.services.rehearsals.requests import request_rehearsal
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket, TicketStatus, TrackingCycle
from tests.factories import make_contact
from tests.test_crash import Run, graph, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 12_000
MINUTE = timedelta(minutes=1)


def past_of(acme: Company, queue: Queue, connection: Connection, agent: User) -> None:
    """Store so many answered conversations of the last two days."""
    contact, now = make_contact(acme), timezone.now()
    begins = [now - timedelta(days=2) + number * timedelta(seconds=10) for number in range(COUNT)]
    same: dict[str, Any] = {"company": acme, "connection": connection, "contact": contact}
    tickets = Ticket.objects.bulk_create(
        Ticket(
            **same,
            queue=queue,
            user=agent,
            status=TicketStatus.CLOSED,
            created_at=at,
            queued_at=at,
            closed_at=at + 9 * MINUTE,
        )
        for at in begins
    )
    TrackingCycle.objects.bulk_create(
        TrackingCycle(
            **same,
            ticket=ticket,
            queue=queue,
            user=agent,
            queued_at=at,
            started_at=at + 5 * MINUTE,
            finished_at=at + 9 * MINUTE,
        )
        for ticket, at in zip(tickets, begins, strict=True)
    )
    Message.objects.bulk_create(
        Message(**same, ticket=ticket, body="Oi", created_at=at)
        for ticket, at in zip(tickets, begins, strict=True)
    )
    Message.objects.bulk_create(
        Message(
            **same,
            ticket=ticket,
            user=agent,
            body="Olá",
            from_me=True,
            source="agent",
            created_at=at + 6 * MINUTE,
        )
        for ticket, at in zip(tickets, begins, strict=True)
    )


def is_begun() -> bool:
    rehearsal = Rehearsal.objects.get()
    return rehearsal.state == "claimed" and rehearsal.tickets_total > 0


def is_over() -> bool:
    return Rehearsal.objects.get().state in {"done", "failed"}


def test_a_rehearsal_of_a_killed_worker_comes_to_the_same_report(
    admin: User,
    acme: Company,
    queue: Queue,
    connection: Connection,
    agent: User,
    run_worker: Run,
) -> None:
    past_of(acme, queue, connection, agent)
    request_rehearsal(
        actor=admin,
        subject=Subject.ASSIGNMENT,
        days=7,
        target_id=queue.pk,
        fields={"mode": "round_robin"},
    )
    worker = run_worker()
    wait_for(is_begun, "the rehearsal to be begun")
    worker.kill()
    worker.wait()
    run_worker()
    wait_for(is_over, "the report to be made")
    rehearsal = Rehearsal.objects.get()
    assert rehearsal.state == "done"
    assert rehearsal.report is not None
    assert rehearsal.report["tickets"] == rehearsal.tickets_done == COUNT
    assert rehearsal.report == report_of(rehearsal, lambda *_: None)
