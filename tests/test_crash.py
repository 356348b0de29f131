"""Workers killed at the worst moment, against a real database, a real Redis and a Graph API.

Nothing is lost and nothing happens twice (rules/inbound §4, rules/messages §3).
"""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, connections
from django.db import connection as database
from django.db.models import Sum

from apps.companies.models import Company
from apps.connections.models import Connection
from apps.connections.providers.official.webhook import notices
from apps.inbound.models import InboundEvent
from apps.inbound.services import store_notices
from apps.tickets.models import Ack, Delivery, Message, Ticket
from tests.factories import make_message, make_ticket
from tests.graph import GraphServer, graph_error
from tests.product import ROOT
from tests.product import wait_for as wait
from tests.services import RedisServer

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]

COUNT = 500
CONTACTS = 25
FEW = {"WORKER_THREADS": "9"}
# Seconds are few on a quiet machine; a busy one may take its time.
PATIENCE = 120.0
Run = Callable[..., "subprocess.Popen[bytes]"]


def wait_for(condition: Callable[[], bool], what: str) -> None:
    wait(condition, what, PATIENCE)


@pytest.fixture
def graph() -> Iterator[GraphServer]:
    server = GraphServer()
    yield server
    server.stop()


def database_url() -> str:
    parts = database.settings_dict
    return f"postgres://{parts['USER']}@{parts['HOST']}:{parts['PORT']}/{parts['NAME']}"


@pytest.fixture
def run_worker(transactional_db: None, graph: GraphServer, tmp_path: Any) -> Iterator[Run]:
    """Return a function that starts a worker with beat; all are ended before the tables go."""
    started: list[subprocess.Popen[bytes]] = []

    def run(**environment: str) -> "subprocess.Popen[bytes]":
        variables = {
            "DATABASE_URL": database_url(),
            "GRAPH_API_URL": graph.url,
            "DATA_DIR": str(tmp_path),
        }
        with (tmp_path / "worker.log").open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "config.worker"],
                cwd=ROOT,
                env={**os.environ, **variables, **FEW, **environment},
                stdout=log,
                stderr=log,
            )
        started.append(worker)
        return worker

    yield run
    for worker in started:
        worker.kill()
        worker.wait()


@pytest.fixture
def tickets(acme: Company, connection: Connection) -> list[Ticket]:
    return [make_ticket(acme, connection=connection, status="open") for _ in range(CONTACTS)]


def queue_up(tickets: list[Ticket], count: int) -> None:
    for number in range(count):
        ticket = tickets[number % len(tickets)]
        message = make_message(ticket, from_me=True, body=str(number), external_id=None)
        Delivery.objects.create(
            company=ticket.company,
            connection_id=ticket.connection_id or 0,
            contact=ticket.contact,
            message=message,
        )


def is_stored(body: dict[str, Any]) -> bool:
    """Store a notification; returns False while there is no database, which Meta repeats it for."""
    try:
        store_notices(notices(body))
    except DatabaseError:
        database.close()
        return False
    return True


class Meta:
    """Reports every accepted message as sent, in its own time, like the real one."""

    def __init__(self, graph: GraphServer, phone_number_id: str) -> None:
        self._phone_number_id = phone_number_id
        self._accepted: queue.Queue[tuple[dict[str, Any], str] | None] = queue.Queue()
        graph.on_accept = lambda payload, wamid: self._accepted.put((payload, wamid))
        self._thread = threading.Thread(target=self._report)
        self._thread.start()

    def _report(self) -> None:
        while (accepted := self._accepted.get()) is not None:
            payload, wamid = accepted
            status = {
                "id": wamid,
                "status": "sent",
                "recipient_id": payload["to"],
                "timestamp": "1767614400",
                "biz_opaque_callback_data": payload["biz_opaque_callback_data"],
            }
            body = notification(self._phone_number_id, statuses=[status])
            wait_for(lambda body=body: is_stored(body), "a report to be stored")  # type: ignore[misc]
        connections.close_all()

    def stop(self) -> None:
        """Report what is left and end."""
        self._accepted.put(None)
        self._thread.join()


