"""A campaign whose worker, Redis and database are killed on its way: nobody lost, nobody twice.

Counted where it arrives, at a Graph server in this process, which tells each status as Meta does:
again and again until the webhook takes it (rules/campaigns §4).
"""

import json
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from django.db import DatabaseError
from django.db import connection as database

from apps.campaigns.models import Campaign, CampaignRecipient
from apps.common.wakeups import send_wake_up
from apps.connections.models import Connection
from tests.bench.campaigns import HIGHEST, make_listed, paced, provider, without_pauses
from tests.bench.dataset import Business
from tests.bench.inbound import signed
from tests.bench.report import Figure
from tests.bench.stack import Stack
from tests.factories import make_campaign
from tests.graph import GraphServer
from tests.product import wait_for

PEOPLE = 10_000
SECONDS = 860.0
# From the blow to more messages than were on their way; the next worker's start is in it.
GOES_ON_SECONDS, MOST_ON_THEIR_WAY = 20.0, 16
AT_ONCE = 50
AGAIN_SECONDS = 0.2
Accepted = tuple[dict[str, Any], str]


class Reporter:
    """Posts the statuses of what was accepted, in their order, until each was taken."""

    def __init__(self, stack: Stack, graph: GraphServer, connection: Connection) -> None:
        self._address = f"{stack.web_address}/webhooks/whatsapp"
        self._connection = connection
        self._accepted: queue.Queue[Accepted | None] = queue.Queue()
        self._ends = threading.Event()
        graph.on_accept = lambda payload, wamid: self._accepted.put((payload, wamid))
        self._thread = threading.Thread(target=self._report)
        self._thread.start()

    def _report(self) -> None:
        with httpx.Client(timeout=30) as client:
            while (first := self._accepted.get()) is not None:
                statuses = [self._status(first)]
                while len(statuses) < AT_ONCE and not self._accepted.empty():
                    if (another := self._accepted.get()) is None:
                        return
                    statuses.append(self._status(another))
                body = self._notification(statuses)
                while not self._is_taken(client, body) and not self._ends.wait(AGAIN_SECONDS):
                    pass

    def _is_taken(self, client: httpx.Client, body: bytes) -> bool:
        try:
            answer = client.post(self._address, content=body, headers=signed(body))
        except httpx.TransportError:
            return False
        return answer.status_code == 200

    def _notification(self, statuses: list[dict[str, Any]]) -> bytes:
        value = {
            "messaging_product": "whatsapp",
            "metadata": {"phone_number_id": self._connection.phone_number_id},
            "statuses": statuses,
        }
        change = {"field": "messages", "value": value}
        entry = {"id": self._connection.waba_id, "changes": [change]}
        return json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode()

    @staticmethod
    def _status(accepted: Accepted) -> dict[str, Any]:
        payload, wamid = accepted
        return {
            "id": wamid,
            "status": "sent",
            "recipient_id": payload["to"],
            "timestamp": str(int(time.time())),
            "biz_opaque_callback_data": payload["biz_opaque_callback_data"],
        }

    def stop(self) -> None:
        """End, whatever is left to tell."""
        self._ends.set()
        self._accepted.put(None)
        self._thread.join()


class Blows:
    """Strikes once at each of some counts of accepted messages, before that one is answered."""

    def __init__(
        self, graph: GraphServer, blows: dict[int, tuple[str, Callable[[], None]]]
    ) -> None:
        self.pauses: dict[str, float] = {}
        self._graph, self._left = graph, dict(blows)
        self._lock = threading.Lock()
        self._struck: tuple[str, float, int] | None = None
        graph.after = self._after

    def _after(self, _payload: dict[str, Any]) -> bool:
        with self._lock:
            if self._struck is not None:
                name, at, goes_on_at = self._struck
                if len(self._graph.messages) >= goes_on_at:
                    self.pauses[name] = time.perf_counter() - at
                    self._struck = None
            if self._left and len(self._graph.messages) >= min(self._left):
                name, strike = self._left.pop(min(self._left))
                at = time.perf_counter()
                strike()
                self._struck = (name, at, len(self._graph.messages) + MOST_ON_THEIR_WAY)
        return False


@contextmanager
def reporting(stack: Stack, graph: GraphServer, connection: Connection) -> Iterator[None]:
    """Have statuses told for the length of a block."""
    reporter = Reporter(stack, graph, connection)
    try:
        yield
    finally:
        reporter.stop()


def survived(stack: Stack, business: Business, *, people: int) -> list[Figure]:
    """Kill each once on the way of one campaign; raises AssertionError unless all got one message.

    The worker is followed by another as a supervisor does it; Redis comes back with nothing in it,
    PostgreSQL with what was committed.
    """
    without_pauses(business)
    paced(business, HIGHEST)
    listed = make_listed(business, people)

    def kill_worker() -> None:
        stack.kill("worker")
        stack.start_worker(beats=True)

    def kill_redis() -> None:
        stack.kill_redis()
        stack.redis.start()

    def kill_postgres() -> None:
        stack.kill_postgres()
        stack.start_postgres()

    blows = {
        people // 4: ("the worker", kill_worker),
        people // 2: ("Redis", kill_redis),
        people * 3 // 4: ("PostgreSQL", kill_postgres),
    }
    with provider(stack, beats=True) as graph, reporting(stack, graph, business.connection):
        struck = Blows(graph, blows)
        campaign = make_campaign(
            business.company, connection=business.connection, contact_list=listed
        )
        database.close()  # the server goes on its way
        started_at = time.perf_counter()
        send_wake_up("campaigns.send")
        try:
            wait_for(lambda: is_over(campaign), "the campaign to end", SECONDS)
        except AssertionError as late:
            raise AssertionError(f"{late}; {_standing(campaign, graph, struck)}") from late
        taken = time.perf_counter() - started_at
    arrived = Counter(message["to"] for message in graph.messages)
    twice = sum(count - 1 for count in arrived.values())
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    states = Counter(recipients.values_list("state", flat=True))
    messages = recipients.exclude(message=None).values("message").distinct().count()
    database.close()
    # No missed budget: whatever the machine, it fails the run.
    assert set(struck.pauses) == {name for name, _ in blows.values()}, struck.pauses
    assert len(arrived) == people, f"{people - len(arrived):,} were lost"
    assert not twice, f"{twice:,} messages arrived twice"
    assert states == {"sent": people}, states
    assert messages == people, f"{messages:,} messages of {people:,} recipients"
    size = f"a campaign of {people:,}, all killed once"
    return [
        Figure(f"{size}, lost", people - len(arrived), "", 0),
        Figure(f"{size}, twice", twice, "", 0),
        Figure(f"{size}, from its time to its end", taken, "s"),
        *(
            Figure(f"{size}, goes on after the end of {name}", pause, "s", GOES_ON_SECONDS)
            for name, pause in struck.pauses.items()
        ),
    ]


def _standing(campaign: Campaign, graph: GraphServer, struck: Blows) -> str:
    """Return how far a campaign came, for who reads why it was given up."""
    recipients = CampaignRecipient.objects.filter(campaign=campaign)
    states = dict(Counter(recipients.values_list("state", flat=True)))
    return f"{len(graph.messages):,} arrived, {states}, pauses {struck.pauses}"


def is_over(campaign: Campaign) -> bool:
    """Tell whether a campaign has ended; while there is no database, it has not."""
    try:
        return Campaign.objects.filter(pk=campaign.pk, status="FINALIZADA").exists()
    except DatabaseError:
        database.close()
        return False
