"""A phone's past that comes in thousands, while the inbox is read."""

import json
import random
import threading
import time

import httpx
from django.db import connection as database

from apps.connections.models import Connection
from apps.inbound.models import InboundEvent
from apps.tickets.models import Message
from tests.bench.dataset import Business
from tests.bench.inbound import signed
from tests.bench.report import Figure, percentile
from tests.bench.stack import Stack
from tests.product import wait_for

MESSAGES = 50_000
PEOPLE = 500
# Meta: one notification may hold thousands.
AT_ONCE = 2_000
SECONDS_BETWEEN = 250
LIST = "/api/tickets?pageNumber=1&showAll=true&status=open"


def chunk(business: Business, order: int, count: int) -> bytes:
    """Return one chunk of the past, of all people in turn."""
    number = business.connection
    own = "551140000000"
    threads: dict[str, list[dict[str, object]]] = {}
    began = int(time.time()) - 170 * 86_400
    for place in range(count):
        which = order * AT_ONCE + place
        person = f"5521{900_000_000 + which % PEOPLE}"
        threads.setdefault(person, []).append(
            {
                "from": own if which % 3 == 0 else person,
                "id": f"wamid.past.{number.pk}.{which}",
                "timestamp": str(began + which * SECONDS_BETWEEN),
                "type": "text",
                "text": {"body": f"O que foi dito antes, número {which}"},
                "history_context": {"status": "READ"},
            }
        )
    value = {
        "messaging_product": "whatsapp",
        "metadata": {"display_phone_number": own, "phone_number_id": number.phone_number_id},
        "history": [
            {
                "metadata": {"phase": 1, "chunk_order": order, "progress": order % 100},
                "threads": [{"id": who, "messages": said} for who, said in threads.items()],
            }
        ],
    }
    entry = {"id": number.waba_id, "changes": [{"field": "history", "value": value}]}
    return json.dumps({"object": "whatsapp_business_account", "entry": [entry]}).encode()


def imported(stack: Stack, business: Business, token: str, *, messages: int) -> list[Figure]:
    """Measure how fast one worker stores the past, and the open list beside it.

    Its chunks come in no order, and every fifth twice. Raises AssertionError unless each message
    is stored once.
    """
    past = Message.objects.filter(
        connection=business.connection,
        external_id__startswith=f"wamid.past.{business.connection.pk}.",
    )
    orders = list(range(max(1, messages // AT_ONCE)))
    messages = len(orders) * AT_ONCE
    orders += orders[::5]
    random.Random(MESSAGES).shuffle(orders)
    Connection.objects.filter(pk=business.connection.pk).update(is_coexistence=True)
    alone = read_list(stack, token, until=time.perf_counter() + 3)
    waiting = InboundEvent.objects.unfinished()
    beside: list[float] = []
    is_over = threading.Event()
    reader = threading.Thread(target=lambda: beside.extend(read_list(stack, token, over=is_over)))
    started_at = time.perf_counter()
    reader.start()
    with httpx.Client(base_url=stack.web_address, timeout=30) as client:
        for order in orders:
            body = chunk(business, order, AT_ONCE)
            answer = client.post("/webhooks/whatsapp", content=body, headers=signed(body))
            answer.raise_for_status()
    wait_for(lambda: not waiting.exists(), "the past", 200)
    taken = time.perf_counter() - started_at
    is_over.set()
    reader.join()
    stored = list(past.order_by().values_list("external_id", flat=True))
    database.close()
    # No missed budget: whatever the machine, it fails the run.
    wanted = {f"wamid.past.{business.connection.pk}.{which}" for which in range(messages)}
    assert set(stored) == wanted, f"{len(wanted - set(stored)):,} messages were lost"
    assert len(stored) == messages, f"{len(stored) - messages:,} messages are there twice"
    return [
        Figure("history import, one worker", messages / taken, "1/s", 400, at_least=True),
        Figure("history import, each stored once", len(stored), "messages"),
        Figure("ticket list, open, p95, before the import", percentile(alone, 0.95), "ms"),
        Figure("ticket list, open, p95, beside the import", percentile(beside, 0.95), "ms", 150),
    ]


def read_list(
    stack: Stack, token: str, *, until: float = 0.0, over: threading.Event | None = None
) -> list[float]:
    """Read the open list, one call after another with a pause as people make; times in ms."""
    taken = []
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=stack.web_address, headers=headers, timeout=30) as client:
        while not over.is_set() if over else time.perf_counter() < until:
            started_at = time.perf_counter()
            client.get(LIST).raise_for_status()
            taken.append((time.perf_counter() - started_at) * 1000)
            time.sleep(0.05)
    return taken
