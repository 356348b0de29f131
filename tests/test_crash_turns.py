"""A worker killed while an integration answers: no turn is skipped, no reply repeated.

See rules/automation §2, and rules/messages §3 for what leaves.
"""

import os
import signal
import threading
import uuid
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from apps.automation.models import IntegrationCall
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import BotTurn, Message, Ticket
from tests.factories import make_integration, make_message, make_ticket
from tests.graph import GraphServer
from tests.test_crash import (
    PATIENCE,
    Meta,
    Run,
    all_sent,
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

TICKETS = 8
MESSAGES = 4


@pytest.fixture
def flow() -> Iterator[WireServer]:
    """A Typebot flow that answers every message by repeating it, and asks on."""
    with wire_server() as server:
        server.handler = repeat
        yield server


def repeat(request: Received) -> Answer:
    said = request.json.get("message", "")
    text = said["text"] if isinstance(said, dict) else said
    bubble = {
        "type": "richText",
        "richText": [{"type": "p", "children": [{"text": f"eco {text}"}]}],
    }
    return Answer(
        body={
            "sessionId": "s",
            "messages": [{"id": "b", "type": "text", "content": bubble}],
            "input": {"id": "i", "type": "text input"},
        }
    )


@pytest.fixture
def tickets(acme: Company, connection: Connection, flow: WireServer) -> list[Ticket]:
    """Conversations that the flow leads, each with messages that wait for its answers."""
    integration = make_integration(
        acme, type="typebot", url=flow.url, typebot_slug="eco", typebot_delay_ms=0
    )
    led = [
        make_ticket(
            acme,
            connection=connection,
            integration=integration,
            use_integration=True,
            chatbot=True,
            last_inbound_at=timezone.now(),
        )
        for _ in range(TICKETS)
    ]
    for place in range(MESSAGES):
        for ticket in led:
            BotTurn.objects.create(
                company=acme,
                ticket=ticket,
                message=make_message(ticket, body=f"{place}"),
                kind="integration",
                integration=integration,
                event_id=uuid.uuid4(),
            )
    return led


def finished() -> bool:
    return not BotTurn.objects.exclude(state="done").exists() and all_sent()


def check_every_message_was_answered_once(graph: GraphServer, tickets: list[Ticket]) -> None:
    expected = [f"eco {place}" for place in range(MESSAGES)]
    for ticket in tickets:
        replies = Message.objects.filter(ticket=ticket, from_me=True).order_by("pk")
        assert [each.body for each in replies] == expected
    sent: dict[str, list[str]] = defaultdict(list)
    for message in graph.messages:
        sent[message["to"]].append(message["text"]["body"])
    assert list(sent.values()) == [expected] * TICKETS


def test_a_worker_killed_while_a_flow_answers_neither_repeats_nor_skips_a_step(
    connection: Connection,
    tickets: list[Ticket],
    flow: WireServer,
    graph: GraphServer,
    run_worker: Run,
) -> None:
    meta = Meta(graph, connection.phone_number_id or "")
    graph.after = lambda payload: False
    ended = threading.Event()
    workers: list[Any] = []

    def die_in_mid_answer(request: Received) -> Answer:
        if len(flow.received) == TICKETS * MESSAGES // 3 and len(workers) == 1:
            os.kill(workers[0].pid, signal.SIGKILL)
            ended.set()
        return repeat(request)

    flow.handler = die_in_mid_answer
    try:
        workers.append(run_worker())
        workers[0].wait(timeout=PATIENCE)
        assert ended.is_set()
        assert BotTurn.objects.filter(state="claimed").exists()
        workers.append(run_worker())
        wait_for(finished, "every message to be answered")
    finally:
        meta.stop()
    check_every_message_was_answered_once(graph, tickets)
    assert BotTurn.objects.filter(attempts=2).exists()


def test_a_worker_killed_while_it_records_an_answer_neither_repeats_nor_skips_a_step(
    connection: Connection,
    tickets: list[Ticket],
    flow: WireServer,
    graph: GraphServer,
    run_worker: Run,
) -> None:
    meta = Meta(graph, connection.phone_number_id or "")
    graph.after = lambda payload: False
    held = tickets[TICKETS // 2]
    try:
        with psycopg.connect(database_url()) as somebody:
            query = "SELECT 1 FROM tickets_ticket WHERE id = %s FOR UPDATE"
            somebody.execute(query, [held.pk])
            worker = run_worker()
            wait_until_waited_for(somebody, "the worker to be in the middle of its record")
            worker.kill()
            worker.wait()
        assert not Message.objects.filter(ticket=held, from_me=True).exists()
        run_worker()
        wait_for(finished, "every message to be answered")
    finally:
        meta.stop()
    check_every_message_was_answered_once(graph, tickets)
    # What was heard and not recorded left no trace: it was asked again.
    first = BotTurn.objects.filter(ticket=held).order_by("pk")[0]
    assert first.attempts == 2
    assert IntegrationCall.objects.filter(turn=first).count() == 1
