"""A worker killed in the middle of due snoozes: each ticket returns once (rules/tickets §18)."""

from collections import Counter
from datetime import timedelta

import psycopg
import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Snooze, Ticket, TicketActivity
from tests.factories import make_ticket
from tests.test_crash import Run, database_url, graph, run_worker, wait_for, wait_until_waited_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 150


def test_a_worker_killed_in_the_middle_of_due_snoozes_wakes_each_ticket_once(
    acme: Company, connection: Connection, agent: User, run_worker: Run
) -> None:
    now = timezone.now()
    User.objects.filter(pk=agent.pk).update(online_until=now + timedelta(hours=1))
    snoozed = {"snoozed_at": now - timedelta(hours=1), "snoozed_until": now}
    tickets = [
        make_ticket(acme, connection=connection, user=agent, status="open", **snoozed)
        for _ in range(COUNT)
    ]
    Snooze.objects.bulk_create(
        Snooze(company=acme, ticket=ticket, next_attempt_at=now) for ticket in tickets
    )
    # It dies between two tickets of a batch: one of them is held by somebody else.
    with psycopg.connect(database_url()) as somebody:
        held = tickets[COUNT // 3].pk
        somebody.execute("SELECT 1 FROM tickets_ticket WHERE id = %s FOR UPDATE", [held])
        worker = run_worker()
        wait_until_waited_for(somebody, "the worker to be in the middle of its work")
        worker.kill()
        worker.wait()
    assert 0 < Snooze.objects.count() < COUNT
    run_worker()
    wait_for(lambda: not Snooze.objects.exists(), "every ticket to return")
    woken = Counter(TicketActivity.objects.filter(kind="woken").values_list("ticket", flat=True))
    assert woken == {ticket.pk: 1 for ticket in tickets}
    assert not Ticket.objects.exclude(woken="due", snoozed_at=None, user=agent).exists()
