"""A campaign over the death of its worker, of Redis and of the database: nobody twice, nobody lost.

Counted where it arrives, at the Graph server (rules/campaigns §4).
"""

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from apps.campaigns.models import Campaign, CampaignRecipient, CampaignSetting
from apps.companies.models import Company
from apps.connections.models import Connection
from apps.tickets.models import Message
from tests.factories import make_audience, make_campaign
from tests.graph import GraphServer
from tests.services import RedisServer
from tests.test_crash import Meta, Run, graph, run_worker, wait_for
from tests.test_crash_recovery import allow_connections

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.xdist_group("processes"),
]
__all__ = ["graph", "run_worker"]

COUNT = 150
STRIKE_AT = COUNT // 3


@pytest.fixture
def campaign(acme: Company, connection: Connection) -> Campaign:
    """A campaign to many who may be written to, without a pause between them."""
    for key in ("messageInterval", "longerIntervalAfter", "greaterInterval"):
        CampaignSetting.objects.create(company=acme, key=key, value=0)
    # The outbox holds what leaves in a second: others are still to be handed over when it strikes.
    connection.sends_per_second = STRIKE_AT
    connection.save()
    listed = make_audience(connection, COUNT)
    return make_campaign(acme, connection=connection, contact_list=listed)


@contextmanager
def struck(graph: GraphServer, connection: Connection, strike: Callable[[], Any]) -> Iterator[None]:
    """Strike once, in the middle of the sends, before the provider's answer is out."""
    meta = Meta(graph, connection.phone_number_id or "")
    once = threading.Lock()

    def after(payload: dict[str, Any]) -> bool:
        if len(graph.messages) >= STRIKE_AT and once.acquire(blocking=False):
            strike()
        return False

    graph.after = after
    try:
        yield
        assert once.locked(), "Nothing was struck"
    finally:
        meta.stop()


def is_over() -> bool:
    return Campaign.objects.get().status == "FINALIZADA"


def check_everybody_got_one(graph: GraphServer) -> None:
    arrived = Counter(message["to"] for message in graph.messages)
    assert len(arrived) == COUNT
    assert set(arrived.values()) == {1}
    states = Counter(CampaignRecipient.objects.values_list("state", flat=True))
    assert states == {"sent": COUNT}
    assert Message.objects.filter(source="campaign").count() == COUNT
    assert not CampaignRecipient.objects.filter(message=None).exists()


def test_a_killed_worker_leaves_nobody_out_and_repeats_nobody(
    campaign: Campaign, connection: Connection, graph: GraphServer, run_worker: Run
) -> None:
    workers: list[Any] = []
    with struck(graph, connection, lambda: os.kill(workers[0].pid, signal.SIGKILL)):
        workers.append(run_worker())
        workers[0].wait(timeout=120)
        assert CampaignRecipient.objects.filter(state="pending").exists()
        run_worker()
        wait_for(is_over, "the campaign to end")
    check_everybody_got_one(graph)


def test_a_killed_redis_leaves_nobody_out_and_repeats_nobody(
    campaign: Campaign, connection: Connection, graph: GraphServer, run_worker: Run
) -> None:
    redis = RedisServer()

    def kill_and_start() -> None:
        redis.process.kill()
        redis.process.wait()
        redis.start()

    try:
        with struck(graph, connection, kill_and_start):
            run_worker(REDIS_URL=redis.url)
            wait_for(is_over, "the campaign to end")
    finally:
        redis.stop()
    check_everybody_got_one(graph)


def test_a_database_that_goes_and_comes_leaves_nobody_out_and_repeats_nobody(
    campaign: Campaign, connection: Connection, graph: GraphServer, run_worker: Run
) -> None:
    cut = threading.Event()
    with struck(graph, connection, cut.set):
        run_worker()
        wait_for(cut.is_set, "the middle of the campaign")
        # What a restart is to everybody else: every session ends, and no new one begins.
        allow_connections("false")
        allow_connections("true")
        wait_for(is_over, "the campaign to end")
    check_everybody_got_one(graph)
