"""A worker killed in the middle of 600 due steps: each happens once (rules/desk §10)."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.desk.models import SlaAction, SlaClock, SlaFiring, SlaPolicy, SlaStep, Tick
from apps.desk.services.known import known
from apps.desk.services.sla.following import follow
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TicketActivity
from tests.factories import make_message, make_queue, make_ticket
from tests.graph import GraphServer
from tests.test_crash import Run, graph, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 600


def test_a_worker_killed_in_the_middle_of_due_steps_does_each_once(
    acme: Company, connection: Connection, queue: Queue, graph: GraphServer, run_worker: Run
) -> None:
    CompanySetting.objects.create(company=acme, key="sla", value="enabled")
    second = make_queue(acme)
    policy = SlaPolicy.objects.create(company=acme, queue=queue, first_answer_minutes=5)
    SlaPolicy.objects.create(company=acme, queue=second, resolution_minutes=600)
    for action, fields in (
        (SlaAction.PRIORITY, {"priority": 1}),
        (SlaAction.QUEUE, {"queue": second}),
    ):
        SlaStep.objects.create(
            policy=policy,
            kind="first_answer",
            when="due",
            action=action,
            created_at=timezone.now() - timedelta(hours=1),
            **fields,
        )
    known.forget()
    for _ in range(COUNT):
        ticket = make_ticket(acme, connection=connection, queue=queue)
        with transaction.atomic():
            follow([ticket], [make_message(ticket)])
    known.be_sure_of_none()
    then = timezone.now() - timedelta(minutes=1)
    SlaClock.objects.update(due_at=then, warns_at=then)
    Tick.objects.update(next_attempt_at=then)

    def moved() -> int:
        return Ticket.objects.filter(queue=second).count()

    worker = run_worker()
    wait_for(lambda: moved() >= COUNT // 10, "the worker to be in the middle of its work")
    worker.kill()
    worker.wait()
    assert 0 < moved() < COUNT
    run_worker()
    wait_for(lambda: moved() == COUNT, "every ticket to be in the other queue")
    due = Tick.objects.filter(next_attempt_at__lte=timezone.now())
    wait_for(lambda: not due.exists(), "nothing to be due")

    firings = SlaFiring.objects.values("clock__ticket").annotate(count=Count("pk"))
    assert [row["count"] for row in firings] == [2] * COUNT
    lines = TicketActivity.objects.filter(detail__by="sla")
    assert lines.filter(kind="prioritized").count() == lines.filter(kind="transferred").count()
    assert lines.count() == 2 * COUNT
    assert not Ticket.objects.exclude(priority=1).exists()
    first = SlaClock.objects.filter(kind="first_answer")
    assert first.filter(missed_at__isnull=False, ended_at__isnull=False).count() == COUNT
