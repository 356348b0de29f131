"""A worker killed in the middle of 1,000 assignments: each ticket has one owner (rules/desk §3)."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.desk.decisions.assignment import Mode, Presence
from apps.desk.models import Assignment, AssignmentLog, AssignmentPolicy, Seat, Tick, Turn
from apps.desk.services import ticks
from apps.desk.services.following import follow_anew
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TrackingCycle
from tests.factories import make_ticket, make_user
from tests.graph import GraphServer
from tests.test_crash import Run, graph, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT, PEOPLE = 1000, 8


def given() -> int:
    return Ticket.objects.filter(status="open").count()


def test_a_worker_killed_in_the_middle_of_1000_assignments_gives_each_ticket_once(
    acme: Company, connection: Connection, queue: Queue, graph: GraphServer, run_worker: Run
) -> None:
    CompanySetting.objects.create(company=acme, key="assignment", value="enabled")
    AssignmentPolicy.objects.create(
        company=acme, queue=queue, mode=Mode.ROUND_ROBIN, fair_limit=1000
    )
    for _ in range(PEOPLE):
        Seat.objects.create(
            user=make_user(acme, queues=[queue]),
            company=acme,
            presence=Presence.ONLINE,
            is_away=False,
            seen_until=timezone.now() + timedelta(hours=1),
        )
    made = [make_ticket(acme, connection=connection, queue=queue) for _ in range(COUNT)]
    with transaction.atomic():
        follow_anew(made)
    Tick.objects.all().delete()
    ticks.give(acme.pk, [queue.pk])

    worker = run_worker()
    wait_for(lambda: given() >= COUNT // 10, "the worker to be in the middle of its work")
    worker.kill()
    worker.wait()
    assert 0 < given() < COUNT
    run_worker()
    wait_for(lambda: given() == COUNT, "every ticket to be given")
    wait_for(lambda: not Tick.objects.exists(), "nothing to be due")

    # One owner each, one line of the log each, and the sums are those of the tickets.
    owners = dict(Ticket.objects.values_list("pk", "user"))
    lines = AssignmentLog.objects.values_list("ticket", "to_user")
    assert Counter(ticket for ticket, _ in lines) == dict.fromkeys(owners, 1)
    assert dict(lines) == owners
    held = Counter(owners.values())
    assert max(held.values()) - min(held.values()) <= 1
    assert dict(Seat.objects.values_list("user", "load")) == held
    assert dict(Turn.objects.values_list("user", "count")) == held
    assert Assignment.objects.aggregate(sum=Sum("points"))["sum"] == COUNT
    assert not Assignment.objects.filter(is_ready=True).exists()
    assert TrackingCycle.objects.filter(started_at=None).count() == 0
