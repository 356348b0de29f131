"""What a hot read costs the server's process and the database, beside the least it could cost."""

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any
from urllib.parse import quote

import httpx
import orjson
from django.db import connection as database
from rest_framework.test import APIClient

from apps.tickets.models import Ticket
from tests.bench.bare import Recorded, Statement
from tests.bench.dataset import Business
from tests.bench.report import Figure
from tests.bench.stack import Stack

# Where nothing else made more of them: the pages are as long, and made in a fifth of the time.
MESSAGES_PER_TICKET = 10
# The CPU time of a call is that of the best batch: whatever else runs on the machine only adds.
# The system tells it in hundredths of a second, so a batch is a good many calls, or long.
BATCHES = 3
BATCH_SECONDS = 0.8
FEWEST_CALLS = 20
WARM_UP = 15
MOST_TIMES_BARE = 2.0


def addresses(business: Business) -> dict[str, str]:
    """Return the reads by name, as a browser makes them."""
    live = Ticket.objects.for_company(business.company.pk).filter(status="open")
    newest = live.latest("updated_at").pk
    queues = quote(str([queue.pk for queue in business.queues]).replace(" ", ""))
    page = f"pageNumber=1&showAll=true&queueIds={queues}"
    return {
        "open list": f"/api/tickets?status=open&{page}",
        "closed list": f"/api/tickets?status=closed&{page}",
        "board": f"/api/ticket/kanban?{page}",
        "messages": f"/api/messages/{newest}?pageNumber=1",
        "one ticket": f"/api/tickets/{newest}?",
        "contacts": "/api/contacts?pageNumber=1",
        "contact search": "/api/contacts?pageNumber=1&searchParam=cliente%2015",
        "text search, rare": "/api/tickets?pageNumber=1&showAll=true&searchParam=cliente%201999",
        "text search, common": "/api/tickets?pageNumber=1&showAll=true&searchParam=entrega%20prazo",
    }


@dataclass(frozen=True)
class Cost:
    """CPU milliseconds of a call."""

    server: float
    database: float


def measure(stack: Stack, business: Business, token: str) -> list[Figure]:
    """Call every address of the product, then the same of a server that only knows the answers."""
    called = addresses(business)
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=stack.web_address, headers=headers, timeout=30) as client:
        recorded = {path: _recorded(business, path, client) for path in called.values()}
        ours = {name: _cost(stack, "web", client, path) for name, path in called.items()}
    bare_address = stack.start_bare(pickle.dumps(recorded))
    try:
        with httpx.Client(base_url=bare_address, timeout=30) as client:
            for path, each in recorded.items():
                assert client.get(path).content == orjson.dumps(each.body)
            bare = {name: _cost(stack, "bare", client, path) for name, path in called.items()}
    finally:
        stack.stop("bare")
    return [
        figure
        for name in called
        for figure in (
            Figure(f"{name}, CPU of the database", ours[name].database, "ms"),
            Figure(f"{name}, CPU of the server", ours[name].server, "ms"),
            Figure(f"{name}, the same bare", bare[name].server, "ms"),
            Figure(
                f"{name}, server / bare",
                ours[name].server / bare[name].server,
                "×",
                MOST_TIMES_BARE,
            ),
        )
    ]


def _recorded(business: Business, path: str, client: httpx.Client) -> Recorded:
    """Return the statements that a call makes beside the user's, and what the product answers."""
    statements: list[Statement] = []

    def listen(
        execute: Callable[..., Any], sql: str, given: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        cursor = context["cursor"].cursor
        if hasattr(cursor, "keeps_plan"):
            plain = [each.value if isinstance(each, Enum) else each for each in given]
            statements.append(Statement(sql, plain, cursor.keeps_plan))
        else:
            statements.append(Statement(cursor.mogrify(sql, given)))
        return execute(sql, given, many, context)

    inside = APIClient()
    inside.force_authenticate(business.admin)
    inside.get(path, headers={"Host": "127.0.0.1"})
    with database.execute_wrapper(listen):
        answer = inside.get(path, headers={"Host": "127.0.0.1"})
    assert answer.status_code == 200, answer.content
    told = client.get(path).raise_for_status()
    return Recorded(statements, orjson.loads(told.content))


def _cost(stack: Stack, process: str, client: httpx.Client, path: str) -> Cost:
    for _ in range(WARM_UP):
        client.get(path).raise_for_status()
    spent = []
    for _ in range(BATCHES):
        calls = 0
        before = stack.cpu(process), stack.cpu("postgres")
        ends_at = time.monotonic() + BATCH_SECONDS
        while calls < FEWEST_CALLS or time.monotonic() < ends_at:
            client.get(path)
            calls += 1
        after = stack.cpu(process), stack.cpu("postgres")
        spent.append([(b - a) * 1000 / calls for a, b in zip(before, after, strict=True)])
    server, stored = zip(*spent, strict=True)
    return Cost(min(server), min(stored))
