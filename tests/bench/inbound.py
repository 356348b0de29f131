"""From a signed webhook to sockets: latency, throughput, and a thousand listeners."""

import asyncio
import hashlib
import hmac
import json
import time
from itertools import count

import httpx
import psycopg
from django.db import connection as database
from rest_framework import serializers

from apps.inbound.models import InboundEvent
from apps.realtime.emit import LiveEvent, emit
from tests.bench.dataset import Business
from tests.bench.report import Figure, percentile
from tests.bench.sockets import open_sockets
from tests.bench.stack import APP_SECRET, Stack
from tests.product import wait_for

LATENCY_SAMPLES = 60
THROUGHPUT_MESSAGES = 3000
THROUGHPUT_CONTACTS = 300
SOCKETS = 1000
SOCKET_EVENTS = 42
SOCKETS_WARM_UP = 2
COMMIT_SECONDS = 3.0
BENCH = LiveEvent(
    "bench", update={"turn": serializers.IntegerField(), "text": serializers.CharField()}
)
_number = count(1)


def notification(business: Business, texts: list[tuple[int, str]]) -> bytes:
    """Return a body as Meta sends it, with a text of contact `n` for each entry."""
    messages = [
        {
            "from": f"5511{900_000_000 + contact}",
            "id": f"wamid.inbound.{next(_number)}",
            "timestamp": str(int(time.time())),
            "type": "text",
            "text": {"body": text},
        }
        for contact, text in texts
    ]
    contacts = [
        {"profile": {"name": f"Cliente {contact}"}, "wa_id": f"5511{900_000_000 + contact}"}
        for contact, _ in texts
    ]
    value = {
        "messaging_product": "whatsapp",
        "metadata": {
            "display_phone_number": "551140000000",
            "phone_number_id": business.connection.phone_number_id,
        },
        "contacts": contacts,
        "messages": messages,
    }
    change = {"field": "messages", "value": value}
    entry = {"id": business.connection.waba_id, "changes": [change]}
    return json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode()


def signed(body: bytes) -> dict[str, str]:
    """Return the headers of a notification."""
    digest = hmac.new(APP_SECRET.encode(), body, hashlib.sha256).hexdigest()
    return {"Content-Type": "application/json", "X-Hub-Signature-256": f"sha256={digest}"}


async def latency(stack: Stack, business: Business, token: str) -> list[Figure]:
    """Measure webhook → socket event, one message at a time on an idle system."""
    taken = await latencies(stack, business, token)
    return [
        Figure("inbound webhook → socket event, idle, p50", percentile(taken, 0.5), "ms"),
        Figure("inbound webhook → socket event, idle, p95", percentile(taken, 0.95), "ms", 150),
    ]


async def latencies(stack: Stack, business: Business, token: str) -> list[float]:
    """Return the milliseconds from webhook to socket event, one message after another."""
    arrived: dict[str, float] = {}
    event = f"company-{business.company.pk}-appMessage"
    heard_one = asyncio.Event()

    def heard(packet: bytes, now: float) -> None:
        name, payload = json.loads(packet)
        if name == event and payload["action"] == "create":
            arrived.setdefault(payload["message"]["body"], now)
            heard_one.set()

    (socket,) = await open_sockets(stack.realtime_port, token, 1, heard)
    socket.send('42["joinNotification"]')
    socket.send('42["joinTickets","pending"]')
    socket.send('42["joinTickets","open"]')
    taken: list[float] = []
    async with httpx.AsyncClient(base_url=stack.web_address) as client:
        for sample in range(LATENCY_SAMPLES + 10):
            text = f"latency {next(_number)}"
            body = notification(business, [(1 + sample % 20, text)])
            heard_one.clear()
            started_at = time.perf_counter()
            answer = await client.post("/webhooks/whatsapp", content=body, headers=signed(body))
            assert answer.status_code == 200, answer.text
            async with asyncio.timeout(20):
                while text not in arrived:
                    await heard_one.wait()
                    heard_one.clear()
            if sample >= 10:  # the first ones warm the caches of all processes
                taken.append((arrived[text] - started_at) * 1000)
    socket.transport.close()
    return taken


