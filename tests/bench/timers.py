"""What attendants notice of the timers while these move and close thousands of tickets.

Beside the calls without timers stand those beside a process that only computes: on few cores that
is slower too, and no fault of the timers. A wait for one of their locks would be; PostgreSQL tells.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import cycle

import httpx
from django.db import connection as database
from django.db.models import Q
from django.utils import timezone

from apps.connections.models import Connection
from apps.queues.models import Queue
from apps.tickets.models import Message, Ticket, TrackingCycle
from tests.bench.dataset import Business, settle
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.product import ROOT, wait_for

SECONDS = 10.0
CALLS_A_SECOND = 20
BUDGET_MILLISECONDS = 50.0
LOCK_MILLISECONDS = 10
COMPUTE = "while True: pass"
Call = Callable[[httpx.Client], httpx.Response]
JOB = """
import django
django.setup()
from apps.tickets.services.bot.timers import run_timers
while run_timers():
    pass
"""


def measure(stack: Stack, business: Business, token: str) -> list[Figure]:
    """Read and accept tickets at a steady rate, alone and beside the job in its own process."""
    tickets = Ticket.objects.for_company(business.company.pk)
    size = f"{tickets.count() / 1000:g}k"
    shown = f"/api/tickets/{tickets.filter(status='open').latest('pk').pk}"
    # The last ones that the timers come to, whose rows both want.
    waiting = tickets.filter(status="pending").order_by("-pk").values_list("pk", flat=True)
    accepted = cycle(list(waiting[: int(CALLS_A_SECOND * SECONDS * 4)]))
    calls: list[Call] = [
        lambda client: client.get("/api/tickets?pageNumber=1&showAll=true&status=open"),
        lambda client: client.get(shown),
        lambda client: client.put(
            f"/api/tickets/{next(accepted)}",
            json={"status": "open", "userId": business.admin.pk},
        ),
    ]
    headers = {"Authorization": f"Bearer {token}"}
    stack.stop("worker")  # what the timers write is sent to nobody
    try:
        with httpx.Client(base_url=stack.web_address, headers=headers, timeout=30) as client:
            _call(client, calls, 3)
            quiet = _call(client, calls, SECONDS)
            with _beside(stack, COMPUTE):
                computing = _call(client, calls, SECONDS)
            _make_due(business)
            settle()  # so many rows written at once are the bench's doing
            at_first = _left(business)
            with _beside(stack, JOB), _lock_waits(stack) as waits:
                wait_for(lambda: _left(business) < at_first, "the first timer")
                left, started_at = _left(business), time.monotonic()
                beside = _call(client, calls, SECONDS)
                rate = (left - _left(business)) / (time.monotonic() - started_at)
                assert _left(business), "The timers had not enough to do"
    finally:
        Connection.objects.filter(pk=business.connection.pk).update(
            minutes_to_transfer=0, ticket_expires_minutes=0, transfer_queue=None
        )
        stack.start_worker()
    lines = [Figure(f"tickets moved and closed by timers, of {size}", rate, "1/s")]
    lines.append(Figure(f"waits of {LOCK_MILLISECONDS} ms for their locks", len(waits), "", 0))
    for name, taken in (
        ("without timers", quiet),
        ("beside mere computing", computing),
        ("beside timers", beside),
    ):
        budget = BUDGET_MILLISECONDS if taken is beside else None
        lines += [
            Figure(f"a ticket, the list and an accept {name}, p50", percentile(taken, 0.5), "ms"),
            Figure(f"a ticket, the list and an accept {name}, p99", percentile(taken, 0.99), "ms"),
            Figure(f"the slowest of {len(taken)} calls {name}", max(taken), "ms", budget),
        ]
    return lines


def _call(client: httpx.Client, calls: list[Call], seconds: float) -> list[float]:
    """Return the milliseconds of each call; they begin at a steady rate."""
    taken: list[float] = []
    begun = time.perf_counter()
    while (due := len(taken) / CALLS_A_SECOND) < seconds:
        time.sleep(max(0.0, begun + due - time.perf_counter()))
        started_at = time.perf_counter()
        calls[len(taken) % len(calls)](client).raise_for_status()
        taken.append((time.perf_counter() - started_at) * 1000)
    return taken


@contextmanager
def _beside(stack: Stack, program: str) -> Iterator[None]:
    """Run a program in a process of its own."""
    log = stack.directory / "beside.log"
    with log.open("wb") as output:
        other = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stderr=output)
    try:
        yield
        assert other.poll() is None, log.read_text()
    finally:
        other.kill()
        other.wait(timeout=30)


@contextmanager
def _lock_waits(stack: Stack) -> Iterator[list[str]]:
    """Have PostgreSQL write down who waits for a lock; the list is filled at the end."""
    log = stack.postgres.directory / "log"
    begun, waits = log.stat().st_size, list[str]()
    with database.cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET log_lock_waits = on")
        cursor.execute(f"ALTER SYSTEM SET deadlock_timeout = '{LOCK_MILLISECONDS}ms'")
        cursor.execute("SELECT pg_reload_conf()")
        yield waits
        cursor.execute("ALTER SYSTEM RESET ALL")
        cursor.execute("SELECT pg_reload_conf()")
    lines = log.read_bytes()[begun:].decode(errors="replace").splitlines()
    waits += [line for line in lines if "still waiting for" in line]


def _make_due(business: Business) -> None:
    """Let what waits have waited for too long, and what is open have fallen silent."""
    Queue.objects.filter(company=business.company).update(expire_chat=True)
    tickets = Ticket.objects.for_company(business.company.pk)
    pending = tickets.filter(status="pending")
    pending.update(queue=None)
    since = timezone.now() - timedelta(hours=2)
    cycles = [
        TrackingCycle(
            company=business.company,
            ticket_id=pk,
            contact_id=contact_id,
            connection=business.connection,
            queued_at=since,
        )
        for pk, contact_id in pending.filter(cycles=None).values_list("pk", "contact_id")
    ]
    TrackingCycle.objects.bulk_create(cycles, batch_size=1000)
    last = tickets.filter(status="open").values("latest_message_id")
    Message.objects.filter(pk__in=last).update(from_me=True)
    Connection.objects.filter(pk=business.connection.pk).update(
        transfer_queue=business.queues[0],
        minutes_to_transfer=10,
        ticket_expires_minutes=5,
        inactive_message="{{firstName}}, encerramos por falta de resposta.",
    )
    with database.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _left(business: Business) -> int:
    """Return how many tickets the timers still have to do."""
    tickets = Ticket.objects.for_company(business.company.pk)
    return tickets.filter(Q(status="open") | Q(status="pending", queue=None)).count()
