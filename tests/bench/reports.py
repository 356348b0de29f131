"""What the boss's reports take of a company with a million conversations, and their files."""

import threading
import time

import httpx

from apps.tickets.models import Ticket, TrackingCycle
from tests.bench.dashboard import fill as fill_tickets
from tests.bench.dataset import Business, insert, settle
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack

CONVERSATIONS = 1_000_000
# With those that the tickets have already.
A_TICKET = 5
CALLS = 10
PAGE_MS, FIGURES_MS = 60.0, 300.0
# What the file of all of them may add to the process that streams it (issue 29, 8).
MOST_MEGABYTES = 100.0
# An answer begins before the file is made.
FIRST_SECONDS = 10.0
MINUTES = 60
YEAR = 365


def fill(business: Business, *, conversations: int) -> int:
    """Give the company so many conversations, of about 260 days; returns how many there are."""
    tickets = conversations // A_TICKET
    fill_tickets(business, tickets=tickets, messages=tickets * 5)
    company_id = business.company.pk
    present = TrackingCycle.objects.for_company(company_id).count()
    more = -(-(conversations - present) // tickets)
    queued = "t.created_at - n * interval '30 days'"
    insert(
        TrackingCycle,
        f"{Ticket._meta.db_table} AS t, generate_series(1, {more}) AS n"
        f" WHERE t.company_id = {company_id}",
        company_id="t.company_id",
        ticket_id="t.id",
        contact_id="t.contact_id",
        connection_id="t.connection_id",
        queue_id="t.queue_id",
        user_id="t.user_id",
        opened_at=queued,
        queued_at=queued,
        started_at=f"{queued} + (t.id % 40) * interval '1 minute'",
        first_answer_at=f"{queued} + (t.id % 45) * interval '1 minute'",
        finished_at=f"{queued} + (40 + t.id % 900) * interval '1 minute'",
        rate="CASE WHEN t.id % 3 > 0 THEN NULL ELSE 1 + t.id % 7 % 3 END",
        closing_reason="(ARRAY['', 'Venda', 'Dúvida', 'Troca'])[1 + t.id % 4]",
    )
    settle()
    return TrackingCycle.objects.for_company(company_id).count()


def measure(stack: Stack, business: Business, token: str) -> list[Figure]:
    """Call pages and figures of a year, then both files, one after another."""
    headers = {"Authorization": f"Bearer {token}"}
    web = stack.web_address
    lines: list[Figure] = []
    with httpx.Client(base_url=web, headers=headers, timeout=15 * MINUTES) as client:
        year = _year(client)
        person = f"{year}&userId={business.agents[0].pk}"
        deep = client.get(f"/api/reports/conversations?{year}&weekday=2&hour=3").json()["next"]
        pages = {
            "newest": year,
            "of a person": person,
            "of a queue": f"{year}&queueId={business.queues[0].pk}",
            "rated badly": f"{year}&rating=1",
            "deep": f"{year}&cursor={deep}",
            "band by working hours": "clock=open&band=15m",
        }
        for name, query in pages.items():
            lines += _called(stack, client, f"page, {name}", f"conversations?{query}", PAGE_MS)
        lines += _called(stack, client, "figures, 30 days", "figures", FIGURES_MS)
        lines += _called(stack, client, "figures, a year", f"figures?{year}", None)
        lines += _called(stack, client, "figures, 30 days, hours", "figures?clock=open", None)
        lines += _called(stack, client, "people's days", "activity", PAGE_MS)
        for kind in ("csv", "xlsx"):
            lines += _exported(stack, client, kind, year)
    return lines


def _year(client: httpx.Client) -> str:
    last = client.get("/api/reports/figures").json()["dateTo"]
    first = time.strftime("%Y-%m-%d", time.gmtime(time.time() - YEAR * 86_400))
    return f"dateFrom={first}&dateTo={last}"


def _called(
    stack: Stack, client: httpx.Client, name: str, path: str, most: float | None
) -> list[Figure]:
    def called() -> float:
        started_at = time.perf_counter()
        client.get(f"/api/reports/{path}").raise_for_status()
        return (time.perf_counter() - started_at) * 1000

    # It counts the list; the count of a long one is cached for the calls after it.
    first = called()
    before = stack.cpu("web", "postgres")
    taken = [called() for _ in range(CALLS)]
    spent = (stack.cpu("web", "postgres") - before) * 1000 / CALLS
    return [
        Figure(f"reports: {name}, first call", first, "ms", FIGURES_MS if most else None),
        Figure(f"reports: {name}, p50", percentile(taken, 0.5), "ms", most),
        Figure(f"reports: {name}, CPU", spent, "ms"),
    ]


def _exported(stack: Stack, client: httpx.Client, kind: str, year: str) -> list[Figure]:
    """Read a file of all conversations, and watch the memory of the process that streams it."""
    path = f"/api/reports/conversations/export?file={kind}"
    # What the first file of a process loads is no matter of its length.
    client.get(f"{path}&state=open").raise_for_status()
    before = stack.memory()["web"]
    sizes = [before]
    ended = threading.Event()

    def watch() -> None:
        while not ended.is_set():
            sizes.append(stack.memory()["web"])
            ended.wait(0.2)

    watcher = threading.Thread(target=watch)
    watcher.start()
    rows = length = 0
    started_at = time.perf_counter()
    first_at = 0.0
    try:
        with client.stream("GET", f"{path}&{year}") as answer:
            answer.raise_for_status()
            last = b""
            for chunk in answer.iter_bytes():
                first_at = first_at or time.perf_counter()
                length += len(chunk)
                # The end of a line may be in two chunks.
                rows += (last + chunk).count(b"\r\n")
                last = chunk[-1:]
    finally:
        ended.set()
        watcher.join()
    told = [Figure(f"reports: rows of the {kind} file", rows - 1)] if kind == "csv" else []
    return [
        *told,
        Figure(f"reports: {kind} file, first byte", first_at - started_at, "s", FIRST_SECONDS),
        Figure(f"reports: {kind} file, all of it", time.perf_counter() - started_at, "s"),
        Figure(f"reports: {kind} file, size", length / 1_000_000, "MB"),
        Figure(
            f"reports: memory that the {kind} file adds", max(sizes) - before, "MB", MOST_MEGABYTES
        ),
    ]
