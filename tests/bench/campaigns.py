"""Campaigns: recipients a second against what the provider allows, and the inbox beside one.

The provider is a Graph server in this process that refuses what comes faster than its tier. Pauses
between messages are off, so that the number's own rate alone is the pace.
"""

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.db import connection as database

from apps.campaigns.models import (
    Campaign,
    CampaignRecipient,
    CampaignSetting,
    ContactList,
    ContactListItem,
)
from apps.campaigns.services.running import cancel_campaign
from apps.common.wakeups import send_wake_up
from apps.connections.models import Connection
from apps.contacts.models import Contact
from apps.tickets.models import Ticket
from tests.bench import inbound
from tests.bench.calls import timed
from tests.bench.dataset import Business, insert, settle
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.factories import make_campaign
from tests.graph import GraphServer, graph_error
from tests.product import wait_for

# Messages a second that Meta allows a number at first, and the highest tier.
ALLOWED, HIGHEST = 80, 1_000
LEAST_SHARE = 0.8
FEW, MANY = 20_000, 50_000
RATE_SECONDS = 20.0
WARM_UP_MESSAGES = 40
# Whatever was on its way when it was cancelled has arrived by then.
GOING_ON_SECONDS = 3.0
BESIDE_FACTOR, SLOWEST_CALL_MS, EVENT_MS = 1.5, 50.0, 150.0
RATE_LIMIT_CODE = 130429
_first_number = count(0, 1_000_000)
_server = count(1)


class Meter:
    """A tier: so many messages in any second, a second's worth at once."""

    def __init__(self, graph: GraphServer, allowed: int) -> None:
        self.allowed = allowed
        self.refused = 0
        self._left, self._at = float(allowed), time.monotonic()
        self._lock = threading.Lock()
        graph.fault = self._judge

    def _judge(self, payload: dict[str, Any]) -> "tuple[int, dict[str, Any]] | bool":
        with self._lock:
            now = time.monotonic()
            self._left = min(self.allowed, self._left + (now - self._at) * self.allowed)
            self._at = now
            if self._left < 1:
                self.refused += 1
                return graph_error(RATE_LIMIT_CODE, 429)
            self._left -= 1
        return False


def make_listed(business: Business, people: int) -> ContactList:
    """Make a list of so many contacts who all wrote an hour ago."""
    company, connection = business.company, business.connection
    first = next(_first_number)
    listed = ContactList.objects.create(
        company=company, name=f"Lista {first} {people}", contacts_count=people
    )
    series = f"generate_series({first}, {first + people - 1}) AS n"
    number = "'55219' || (10000000 + n)"
    shared = {
        "company_id": str(company.pk),
        "name": "'Pessoa ' || n",
        "number": number,
        "canonical_number": number,
        "search_text": f"'pessoa ' || n || ' ' || {number}",
    }
    insert(Contact, series, connection_id=str(connection.pk), **shared)
    insert(ContactListItem, series, contact_list_id=str(listed.pk), **shared)
    contact = (
        f"(SELECT id FROM {Contact._meta.db_table}"
        f" WHERE company_id = {company.pk} AND canonical_number = {number})"
    )
    insert(
        Ticket,
        series,
        company_id=str(company.pk),
        connection_id=str(connection.pk),
        contact_id=contact,
        status="'closed'",
        last_inbound_at="now() - interval '1 hour'",
        closed_at="now() - interval '1 hour'",
    )
    settle()
    return listed


def without_pauses(business: Business) -> None:
    """Let the company's campaigns go as fast as their number may."""
    for key in ("messageInterval", "longerIntervalAfter", "greaterInterval"):
        CampaignSetting.objects.update_or_create(
            company=business.company, key=key, defaults={"value": 0}
        )


@contextmanager
def provider(stack: Stack, *, beats: bool = False) -> Iterator[GraphServer]:
    """Have a sender send to a Graph server of ours, or the one worker that `beats`."""
    # Ids of messages are unique on a database, whoever gave them.
    graph = GraphServer(f"bench{next(_server)}.")
    before = os.environ["GRAPH_API_URL"]
    os.environ["GRAPH_API_URL"] = graph.url
    stack.stop("worker")
    if beats:
        stack.start_worker(beats=True)
    else:
        stack.start_workers()
    try:
        yield graph
    finally:
        os.environ["GRAPH_API_URL"] = before
        for name in {"worker", "sender"} & set(stack.processes):
            stack.stop(name)
        stack.start_worker()
        graph.stop()


@contextmanager
def running(business: Business, listed: ContactList, graph: GraphServer) -> Iterator[Campaign]:
    """Run a campaign; it is cancelled at the end."""
    campaign = make_campaign(business.company, connection=business.connection, contact_list=listed)
    begun = len(graph.messages)
    send_wake_up("campaigns.send")
    wait_for(lambda: len(graph.messages) > begun + WARM_UP_MESSAGES, "the first messages", 120)
    try:
        yield campaign
    finally:
        cancel_campaign(user=business.admin, campaign_id=campaign.pk)


