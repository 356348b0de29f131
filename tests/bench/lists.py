"""The lists that are read all day, at two sizes: time, CPU and queries."""

import time
from dataclasses import dataclass

import httpx
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.tickets.models import Ticket
from tests.bench.dataset import MESSAGES_PER_TICKET, Business
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack

# The CPU time of a call is that of the best batch: whatever else runs on the machine only adds.
BATCHES = 5
BATCH = 80
WARM_UP = 40


@dataclass(frozen=True)
class Page:
    """One call; the budgets are CPU milliseconds and how much slower the large size may be."""

    name: str
    path: str
    cpu_budget: float | None = None


def pages(business: Business) -> list[Page]:
    """Return the calls that are measured."""
    newest = (
        Ticket.objects.for_company(business.company.pk).filter(status="open").latest("updated_at")
    )
    tickets = "/api/tickets?pageNumber=1&showAll=true"
    return [
        Page("ticket list, open", f"{tickets}&status=open", 3.5),
        Page("ticket list, closed", f"{tickets}&status=closed", 4.0),
        Page("message list", f"/api/messages/{newest.pk}?pageNumber=1", 2.5),
        Page("kanban, a lane", "/api/ticket/kanban?pageNumber=1&showAll=true&laneId=0", 4.0),
        Page("kanban, every lane", "/api/ticket/kanban?pageNumber=1&showAll=true", 4.0),
        Page("text search", f"{tickets}&searchParam=or%C3%A7amento%20reuniao%2049", 15.0),
        Page("contact search", "/api/contacts?pageNumber=1&searchParam=cliente%2015", 4.0),
    ]


@dataclass(frozen=True)
class Timing:
    """What one call took at one size, in milliseconds."""

    p50: float
    p95: float
    cpu: float


def measure(stack: Stack, called: list[Page], token: str) -> dict[str, Timing]:
    """Call every page many times, one call after another."""
    found: dict[str, Timing] = {}
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=stack.web_address, headers=headers, timeout=30) as client:
        for page in called:
            for _ in range(WARM_UP):
                client.get(page.path).raise_for_status()
            taken, spent = [], []
            for _ in range(BATCHES):
                before = stack.cpu("web", "postgres")
                for _ in range(BATCH):
                    started_at = time.perf_counter()
                    client.get(page.path).raise_for_status()
                    taken.append((time.perf_counter() - started_at) * 1000)
                spent.append((stack.cpu("web", "postgres") - before) * 1000 / BATCH)
            found[page.name] = Timing(percentile(taken, 0.5), percentile(taken, 0.95), min(spent))
    return found


def figures(
    business: Business, small: dict[str, Timing], large: dict[str, Timing], tickets: tuple[int, int]
) -> list[Figure]:
    """Return the figures of both sizes and their ratio."""
    sizes = [f"{each / 1000:g}k/{each * MESSAGES_PER_TICKET / 1000:g}k" for each in tickets]
    lines: list[Figure] = []
    for page in pages(business):
        one, two = small[page.name], large[page.name]
        lines += [
            Figure(f"{page.name}, p50 at {sizes[0]}", one.p50, "ms"),
            Figure(f"{page.name}, p95 at {sizes[0]}", one.p95, "ms"),
            Figure(f"{page.name}, p50 at {sizes[1]}", two.p50, "ms"),
            Figure(f"{page.name}, p95 at {sizes[1]}", two.p95, "ms"),
            Figure(f"{page.name}, CPU at {sizes[1]}", two.cpu, "ms", page.cpu_budget),
        ]
        if page.name in {"ticket list, open", "message list"}:
            lines.append(Figure(f"{page.name}, p95 large / small", two.p95 / one.p95, "×", 1.5))
    return lines


def queries(business: Business) -> list[Figure]:
    """Count the queries of every page."""
    client = APIClient()
    client.force_authenticate(business.admin)
    lines: list[Figure] = []
    for page in pages(business):
        with CaptureQueriesContext(database) as captured:
            answer = client.get(page.path, headers={"Host": "127.0.0.1"})
        assert answer.status_code == 200, answer.content
        lines.append(Figure(f"{page.name}, queries", len(captured), "", 8))
    return lines
