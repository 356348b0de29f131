"""A worker killed while it asks for ratings by a template: each contact is asked once."""

from datetime import timedelta

import psycopg
import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.tickets.models import Message, RatingRequest, TrackingCycle
from apps.tickets.tests.test_templates import row
from tests.factories import make_ticket
from tests.graph import GraphServer
from tests.test_crash import Run, database_url, graph, run_worker, wait_for, wait_until_waited_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 60


def test_a_worker_killed_in_the_middle_of_requests_asks_each_contact_once(
    acme: Company, connection: Connection, agent: User, graph: GraphServer, run_worker: Run
) -> None:
    graph.templates = [row("nota", {"type": "BODY", "text": "Que nota?"})]
    for key, value in (("userRating", "enabled"), ("ratingTemplate", "nota")):
        CompanySetting.objects.create(company=acme, key=key, value=value)
    now = timezone.now()
    cycles = []
    for _ in range(COUNT):
        ticket = make_ticket(acme, connection=connection, user=agent, status="closed")
        cycles.append(
            TrackingCycle.objects.create(
                company=acme,
                ticket=ticket,
                contact=ticket.contact,
                user=agent,
                queued_at=now - timedelta(days=2),
                finished_at=now,
            )
        )
    RatingRequest.objects.bulk_create(
        RatingRequest(company=acme, cycle=cycle, next_attempt_at=now) for cycle in cycles
    )
    # It dies between two requests of a batch: the ticket of one is held by somebody else.
    with psycopg.connect(database_url()) as somebody:
        held = cycles[COUNT // 3].ticket_id
        somebody.execute("SELECT 1 FROM tickets_ticket WHERE id = %s FOR UPDATE", [held])
        worker = run_worker()
        wait_until_waited_for(somebody, "the worker to be in the middle of its work")
        worker.kill()
        worker.wait()
    assert 0 < RatingRequest.objects.count() < COUNT
    run_worker()
    wait_for(lambda: not RatingRequest.objects.exists(), "every contact to be asked")
    asked = Message.objects.filter(origin="rating").values_list("ticket", flat=True)
    assert sorted(asked) == sorted(cycle.ticket_id for cycle in cycles)
    assert not TrackingCycle.objects.filter(rating_asked_at=None).exists()
