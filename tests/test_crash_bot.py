"""Workers killed between the bot's steps: each contact hears every answer once, in order.

What the bot says is stored with the message that it answers (rules/inbound §4, rules/bot §1), and
goes out by the same outbox as everything else.
"""

import os
import signal
import time
from collections import defaultdict
from typing import Any

import psycopg
import pytest

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.official.webhook import notices
from apps.inbound.models import InboundEvent
from apps.inbound.services import store_notices
from apps.queues.models import Queue, QueueOption
from apps.tickets.models import Message, Ticket, TicketActivity
from tests.factories import make_queue
from tests.graph import GraphServer
from tests.test_crash import (
    PATIENCE,
    Meta,
    Run,
    all_sent,
    database_url,
    graph,
    notification,
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

CONTACTS = 20
MENU = "Bem-vindo!\n\n*1* - Vendas\n*2* - Pedidos"
TOP = "O que houve?\n\n*1* - Trocar\n*2* - Prazos\n*#* - Menu principal"
BELOW = "Como?\n\n*1* - Por outro\n*0* - Voltar\n*#* - Menu principal"
# What every contact writes, and what the bot answers to that.
TALK = [
    ("Oi", MENU),
    ("2", TOP),
    ("#", MENU),
    ("2", TOP),
    ("1", BELOW),
    ("0", TOP),
    ("1", BELOW),
    ("#", MENU),
    ("2", TOP),
    ("2", "São 30 dias."),
    ("Alguém?", None),
]
ANSWERS = [answer for _, answer in TALK if answer]


@pytest.fixture
def orders(acme: Company, connection: Connection, queue: Queue) -> Queue:
    orders = make_queue(acme, name="Pedidos", greeting_message="O que houve?", order=1)
    connection.queues.add(orders)
    connection.greeting_message = "Bem-vindo!"
    connection.save()
    option = QueueOption.objects.create(queue=orders, title="Trocar", message="Como?", position=1)
    QueueOption.objects.create(queue=orders, title="Prazos", message="São 30 dias.", position=2)
    QueueOption.objects.create(queue=orders, parent=option, title="Por outro", position=1)
    return orders


def write(connection: Connection, first: int, last: int, *, times: int = 2) -> None:
    """Store a part of the talk for every contact, each step twice, as Meta repeats itself."""
    for step in range(first, last):
        messages = [
            {
                "from": f"55119000000{contact:02d}",
                "id": f"wamid.{step}.{contact}",
                "timestamp": str(int(time.time())),
                "type": "text",
                "text": {"body": TALK[step][0]},
            }
            for contact in range(CONTACTS)
        ]
        body = notification(connection.phone_number_id or "", messages=messages)
        for _ in range(times):
            store_notices(notices(body))


def is_handled() -> bool:
    return not InboundEvent.objects.exclude(state="done").exists()


def test_a_worker_killed_between_the_bots_steps_repeats_and_skips_none(
    connection: Connection, orders: Queue, graph: GraphServer, run_worker: Run
) -> None:
    meta = Meta(graph, connection.phone_number_id or "")
    graph.after = lambda payload: False
    workers = []
    try:
        write(connection, 0, 3)
        workers.append(run_worker())
        wait_for(lambda: Message.objects.filter(from_me=False).count() == 3 * CONTACTS, "a part")
        # It dies between two statements of a batch: one of its tickets is held by somebody else.
        with psycopg.connect(database_url()) as somebody:
            somebody.execute("SELECT 1 FROM tickets_ticket ORDER BY id DESC LIMIT 1 FOR UPDATE")
            # What is in the worker's hands comes again when it is dead: a repeat waits for those.
            write(connection, 3, len(TALK), times=1)
            wait_until_waited_for(somebody, "the worker to be in the middle of its work")
            workers[0].kill()
            workers[0].wait()
        write(connection, 3, len(TALK), times=1)
        assert InboundEvent.objects.filter(state="claimed").exists()

        def kill_in_mid_answer(payload: dict[str, Any]) -> bool | None:
            # Accepted by the provider, and the worker dies before it can know.
            if len(graph.messages) >= CONTACTS * len(ANSWERS) // 2 and len(workers) == 2:
                os.kill(workers[1].pid, signal.SIGKILL)
                return None
            return False

        graph.after = kill_in_mid_answer
        workers.append(run_worker())
        workers[1].wait(timeout=PATIENCE)
        workers.append(run_worker())
        wait_for(lambda: is_handled() and all_sent(), "every answer to be sent")
    finally:
        meta.stop()
    heard: dict[str, list[str]] = defaultdict(list)
    for message in graph.messages:
        heard[message["to"]].append(message["text"]["body"])
    assert len(heard) == CONTACTS
    assert all(answers == ANSWERS for answers in heard.values())
    for ticket in Ticket.objects.all():
        assert ticket.bot_state == {"ended": True, "menu_offered": True}
        assert (ticket.queue, ticket.unread_count) == (orders, len(TALK))
        kinds = TicketActivity.objects.filter(ticket=ticket).order_by("pk")
        assert list(kinds.values_list("kind", flat=True)) == ["queued", "bot_ended"]
