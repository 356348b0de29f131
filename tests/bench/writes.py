"""What a write costs all processes that it occupies, and the database: CPU of one call."""

import time
import uuid
from collections.abc import Callable, Sequence
from itertools import count

import httpx

from apps.inbound.models import InboundEvent
from apps.tickets.models import Ack, Message, Ticket
from tests.bench import campaigns
from tests.bench.dataset import Business
from tests.bench.inbound import notification, signed
from tests.bench.report import Figure
from tests.bench.stack import Stack
from tests.factories import make_contact, make_ticket
from tests.product import wait_for

PROCESSES = ("web", "worker", "postgres")
# The CPU time is that of the best batch: whatever else runs on the machine only adds.
BATCHES, CALLS = 4, 40
# What the processes use anyway is measured as well, and taken off.
IDLE_SECONDS = 6.0
# Nothing asks the database more often whether a batch is done: that would be counted.
LOOK_SECONDS = 0.3
ACCEPT_MS, CLOSE_MS, SEND_MS, TEXT_MS = 9.0, 9.0, 20.0, 6.0
CONTACTS = 20
_number = count(1)


def measure(stack: Stack, business: Business, token: str) -> list[Figure]:
    """Accept, close, send and receive, each call as soon as the one before it is answered."""
    with campaigns.provider(stack, beats=True):
        writing = _ticket(business, status="open")
        waiting = [_ticket(business) for _ in range((1 + BATCHES) * CALLS)]
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=stack.web_address, headers=headers, timeout=30) as client:

            def accept(ticket: Ticket) -> None:
                body = {"status": "open", "userId": business.admin.pk}
                client.put(f"/api/tickets/{ticket.pk}", json=body).raise_for_status()

            def close(ticket: Ticket) -> None:
                body = {"status": "closed"}
                client.put(f"/api/tickets/{ticket.pk}", json=body).raise_for_status()

            def send(_: Ticket) -> None:
                body = {"body": f"Enviada {next(_number)}", "clientId": str(uuid.uuid4())}
                client.post(f"/api/messages/{writing.pk}", json=body).raise_for_status()

            def receive(_: Ticket) -> None:
                body = notification(business, [(1 + next(_number) % CONTACTS, "Bom dia!")])
                answer = client.post("/webhooks/whatsapp", content=body, headers=signed(body))
                answer.raise_for_status()

            send(writing)  # until it has gone the worker is starting
            wait_for(_all_is_done, "the worker", 60)
            idle = _idle(stack)
            calls: list[tuple[str, Callable[[Ticket], None], float]] = [
                ("accept", accept, ACCEPT_MS),
                ("close", close, CLOSE_MS),
                ("send, until sent", send, SEND_MS),
                ("one text in, until handled", receive, TEXT_MS),
            ]
            return [
                Figure(f"{name}, CPU of all", _cost(stack, call, waiting, idle), "ms", most)
                for name, call, most in calls
            ]


def _ticket(business: Business, status: str = "pending") -> Ticket:
    connection, queue = business.connection, business.queues[0]
    contact = make_contact(business.company, number=f"5531{900_000_000 + next(_number)}")
    fields = {"connection": connection, "queue": queue, "contact": contact, "status": status}
    ticket = make_ticket(business.company, **fields)
    Ticket.objects.filter(pk=ticket.pk).update(last_inbound_at=ticket.created_at)
    return ticket


def _idle(stack: Stack) -> float:
    """Return the CPU that the processes use while nothing is asked, in seconds a second."""
    before = stack.cpu(*PROCESSES)
    time.sleep(IDLE_SECONDS)
    return (stack.cpu(*PROCESSES) - before) / IDLE_SECONDS


def _cost(
    stack: Stack, call: Callable[[Ticket], None], tickets: Sequence[Ticket], idle: float
) -> float:
    """Return the CPU milliseconds of a call, until all of its work is done."""
    costs = []
    for first in range(0, len(tickets), CALLS):
        started_at, before = time.monotonic(), stack.cpu(*PROCESSES)
        for ticket in tickets[first : first + CALLS]:
            call(ticket)
        time.sleep(LOOK_SECONDS)
        while not _all_is_done():
            time.sleep(LOOK_SECONDS)
        taken = time.monotonic() - started_at
        costs.append((stack.cpu(*PROCESSES) - before - idle * taken) * 1000 / CALLS)
    return min(costs[1:])  # the first one warms the processes


def _all_is_done() -> bool:
    sending = Message.objects.filter(from_me=True, ack=Ack.PENDING)
    return not InboundEvent.objects.unfinished().exists() and not sending.exists()
