"""A worker killed while it posts to a webhook: nothing is lost, and a repeat is known by its id.

See rules/automation §11.
"""

import os
import signal
import threading
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from apps.automation.models import WebhookDelivery
from apps.automation.tests.wire import Answer, Received, WireServer, wire_server
from apps.companies.models import Company
from tests.factories import make_contact, make_webhook, make_webhook_delivery
from tests.test_crash import PATIENCE, Run, graph, run_worker, wait_for

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

CONTACTS = 5
EVENTS = 6


@pytest.fixture
def server() -> Iterator[WireServer]:
    with wire_server() as running:
        yield running


def test_a_worker_killed_in_the_middle_loses_nothing_and_keeps_the_order(
    acme: Company, server: WireServer, run_worker: Run
) -> None:
    webhook = make_webhook(acme, url=server.url)
    contacts = [make_contact(acme) for _ in range(CONTACTS)]
    for place in range(EVENTS):
        for contact in contacts:
            payload = {"contact": contact.pk, "n": place}
            make_webhook_delivery(webhook, contact=contact, payload=payload)
    killed = threading.Event()
    workers: list[Any] = []

    def die_in_mid_answer(request: Received) -> Answer:
        if len(server.received) == CONTACTS * EVENTS // 3 and not killed.is_set():
            os.kill(workers[0].pid, signal.SIGKILL)
            killed.set()
        return Answer()

    server.handler = die_in_mid_answer
    workers.append(run_worker(ALLOW_PRIVATE_TARGETS="127.0.0.0/8"))
    workers[0].wait(timeout=PATIENCE)
    assert killed.is_set()
    assert WebhookDelivery.objects.filter(state="claimed").exists()
    workers.append(run_worker(ALLOW_PRIVATE_TARGETS="127.0.0.0/8"))
    wait_for(lambda: not WebhookDelivery.objects.exclude(state="done").exists(), "all to be posted")
    ids: dict[int, list[str]] = defaultdict(list)
    order: dict[int, list[int]] = defaultdict(list)
    for request in server.received:
        told, event_id = request.json, request.headers["x-balcao-delivery"]
        if event_id not in ids[told["contact"]]:
            ids[told["contact"]].append(event_id)
            order[told["contact"]].append(told["n"])
    assert dict(order) == {contact.pk: list(range(EVENTS)) for contact in contacts}
    assert len(server.received) > CONTACTS * EVENTS  # the one that was cut off came twice
    assert WebhookDelivery.objects.filter(attempts=2).exists()