def notification(phone_number_id: str, **value: Any) -> dict[str, Any]:
    whole = {"messaging_product": "whatsapp", "metadata": {"phone_number_id": phone_number_id}}
    change = {"field": "messages", "value": {**whole, **value}}
    return {"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [change]}]}


def all_sent() -> bool:
    return not Message.objects.filter(from_me=True, ack__lt=Ack.SENT).exists()


def bodies_by_contact(graph: GraphServer) -> list[list[int]]:
    sent: dict[str, list[int]] = defaultdict(list)
    for message in graph.messages:
        sent[message["to"]].append(int(message["text"]["body"]))
    return list(sent.values())


def test_a_worker_killed_while_sending_neither_loses_nor_repeats(
    connection: Connection, tickets: list[Ticket], graph: GraphServer, run_worker: Run
) -> None:
    queue_up(tickets, COUNT)
    meta = Meta(graph, connection.phone_number_id or "")
    workers = [run_worker()]

    def kill_in_mid_answer(payload: dict[str, Any]) -> bool | None:
        # Accepted, and the worker dies before it can know.
        if len(graph.messages) >= COUNT // 3 and len(workers) == 1:
            os.kill(workers[0].pid, signal.SIGKILL)
            return None
        return False

    graph.after = kill_in_mid_answer
    try:
        workers[0].wait(timeout=PATIENCE)
        assert Delivery.objects.filter(state="sending").exists()
        workers.append(run_worker())
        wait_for(all_sent, "every message to be sent")
    finally:
        meta.stop()
    attempts = Counter(message["biz_opaque_callback_data"] for message in graph.messages)
    assert len(attempts) == COUNT
    assert set(attempts.values()) == {1}
    assert all(bodies == sorted(bodies) for bodies in bodies_by_contact(graph))
    assert set(Delivery.objects.values_list("state", flat=True)) == {"done"}
    assert not Message.objects.filter(external_id=None).exists()


def store_messages(connection: Connection, numbers: range, *, times: int = 2) -> None:
    """Store what contacts wrote, and all of it a second time, as Meta repeats itself.

    A repeat waits for the worker that is at its first: whoever holds what that one waits for stores
    it once, and the repeat afterwards.
    """
    for first in range(numbers.start, numbers.stop, 50):
        messages = [
            {
                "from": f"55119000000{number % CONTACTS:02d}",
                "id": f"wamid.{number}",
                "timestamp": "1767614400",
                "type": "text",
                "text": {"body": str(number)},
            }
            for number in range(first, min(first + 50, numbers.stop))
        ]
        body = notification(connection.phone_number_id or "", messages=messages)
        for _ in range(times):
            store_notices(notices(body))


def is_waited_for(holder: int | None = None) -> bool:
    """Tell whether anybody waits for a lock of a backend (its process id), or of the test's own.

    Any other wait passes by itself; a test that took it for this one would strike too early.
    """
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM pg_locks WHERE NOT granted"
            " AND coalesce(%s, pg_backend_pid()) = ANY (pg_blocking_pids(pid))",
            [holder],
        )
        return cursor.fetchone() is not None


def wait_until_waited_for(holder: "psycopg.Connection[Any]", what: str) -> None:
    """Return once a worker stands still before a row that the connection has locked."""
    # Not its `info`, in which a pooler names nobody.
    row = holder.execute("SELECT pg_backend_pid()").fetchone()
    assert row is not None
    wait_for(lambda: is_waited_for(row[0]), what)


def test_a_worker_killed_while_receiving_neither_loses_nor_repeats(
    connection: Connection, run_worker: Run
) -> None:
    store_messages(connection, range(COUNT // 2))
    worker = run_worker()
    wait_for(lambda: Message.objects.count() == COUNT // 2, "the first messages")
    # It dies between two statements of a batch: one of its tickets is held by somebody else.
    with psycopg.connect(database_url()) as somebody:
        somebody.execute("SELECT 1 FROM tickets_ticket ORDER BY id DESC LIMIT 1 FOR UPDATE")
        store_messages(connection, range(COUNT // 2, COUNT), times=1)
        wait_until_waited_for(somebody, "the worker to be in the middle of its work")
        worker.kill()
        worker.wait()
    assert InboundEvent.objects.filter(state="claimed").exists()
    store_messages(connection, range(COUNT // 2, COUNT), times=1)
    run_worker()
    wait_for(
        lambda: not InboundEvent.objects.exclude(state="done").exists(), "every event to be done"
    )
    assert Message.objects.count() == COUNT
    assert Ticket.objects.count() == CONTACTS
    assert Ticket.objects.aggregate(unread=Sum("unread_count")) == {"unread": COUNT}
    for ticket in Ticket.objects.all():
        bodies = [int(each) for each in ticket.messages.values_list("body", flat=True)]
        assert bodies == sorted(bodies)


def test_while_the_provider_is_down_messages_wait_and_then_go_in_order(
    tickets: list[Ticket], graph: GraphServer, run_worker: Run
) -> None:
    graph.fault = lambda payload: graph_error(131016, 503)
    queue_up(tickets[:2], 20)
    run_worker()
    wait_for(
        lambda: Delivery.objects.filter(attempts__gt=0, state="waiting").count() == 2,
        "the first of each conversation to be tried",
    )
    assert Message.objects.filter(ack=Ack.PENDING).exclude(error_reason="").count() == 2
    graph.stop()
    wait_for(lambda: Delivery.objects.filter(attempts__gt=1).count() == 2, "another try")
    assert not Message.objects.exclude(ack=Ack.PENDING).exists()
    graph.fault = lambda payload: False
    graph.start()
    wait_for(all_sent, "every message to be sent")
    assert sorted(bodies_by_contact(graph)) == [list(range(0, 20, 2)), list(range(1, 20, 2))]


def test_a_restart_of_redis_loses_nothing(
    connection: Connection, tickets: list[Ticket], graph: GraphServer, run_worker: Run
) -> None:
    redis = RedisServer()
    stopped = threading.Event()

    def restart(payload: dict[str, Any]) -> bool:
        if len(graph.messages) == 20 and not stopped.is_set():
            stopped.set()
            redis.stop()
            redis.start()
        return False

    graph.after = restart
    queue_up(tickets, 100)
    try:
        run_worker(REDIS_URL=redis.url)
        wait_for(stopped.is_set, "the restart")
        queue_up(tickets, 50)
        message = {"from": "5511900000001", "id": "wamid.in", "timestamp": "1767614400"}
        message |= {"type": "text", "text": {"body": "Oi"}}  # type: ignore[dict-item]
        store_notices(notices(notification(connection.phone_number_id or "", messages=[message])))
        wait_for(all_sent, "every message to be sent")
        wait_for(lambda: Message.objects.filter(external_id="wamid.in").exists(), "the message")
        assert len(graph.messages) == 150
    finally:
        redis.stop()