def commit_rate(stack: Stack) -> float:
    """Return how many single-row transactions a second this PostgreSQL commits."""
    with psycopg.connect(stack.postgres.url(), autocommit=True) as plain:
        plain.execute("CREATE TABLE commit_rate (id bigserial PRIMARY KEY, body text)")
        statement, done = "INSERT INTO commit_rate (body) VALUES (%s)", 0
        started_at = time.perf_counter()
        while time.perf_counter() - started_at < COMMIT_SECONDS:
            plain.execute(statement, ["x" * 200])
            done += 1
        taken = time.perf_counter() - started_at
        plain.execute("DROP TABLE commit_rate")
    return done / taken


def throughput(stack: Stack, business: Business) -> list[Figure]:
    """Measure how fast one worker handles stored messages, against the commit rate."""
    texts = [
        (1 + number % THROUGHPUT_CONTACTS, f"mensagem {number}")
        for number in range(THROUGHPUT_MESSAGES)
    ]
    rate, worker_cpu, commits = handled(stack, business, texts)
    return [
        Figure("single-row commits of this PostgreSQL", commits, "1/s"),
        Figure("inbound throughput, one worker", rate, "1/s"),
        Figure("inbound throughput / commit rate", rate / commits * 100, "%", 25, at_least=True),
        Figure("worker CPU per inbound message", worker_cpu, "ms"),
    ]


def handled(
    stack: Stack, business: Business, texts: list[tuple[int, str]]
) -> tuple[float, float, float]:
    """Have one worker handle texts of contacts that wait when it starts.

    Returns the messages a second, the worker's CPU for each in ms, and the commit rate.
    """
    stack.stop("worker")
    before = commit_rate(stack)
    with httpx.Client(base_url=stack.web_address) as client:
        for first in range(0, len(texts), 50):
            body = notification(business, texts[first : first + 50])
            client.post("/webhooks/whatsapp", content=body, headers=signed(body)).raise_for_status()
    waiting = InboundEvent.objects.filter(state__in=["waiting", "claimed"])
    total = waiting.count()
    database.close()
    stack.start_worker()
    body = notification(business, [(1, "wake up")])
    httpx.post(f"{stack.web_address}/webhooks/whatsapp", content=body, headers=signed(body))
    wait_for(lambda: waiting.count() < total - 100, "the worker", 60)
    left, started_at, cpu = waiting.count(), time.perf_counter(), stack.cpu("worker")
    wait_for(lambda: waiting.count() == 0, "the last message", 180)
    taken = time.perf_counter() - started_at
    worker_cpu = (stack.cpu("worker") - cpu) * 1000 / left
    return left / taken, worker_cpu, max(before, commit_rate(stack))


async def fan_out(stack: Stack, business: Business, token: str) -> list[Figure]:
    """Measure one event to a thousand sockets, from the emit to each arrival."""
    arrivals: list[float] = []
    sockets = await open_sockets(
        stack.realtime_port,
        token,
        SOCKETS,
        lambda packet, now: arrivals.append(now) if b'-bench"' in packet else None,
    )
    taken: list[float] = []
    lost = 0
    cpu = 0.0
    for turn in range(SOCKET_EVENTS):
        if turn == SOCKETS_WARM_UP:
            cpu = stack.cpu("realtime")
        arrivals.clear()
        started_at = time.perf_counter()
        await asyncio.to_thread(_emit, business, turn)
        deadline = started_at + 5
        while len(arrivals) < SOCKETS and time.perf_counter() < deadline:
            await asyncio.sleep(0.01)
        if turn >= SOCKETS_WARM_UP:
            taken += [(each - started_at) * 1000 for each in arrivals]
            lost += SOCKETS - len(arrivals)
    cpu = (stack.cpu("realtime") - cpu) * 1000 / (SOCKET_EVENTS - SOCKETS_WARM_UP)
    open_at_end = sum(socket.is_open for socket in sockets)
    for socket in sockets:
        socket.transport.close()
    if not taken:
        raise AssertionError(f"No event arrived; {open_at_end} of {SOCKETS} sockets are open")
    return [
        Figure("1,000 sockets, one event, p50", percentile(taken, 0.5), "ms"),
        Figure("1,000 sockets, one event, p95", percentile(taken, 0.95), "ms", 90),
        Figure("1,000 sockets, CPU of an event", cpu, "ms", 25),
        Figure("1,000 sockets, events lost", lost, "", 0),
    ]


def _emit(business: Business, turn: int) -> None:
    payload = {"turn": turn, "text": "x" * 800}
    emit(BENCH, "update", payload, company_id=business.company.pk)
