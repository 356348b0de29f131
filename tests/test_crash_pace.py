"""Several workers keep one pace, and it outlives each of them."""

import os
import signal
import time
from collections import Counter
from typing import Any

import pytest

from apps.connections.models import Connection, SendPace
from apps.tickets.models import Delivery, Message, Ticket
from tests.graph import GraphServer
from tests.test_crash import (
    Meta,
    Run,
    all_sent,
    bodies_by_contact,
    graph,
    queue_up,
    run_worker,
    tickets,
    wait_for,
)

__all__ = ["graph", "run_worker", "tickets"]

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
RATE, COUNT = 10, 40


def test_two_workers_keep_one_pace_over_the_death_of_one(
    connection: Connection, tickets: list[Ticket], graph: GraphServer, run_worker: Run
) -> None:
    Connection.objects.filter(pk=connection.pk).update(sends_per_second=RATE)
    meta = Meta(graph, connection.phone_number_id or "")
    arrived: list[float] = []
    workers: list[Any] = []

    def kill_one_in_mid_answer(payload: dict[str, Any]) -> bool | None:
        arrived.append(time.monotonic())
        if len(arrived) == COUNT // 2:
            os.kill(workers[0].pid, signal.SIGKILL)
        return False

    graph.after = kill_one_in_mid_answer
    queue_up(tickets, COUNT)
    workers += [run_worker(), run_worker()]
    try:
        wait_for(all_sent, "every message to be sent")
    finally:
        meta.stop()
    attempts = Counter(message["biz_opaque_callback_data"] for message in graph.messages)
    assert (len(attempts), set(attempts.values())) == (COUNT, {1})
    assert all(bodies == sorted(bodies) for bodies in bodies_by_contact(graph))
    assert set(Delivery.objects.values_list("state", flat=True)) == {"done"}
    assert not Message.objects.filter(external_id=None).exists()
    # Two may come closer on their way than they left, not many.
    most = max(sum(start <= each < start + 1 for each in arrived) for start in arrived)
    assert most <= RATE + 2
    assert arrived[-1] - arrived[0] >= (COUNT - 1) / RATE - 0.2
    assert SendPace.objects.get().people_from > 0