def paced(business: Business, allowed: int) -> None:
    """Set what the number may send in a second."""
    Connection.objects.filter(pk=business.connection.pk).update(sends_per_second=allowed)


def rates(stack: Stack, business: Business, *, people: int) -> list[Figure]:
    """Measure recipients a second at the first tier and at the highest."""
    without_pauses(business)
    listed = make_listed(business, people)
    figures = []
    with provider(stack) as graph:
        for allowed in (ALLOWED, HIGHEST):
            paced(business, allowed)
            meter = Meter(graph, allowed)
            with running(business, listed, graph):
                begun, cpu = len(graph.messages), stack.cpu("sender")
                started_at = time.perf_counter()
                time.sleep(RATE_SECONDS)
                taken, sent = time.perf_counter() - started_at, len(graph.messages) - begun
                cpu, called_at = stack.cpu("sender") - cpu, time.perf_counter()
            cancelling, cancelled = time.perf_counter() - called_at, len(graph.messages)
            time.sleep(GOING_ON_SECONDS)
            late = len(graph.messages) - cancelled
            tier = f"campaign at {allowed:,} messages a second"
            share = LEAST_SHARE * 100 if allowed == ALLOWED else None
            figures += [
                Figure(f"{tier}, recipients", sent / taken, "1/s"),
                Figure(f"{tier}, of the allowed", sent / taken / allowed * 100, "%", share, True),
                Figure(f"{tier}, refused as too fast", meter.refused, "", 0),
                Figure(f"{tier}, sender CPU of a recipient", cpu * 1000 / max(sent, 1), "ms"),
                Figure(f"{tier}, its cancelling took", cancelling, "s"),
                Figure(f"{tier}, sent once it was cancelled", late),
                Figure(f"{tier}, sender's share of a core", cpu / taken * 100, "%"),
            ]
    return figures


def inbox(stack: Stack, business: Business, token: str, *, people: int) -> list[Figure]:
    """Measure calls and live events alone, and while a campaign to many runs."""
    without_pauses(business)
    paced(business, ALLOWED)
    listed = make_listed(business, people)
    with provider(stack) as graph:
        Meter(graph, ALLOWED)
        alone = _calls(stack, business, token)
        alone_events = asyncio.run(inbound.latencies(stack, business, token))
        started_at = time.perf_counter()
        with running(business, listed, graph) as campaign:
            start_seconds = time.perf_counter() - started_at
            begun, since = len(graph.messages), time.perf_counter()
            beside = _calls(stack, business, token)
            beside_events = asyncio.run(inbound.latencies(stack, business, token))
            rate = (len(graph.messages) - begun) / (time.perf_counter() - since)
            left = CampaignRecipient.objects.filter(campaign=campaign, state="pending").count()
            assert left, "The campaign was over before the measuring"
    database.close()
    size = f"a campaign of {people:,}"
    figures = [
        Figure(f"{size}, from its time to message {WARM_UP_MESSAGES}", start_seconds, "s"),
        Figure(f"{size}, recipients beside the inbox", rate, "1/s"),
    ]
    for name, taken in alone.items():
        quiet, busy = percentile(taken, 0.95), percentile(beside[name], 0.95)
        figures += [
            Figure(f"{name}, p95, alone", quiet, "ms"),
            Figure(f"{name}, p95, beside {size}", busy, "ms"),
            Figure(f"{name}, p95 beside / alone", busy / quiet, "×", BESIDE_FACTOR),
        ]
    slowest = max(max(taken) for taken in beside.values())
    return [
        *figures,
        Figure("slowest of these calls, alone", max(map(max, alone.values())), "ms"),
        Figure(f"slowest of these calls, beside {size}", slowest, "ms", SLOWEST_CALL_MS),
        Figure("webhook → socket event, p95, alone", percentile(alone_events, 0.95), "ms"),
        Figure(
            f"webhook → socket event, p95, beside {size}",
            percentile(beside_events, 0.95),
            "ms",
            EVENT_MS,
        ),
    ]


def _calls(stack: Stack, business: Business, token: str) -> dict[str, list[float]]:
    """Return the milliseconds of the inbox's calls by their name."""
    newest = (
        Ticket.objects.for_company(business.company.pk).filter(status="open").latest("updated_at")
    )
    paths = {
        "ticket list": "/api/tickets?pageNumber=1&showAll=true&status=open",
        "message list": f"/api/messages/{newest.pk}?pageNumber=1",
    }
    return timed(stack.web_address, token, paths)
