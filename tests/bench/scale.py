"""What ten times as many tickets and contacts cost: the ticket list, and the export of contacts."""

import threading
import time

import httpx

from tests.bench.dataset import Business
from tests.bench.lists import Page, Timing, pages
from tests.bench.report import Figure
from tests.bench.stack import Stack

# The lists show tickets; more messages would only take longer to make.
MESSAGES_PER_TICKET = 1
EXPORT_BUDGET_SECONDS = 20.0
# Rows of 200,000 contacts held at once would be a hundred times that.
EXPORT_BUDGET_MEGABYTES = 16.0


def ticket_lists(business: Business) -> list[Page]:
    """Return the calls whose time must not follow the number of tickets."""
    return [page for page in pages(business) if page.name.startswith(("ticket list", "kanban"))]


def figures(large: dict[str, Timing], huge: dict[str, Timing], tickets: int) -> list[Figure]:
    """Return what the lists take at the huge size, and its ratio to the large one."""
    lines: list[Figure] = []
    for name, timing in huge.items():
        lines += [
            Figure(f"{name}, p95 at {tickets / 1000:g}k", timing.p95, "ms"),
            Figure(f"{name}, p50 huge / large", timing.p50 / large[name].p50, "×", 1.5),
        ]
    return lines


def export(stack: Stack, token: str) -> list[Figure]:
    """Export every contact and watch the memory of the process that streams it."""
    headers = {"Authorization": f"Bearer {token}"}
    sizes: list[float] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.is_set():
            sizes.append(stack.memory()["web"])
            ended.wait(0.2)

    lines = 0
    with httpx.Client(base_url=stack.web_address, headers=headers, timeout=60) as client:
        # What the first export of a process loads is no matter of its length.
        client.get("/api/contacts/export?searchParam=cliente%2019999").raise_for_status()
        before = stack.memory()["web"]
        watcher = threading.Thread(target=watch)
        watcher.start()
        started_at = time.perf_counter()
        with client.stream("GET", "/api/contacts/export") as answer:
            answer.raise_for_status()
            first_at = 0.0
            for chunk in answer.iter_bytes():
                first_at = first_at or time.perf_counter()
                lines += chunk.count(b"\n")
        taken = time.perf_counter() - started_at
        ended.set()
        watcher.join()
    return [
        Figure("contacts exported", lines - 1),
        Figure("export of contacts, first bytes after", (first_at - started_at) * 1000, "ms"),
        Figure("export of contacts, whole", taken, "s", EXPORT_BUDGET_SECONDS),
        Figure("memory of web before the export", before, "MB"),
        Figure(
            "memory of web, most during the export, more than before",
            max(sizes, default=before) - before,
            "MB",
            EXPORT_BUDGET_MEGABYTES,
        ),
    ]
