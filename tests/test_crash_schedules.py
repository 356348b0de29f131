"""A worker killed in the middle of due schedules: each is sent once (rules/schedules §3)."""

from collections import Counter
from datetime import timedelta

import psycopg
import pytest
from django.utils import timezone

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.schedules.models import Schedule
from tests.factories import make_schedule, make_ticket
from tests.graph import GraphServer
from tests.test_crash import (
    Meta,
    Run,
    database_url,
    graph,
    run_worker,
    wait_for,
    wait_until_waited_for,
)

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 200
CONTACTS = 20


def test_a_worker_killed_in_the_middle_of_due_schedules_sends_each_exactly_once(
    acme: Company, connection: Connection, graph: GraphServer, run_worker: Run
) -> None:
    now = timezone.now()
    tickets = [
        make_ticket(acme, connection=connection, status="closed", last_inbound_at=now)
        for _ in range(CONTACTS)
    ]
    for number in range(COUNT):
        make_schedule(
            acme,
            contact=tickets[number % CONTACTS].contact,
            body=f"Lembrete {number}",
            send_at=now - timedelta(minutes=1),
        )
    meta = Meta(graph, connection.phone_number_id or "")
    graph.after = lambda payload: False
    try:
        # It dies between two statements of a batch: one of its tickets is held by somebody else.
        with psycopg.connect(database_url()) as somebody:
            held = tickets[CONTACTS // 2].pk
            somebody.execute("SELECT 1 FROM tickets_ticket WHERE id = %s FOR UPDATE", [held])
            worker = run_worker()
            wait_until_waited_for(somebody, "the worker to be in the middle of its work")
            worker.kill()
            worker.wait()
        waiting = Schedule.objects.filter(status="PENDENTE")
        assert 0 < waiting.count() < COUNT
        assert waiting.filter(state="claimed").exists()
        run_worker()
        wait_for(
            lambda: not Schedule.objects.exclude(status="ENVIADA").exists(),
            "every schedule to be sent",
        )
    finally:
        meta.stop()
    sent = Counter(message["text"]["body"] for message in graph.messages)
    assert sent == {f"Lembrete {number}": 1 for number in range(COUNT)}
    assert not Schedule.objects.filter(sent_at=None).exists()
