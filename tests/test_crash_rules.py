"""A worker killed in the middle of 600 events: each chain of rules runs once (rules/desk §13)."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from apps.companies.models import Company, CompanySetting
from apps.connections.models import Connection
from apps.desk.models import Rule, RuleRun, RuleTick
from apps.desk.services.known import known
from apps.desk.services.rules.following import follow
from apps.queues.models import Queue
from apps.tickets.models import Ticket, TicketActivity
from tests.factories import make_message, make_queue, make_tag, make_ticket
from tests.graph import GraphServer
from tests.test_crash import Run, graph, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 600


def test_a_worker_killed_in_the_middle_of_chains_runs_each_rule_once(
    acme: Company, connection: Connection, queue: Queue, graph: GraphServer, run_worker: Run
) -> None:
    CompanySetting.objects.create(company=acme, key="rules", value="enabled")
    second, tag = make_queue(acme), make_tag(acme)
    since = timezone.now() - timedelta(minutes=1)
    for position, (when, actions) in enumerate(
        (
            ("message_in", [{"do": "add_tag", "id": tag.pk}, {"do": "note", "text": "Veio"}]),
            ("tag_set", [{"do": "priority", "priority": 1}, {"do": "queue", "id": second.pk}]),
            ("queue_changed", [{"do": "note", "text": "Chegou"}]),
        ),
        start=1,
    ):
        trigger = {"when": when, **({"ids": [second.pk]} if when == "queue_changed" else {})}
        Rule.objects.create(
            company=acme,
            position=position,
            when=when,
            trigger=trigger,
            actions=actions,
            since=since,
        )
    known.forget()
    for _ in range(COUNT):
        ticket = make_ticket(acme, connection=connection, queue=queue)
        with transaction.atomic():
            follow([ticket], [make_message(ticket)])
    known.be_sure_of_none()

    def moved() -> int:
        return Ticket.objects.filter(queue=second).count()

    worker = run_worker()
    wait_for(lambda: moved() >= COUNT // 10, "the worker to be in the middle of its work")
    worker.kill()
    worker.wait()
    assert 0 < moved() < COUNT
    run_worker()
    wait_for(lambda: moved() == COUNT, "every ticket to be in the other queue")
    due = RuleTick.objects.filter(next_attempt_at__lte=timezone.now())
    wait_for(lambda: not due.exists(), "nothing to be due")

    assert not RuleRun.objects.exclude(refusal="").exists()
    counts = RuleRun.objects.values("ticket").annotate(count=Count("pk"))
    assert [row["count"] for row in counts] == [3] * COUNT
    lines = TicketActivity.objects.all()
    assert lines.filter(kind="noted").count() == 2 * COUNT
    assert lines.filter(kind="transferred").count() == COUNT
    assert lines.filter(kind="prioritized").count() == COUNT
