"""What a read costs the server's process and the database, beside the least it could cost."""

import pickle
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
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
from tests.bench.older import CLIENTS, CROWDED
from tests.bench.report import Figure
from tests.bench.stack import Stack

# Where nothing else made more of them: the pages are as long, and made in a fifth of the time.
MESSAGES_PER_TICKET = 10
# As many as the older product had.
MESSAGES = 1_200_000
# The CPU time of a call is that of the best batch: whatever else runs on the machine only adds. The
# product's and the bare server's are in turn, for what else runs changes by the second.
BATCHES = 3
FEWEST_PAIRS = 4
PAIRS_SECONDS = 4.0
CALLS = 20
WARM_UP = 15
MOST_TIMES_BARE = 3.0


@dataclass(frozen=True)
class Bounds:
    """The most that a call may cost: its server beside the bare one, CPU milliseconds of its
    server, and of server and database together; None: no bound.
    """

    times_bare: float | None = None
    server_ms: float | None = None
    all_ms: float | None = None


# Three times the bare limits that were measured beside the older product, in milliseconds: a slow
# statement, or a slow way to the threads, is in both sides of the ratio.
HOT = {
    "open list": Bounds(MOST_TIMES_BARE, 6.3),
    "closed list": Bounds(MOST_TIMES_BARE),
    "board": Bounds(MOST_TIMES_BARE, 6.3),
    "messages": Bounds(MOST_TIMES_BARE, 3.9),
    "one ticket": Bounds(MOST_TIMES_BARE, 2.1),
    "contacts": Bounds(MOST_TIMES_BARE, 3.3),
    "contact search": Bounds(MOST_TIMES_BARE),
    "text search, rare": Bounds(MOST_TIMES_BARE),
    "text search, common": Bounds(MOST_TIMES_BARE),
}
CALLS_EACH = 12


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
    }


def searches(business: Business) -> dict[str, str]:
    """Return the searches in all that was said, by name."""
    return {
        "text search, rare": "/api/tickets?pageNumber=1&showAll=true&searchParam=cliente%201999",
        "text search, common": "/api/tickets?pageNumber=1&showAll=true&searchParam=entrega%20prazo",
    }


def measure(
    stack: Stack,
    business: Business,
    token: str,
    called: dict[str, str],
    bounds: Mapping[str, Bounds],
) -> list[Figure]:
    """Call every address of the product, then the same of a server that only knows the answers."""
    headers = {"Authorization": f"Bearer {token}"}
    crowded = _crowded(stack, headers, called)
    with ExitStack() as ends:
        client = ends.enter_context(
            httpx.Client(base_url=stack.web_address, headers=headers, timeout=30)
        )
        recorded = {path: _recorded(business, path, client) for path in called.values()}
        bare_address = stack.start_bare(pickle.dumps(recorded))
        ends.callback(stack.stop, "bare")
        simple = ends.enter_context(httpx.Client(base_url=bare_address, timeout=30))
        for path, each in recorded.items():
            assert simple.get(path).content == orjson.dumps(each.body)
        costs = {
            name: _costs(stack, {"web": client, "bare": simple}, path)
            for name, path in called.items()
        }
    lines: list[Figure] = []
    for name in called:
        most, web, bare = bounds[name], costs[name]["web"], costs[name]["bare"]
        lines += [
            Figure(name + CROWDED, crowded[name], "ms", most.all_ms),
            Figure(f"{name}, CPU of the server", web, "ms", most.server_ms),
            Figure(f"{name}, the same bare", bare, "ms"),
            Figure(f"{name}, server / bare", web / bare, "×", most.times_bare),
        ]
    return lines


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


def _costs(stack: Stack, clients: dict[str, httpx.Client], path: str) -> dict[str, float]:
    """Return the CPU milliseconds of a call in each process; they are measured in turn."""
    spent: dict[str, list[float]] = {name: [] for name in clients}
    for client in clients.values():
        for _ in range(WARM_UP):
            client.get(path).raise_for_status()
    ends_at = time.monotonic() + PAIRS_SECONDS
    while time.monotonic() < ends_at or len(spent["web"]) < FEWEST_PAIRS:
        for name, client in clients.items():
            before = stack.own_cpu(name)
            for _ in range(CALLS):
                client.get(path).raise_for_status()
            spent[name].append((stack.own_cpu(name) - before) * 1000 / CALLS)
    return {name: min(each) for name, each in spent.items()}


def _crowded(stack: Stack, headers: dict[str, str], called: dict[str, str]) -> dict[str, float]:
    """Return the CPU milliseconds of a call of both processes, of many clients at once."""
    found = {}
    with ExitStack() as open_ones, ThreadPoolExecutor(CLIENTS) as threads:
        clients = [
            open_ones.enter_context(
                httpx.Client(base_url=stack.web_address, headers=headers, timeout=60)
            )
            for _ in range(CLIENTS)
        ]

        def batch(path: str) -> float:
            def call(client: httpx.Client) -> None:
                for _ in range(CALLS_EACH):
                    client.get(path).raise_for_status()

            before = stack.cpu("web", "postgres")
            list(threads.map(call, clients))
            return (stack.cpu("web", "postgres") - before) * 1000 / (CALLS_EACH * CLIENTS)

        for name, path in called.items():
            batch(path)
            found[name] = min(batch(path) for _ in range(BATCHES))
    return found
